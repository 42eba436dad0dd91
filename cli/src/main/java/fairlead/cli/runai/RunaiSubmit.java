package fairlead.cli.runai;

import fairlead.api.ErrorCode;
import fairlead.api.JobBody;
import fairlead.api.SubmitAnswer;
import fairlead.api.client.LogQuery;
import fairlead.api.client.Refused;
import fairlead.api.spec.SpecBody;
import fairlead.cli.job.ClusterKind;
import fairlead.cli.job.Here;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.pods.RunaiFile;
import fairlead.cli.shell.RemoteCommand;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;
import fairlead.cli.verb.Logs;
import fairlead.dialects.runai.Declined;
import fairlead.dialects.runai.Flag;
import fairlead.dialects.runai.Flags;
import fairlead.dialects.runai.Misuse;
import fairlead.dialects.runai.Order;
import fairlead.dialects.runai.SubmitCommand;
import fairlead.dialects.runai.Surroundings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;

/**
 * Submits a job in the words of Run:ai.
 *
 * @param verb {@code submit} or {@code submit-mpi}
 */
record RunaiSubmit(String verb) implements Verb {
    private static final String MPI = "submit-mpi";

    /** So many may be taken by others between our look and our submit. */
    private static final int NAMES_MAX = 10;

    private List<Option> options() {
        var options = new ArrayList<Option>();
        var flags = new ArrayList<>(Flags.ALL);
        if (verb.equals(MPI)) flags.add(Flags.PROCESSES);
        for (Flag flag : flags) {
            options.add(Option.valued(flag.name(), flag.letter(), flag.value(), flag.help()));
        }
        return options;
    }

    @Override
    public Usage usage() {
        return new Usage(
                List.of("runai " + verb),
                "[NAME] --command -- COMMAND...",
                Usage.MANY,
                false,
                verb.equals(MPI) ? "submit a job whose command starts MPI" : "submit a job",
                "A flag that has no meaning here is ignored with one line that says so; one without"
                        + " which the\n"
                        + "job would be another is refused. Without a name the job is job-N.",
                options(),
                List.of(
                        verb.equals(MPI)
                                ? Example.of(
                                        "fairlead runai submit-mpi my-ranks -p default -i none"
                                                + " --processes 2 --command -- python3"
                                                + " examples/hello.py",
                                        "two processes, which 'mpirun -np 2' would start")
                                : Example.of(
                                        "fairlead runai submit my-first -p default -i none --gpu"
                                                + " 0.5 --command -- python3 examples/hello.py",
                                        "on half a GPU")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        try {
            return submit(order(arguments, session), session);
        } catch (Misuse e) {
            throw new UsageException(e.getMessage());
        } catch (Declined e) {
            throw new Failure(Runai.REFUSED, e.getMessage());
        }
    }

    private Order order(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException, Misuse, Declined {
        var said = new HashMap<String, List<String>>();
        for (Option option : options()) {
            if (arguments.has(option)) said.put(option.name(), arguments.all(option));
        }
        RunaiFile file = RunaiFile.of(session);
        var kind = new ClusterKind(session);
        var surroundings =
                new Surroundings(
                        Here.of(session).folder(),
                        file.project(),
                        file.claims(),
                        file.cluster(),
                        kind.runsImages(file.cluster()),
                        kind.isOneMachine(file.cluster()),
                        account());
        return SubmitCommand.read(
                said, arguments.beforeDashes(), arguments.afterDashes(), surroundings);
    }

    /** The numbers of this process's account, or null where the system does not say. */
    private static String account() {
        Path self = Path.of("/proc/self");
        try {
            return Files.getAttribute(self, "unix:uid")
                    + ":"
                    + Files.getAttribute(self, "unix:gid");
        } catch (IOException | UnsupportedOperationException _) {
            return null;
        }
    }

    private static int submit(Order order, Session session)
            throws UsageException, Failure, Refused, IOException, Declined {
        var used = new HashSet<String>();
        for (var job : RunaiJobs.all(session.client(), order.project())) used.add(job.name());
        SpecBody spec = order.spec(used);
        SubmitAnswer answer = made(spec, session);
        for (int tries = 1; answer == null; tries++) {
            if (order.name() != null) throw new Failure(Runai.REFUSED, order.taken());
            if (tries == NAMES_MAX) throw new Failure(Runai.REFUSED, "no name is free; say one");
            used.add(spec.name());
            spec = order.spec(used);
            answer = made(spec, session);
        }
        order.warnings().forEach(session::say);
        if (answer.warnings() != null) answer.warnings().forEach(session::say);
        session.out().line("The job '" + spec.name() + "' has been submitted successfully");
        session.out()
                .line(
                        "You can run `runai describe job "
                                + spec.name()
                                + " -p "
                                + order.project()
                                + "` to check the job status");
        for (String way : order.ways(spec)) session.out().line(way);
        return order.attach() ? attached(answer.ids().getFirst(), session) : ExitCode.OK;
    }

    /** As {@code runai attach} would, once it runs; the job goes on where that takes too long. */
    private static int attached(String id, Session session)
            throws UsageException, Failure, Refused, IOException {
        session.flush();
        JobBody job = RunaiJobs.begun(session.client().job(id).value().job(), session);
        if (RunaiJobs.isOver(job)) return ended(job, session);
        RunaiJobs.needRunning("nobody can attach to", job);
        try {
            return new RemoteCommand(session).attach(id, null);
        } catch (Refused e) {
            JobBody now = session.client().job(id).value().job();
            if (RunaiJobs.isOver(now)) return ended(now, session);
            throw e;
        }
    }

    /** What it has written, and its exit code, as one who had attached in time would have seen. */
    private static int ended(JobBody job, Session session)
            throws UsageException, Failure, Refused, IOException {
        session.say("the job '" + job.name() + "' has already ended; its log:");
        Logs.show(session, job.id(), new LogQuery(null, null, null, null));
        if (job.state().equals("succeeded")) return ExitCode.OK;
        return job.exitCode() == null ? ExitCode.JOB_FAILED : job.exitCode();
    }

    /** Null where somebody has taken the name meanwhile. */
    private static SubmitAnswer made(SpecBody spec, Session session)
            throws UsageException, Failure, Refused, IOException {
        try {
            var here = Here.of(session).body();
            return session.client().submit(List.of(spec), null, null, here, false).value();
        } catch (Refused e) {
            if (e.is(ErrorCode.CONFLICT)) return null;
            throw e;
        }
    }
}
