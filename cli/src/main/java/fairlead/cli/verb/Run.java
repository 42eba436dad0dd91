package fairlead.cli.verb;

import fairlead.api.JobBody;
import fairlead.api.client.LogQuery;
import fairlead.api.client.Refused;
import fairlead.cli.job.Here;
import fairlead.cli.job.Submission;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.Output;
import fairlead.cli.terminal.UsageException;
import fairlead.cli.terminal.Words;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Runs a job as if it were a local command: its log here, its exit code ours, Ctrl-C aborts it. */
public final class Run implements Verb {
    private static final Option DETACH =
            Option.flag("--detach", "-d", "print the job's id, and do not wait for it");

    @Override
    public Usage usage() {
        return new Usage(
                List.of("run"),
                "COMMAND...",
                Usage.MANY,
                true,
                "run a job, show its log and exit with its code",
                SpecOptions.NOTES
                        + "\n"
                        + "Ctrl-C aborts the job. If the terminal goes away, the job goes on, and\n"
                        + "'fairlead logs -f JOB' shows its log again.",
                options(),
                List.of(
                        Example.of(
                                "fairlead run python3 examples/hello.py",
                                "one GPU where there are any"),
                        Example.of(
                                "fairlead -n 0 run 'echo $HOSTNAME; date'",
                                "one single word is run by a shell"),
                        Example.of(
                                "fairlead -n 0 run --time 10m --retries 2 -e SEED=7 printenv SEED",
                                "a time limit, retries and a variable")));
    }

    private static List<Option> options() {
        var options = new ArrayList<>(SpecOptions.ALL);
        options.add(DETACH);
        return options;
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        var drafts = SpecOptions.drafts(arguments, session);
        if (drafts.size() > 1) {
            throw new UsageException(
                    "the file holds " + drafts.size() + " jobs; 'submit' takes several");
        }
        var submission =
                Submission.of(
                        drafts,
                        null,
                        arguments.text(SpecOptions.AS).orElse(null),
                        Here.of(session));
        if (arguments.has(DETACH)) {
            String id = SpecOptions.submit(submission, arguments, session).value().ids().getFirst();
            session.out().line(id);
            if (session.terminal().errIsTerminal()) {
                session.say("'fairlead logs -f " + id + "' shows its log");
            }
            return ExitCode.OK;
        }
        var abort = new AbortOnInterrupt(session);
        try {
            String id = SpecOptions.submit(submission, arguments, session).value().ids().getFirst();
            abort.submitted(id);
            if (session.terminal().errIsTerminal()) session.say("job " + id);
            return follow(id, session, abort);
        } finally {
            abort.disarm();
        }
    }

    private static int follow(String id, Session session, AbortOnInterrupt abort)
            throws UsageException, Failure, Refused, IOException {
        try {
            JobBody job = followed(id, session);
            if (job.state().equals("succeeded")) return ExitCode.OK;
            if (!abort.fired()) session.say(ending(job));
            return job.exitCode() == null ? ExitCode.JOB_FAILED : job.exitCode();
        } catch (Output.Closed e) {
            session.say("the output is closed; job " + id + " goes on");
            throw e;
        }
    }

    private static JobBody followed(String id, Session session)
            throws UsageException, Failure, Refused, IOException {
        try (var notice = new WaitingNotice(session, id)) {
            var follower = new LogFollower(session, id, LogQuery.ALL, notice);
            notice.start();
            return follower.follow();
        }
    }

    private static String ending(JobBody job) {
        String reason = job.reason() == null || job.reason().isEmpty() ? "" : ": " + job.reason();
        return "job " + job.id() + " " + Words.state(job.state()) + reason;
    }
}
