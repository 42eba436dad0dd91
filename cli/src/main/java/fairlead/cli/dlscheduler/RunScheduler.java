package fairlead.cli.dlscheduler;

import fairlead.api.client.Refused;
import fairlead.api.spec.SpecBody;
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
import fairlead.cli.terminal.UsageException;
import fairlead.dialects.dlscheduler.Choice;
import fairlead.dialects.dlscheduler.Misuse;
import fairlead.dialects.dlscheduler.RunCommand;
import fairlead.dialects.dlscheduler.Surroundings;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/** Submits a training script, in the words of the Kubernetes DL scheduler. */
public final class RunScheduler implements Verb {
    private static final List<Option> OPTIONS = options();

    private static List<Option> options() {
        var options = new ArrayList<Option>();
        for (Choice choice : RunCommand.OPTIONS) {
            options.add(Option.valued(choice.name(), null, choice.value(), choice.help()));
        }
        return options;
    }

    @Override
    public Usage usage() {
        return new Usage(
                List.of("run-scheduler"),
                "job_name",
                1,
                false,
                "submit a training script, with the options of run-scheduler",
                """
                The job runs 'python SCRIPT_PATH' on one GPU or more, as the scheduler decides. It sees
                CUSTOM_DIR at /custom, SNAPSHOTS_DIR at /snapshots and ~/datasets, where there is one, at /data.\
                """,
                OPTIONS,
                List.of(
                        Example.of(
                                "fairlead run-scheduler --script_path examples/hello.py"
                                        + " --max_epochs 3 --is_single_gpu true first",
                                "a script of this machine; with --custom_dir examples it is also"
                                        + " /custom/hello.py")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        var said = new HashMap<String, String>();
        for (Option option : OPTIONS) {
            arguments.text(option).ifPresent(text -> said.put(option.name(), text));
        }
        String name = arguments.operands().isEmpty() ? null : arguments.operands().getFirst();
        SpecBody spec;
        try {
            spec = RunCommand.spec(said, name, surroundings(session));
        } catch (Misuse e) {
            throw new UsageException(e.getMessage());
        }
        if (!spec.name().equals(name)) session.say("the job is called " + spec.name());
        for (String id : Submission.of(spec, Here.of(session)).submit(session).value().ids()) {
            session.out().line(id);
        }
        return ExitCode.OK;
    }

    private static Surroundings surroundings(Session session) throws IOException {
        Here here = Here.of(session);
        String home = session.terminal().environment().getOrDefault("HOME", "");
        Optional<Path> known = home.isEmpty() ? Optional.empty() : Optional.of(Path.of(home));
        return new Surroundings(here.folder(), known);
    }
}
