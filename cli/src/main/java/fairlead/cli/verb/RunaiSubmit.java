package fairlead.cli.verb;

import fairlead.api.Refused;
import fairlead.api.SpecBody;
import fairlead.cli.Arguments;
import fairlead.cli.Example;
import fairlead.cli.ExitCode;
import fairlead.cli.Failure;
import fairlead.cli.Option;
import fairlead.cli.Session;
import fairlead.cli.Usage;
import fairlead.cli.UsageException;
import fairlead.cli.Verb;
import fairlead.dialects.runai.Declined;
import fairlead.dialects.runai.Flag;
import fairlead.dialects.runai.Flags;
import fairlead.dialects.runai.Misuse;
import fairlead.dialects.runai.Order;
import fairlead.dialects.runai.SubmitCommand;
import fairlead.dialects.runai.Surroundings;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;

/** Submits a job in the words of Run:ai. */
final class RunaiSubmit implements Verb {
    private static List<Option> options() {
        var options = new ArrayList<Option>();
        for (Flag flag : Flags.ALL) {
            options.add(new Option(flag.name(), flag.letter(), flag.value(), flag.help()));
        }
        return options;
    }

    @Override
    public Usage usage() {
        return new Usage(
                List.of("runai submit"),
                "[NAME] --command -- COMMAND...",
                Usage.MANY,
                false,
                "submit a job",
                "A flag that has no meaning here is ignored with one line that says so; one without"
                        + " which the\n"
                        + "job would be another is refused. Without a name the job is job-N.",
                options(),
                List.of(
                        Example.of(
                                "fairlead runai submit my-first -p default -i none --gpu 0.5"
                                        + " --command -- python3 examples/hello.py",
                                "on half a GPU")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        try {
            submit(order(arguments, session), session);
        } catch (Misuse e) {
            throw new UsageException(e.getMessage());
        } catch (Declined e) {
            throw new Failure(Runai.REFUSED, e.getMessage());
        }
        return ExitCode.OK;
    }

    private static Order order(Arguments arguments, Session session)
            throws UsageException, Failure, IOException, Misuse, Declined {
        var said = new HashMap<String, List<String>>();
        for (Option option : options()) {
            if (arguments.has(option)) said.put(option.name(), arguments.all(option));
        }
        Here here = Here.of(session);
        RunaiFile file = RunaiFile.of(session);
        var surroundings = new Surroundings(here.folder(), file.project(), file.claims());
        return SubmitCommand.read(
                said, arguments.beforeDashes(), arguments.afterDashes(), surroundings);
    }

    private static void submit(Order order, Session session)
            throws UsageException, Failure, Refused, IOException, Declined {
        var used = new HashSet<String>();
        for (var job : RunaiJobs.all(session.client(), order.project())) used.add(job.name());
        SpecBody spec = order.spec(used);
        var answer =
                session.client().submit(List.of(spec), null, null, Here.of(session).body()).value();
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
    }
}
