package fairlead.cli.philly;

import fairlead.api.client.Refused;
import fairlead.api.spec.SpecBody;
import fairlead.cli.act.ActSubmit;
import fairlead.cli.act.Configs;
import fairlead.cli.act.StoreCheck;
import fairlead.cli.job.Here;
import fairlead.cli.job.Submission;
import fairlead.cli.line.ActOptions;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.spec.SpecYaml;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;
import fairlead.dialects.act.ActRequest;
import fairlead.dialects.act.config.ClusterConfig;

import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;

/** Hands a command to the cluster with most room, and says why it is that one. */
final class PSubmit implements Verb {
    private static final int GPUS_DEFAULT = 4;

    static final List<Option> OPTIONS =
            List.of(
                    Option.CLUSTER,
                    ActOptions.GPUS_OF_ALL,
                    ActOptions.SINGLE,
                    ActOptions.HOLD,
                    ActOptions.COMPILE_ARGS,
                    ActOptions.NO_SUBMIT);

    @Override
    public Usage usage() {
        return new Usage(
                List.of("p submit"),
                "COMMAND...|ssh",
                Usage.MANY,
                true,
                "hand a command to one of the clusters, with 4 GPUs by default",
                "Options stand before 'submit'; every word after it belongs to the command. 'ssh'"
                    + " is a job that\n"
                    + "waits for you: 'p ssh JOB' opens a shell there, 'p abort JOB' ends it. -c"
                    + " names the cluster;\n"
                    + "otherwise it is the one with most free GPUs, or with the fewest of your jobs"
                    + " waiting.",
                OPTIONS,
                List.of(
                        Example.withoutConfig("fairlead p submit ssh", "a place to look around"),
                        Example.withoutConfig(
                                "fairlead p -n 8 submit python scripts/train.py", "on 8 GPUs")));
    }

    @Override
    public boolean isVerbatim(Arguments globals, Session session) {
        return true;
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        List<String> words = ActRequest.words(arguments.operands());
        if (words.isEmpty()) {
            throw new UsageException("what should run? The command is missing.");
        }
        if (words.equals(List.of("gc"))) {
            throw new UsageException(
                    "'p submit gc' is not needed here: nodes keep nothing of a job that has ended;"
                            + " 'fairlead rm' deletes what lies in the store");
        }
        ActSubmit.tellSurprises(arguments.operands(), session);
        int gpus = arguments.number(Option.GPUS, 0).orElse(GPUS_DEFAULT);
        PhillyChoice choice = PhillyChoice.of(PhillyClusters.of(arguments, session), gpus);
        Configs.tellAbove(choice.config(), session);
        session.say(choice.reason());
        boolean isShell = words.equals(List.of("ssh"));
        ClusterConfig config = isShell ? choice.config().sleeping() : choice.config();
        var request =
                new ActRequest(
                        isShell ? List.of("ls") : words,
                        OptionalInt.of(gpus),
                        arguments.has(ActOptions.SINGLE),
                        arguments.text(ActOptions.COMPILE_ARGS),
                        isShell || arguments.has(ActOptions.HOLD));
        SpecBody spec = ActSubmit.spec(config, request, arguments, session);
        tellMore(spec, arguments, gpus, session);
        var submission = Submission.of(spec, Here.of(session));
        if (arguments.has(ActOptions.NO_SUBMIT)) {
            session.out().print(SpecYaml.of(submission.dryRun(session).value().getFirst()));
            return ExitCode.OK;
        }
        StoreCheck.of(config, submission.bodies().getFirst()).tell(config, session);
        for (String id : submission.submit(session).value().ids()) {
            session.out().line(id);
            if (isShell) session.say("once it runs, 'p ssh " + id + "' opens a shell there");
        }
        return ExitCode.OK;
    }

    /** Containers are alike, so a number that they cannot share becomes a larger one. */
    private static void tellMore(SpecBody spec, Arguments arguments, int wanted, Session session) {
        int containers = spec.roles().getFirst().count();
        int each = spec.roles().getFirst().gpus();
        if (containers * each == wanted) return;
        session.say(
                "%s%d GPUs, in %d containers of %d each"
                        .formatted(
                                arguments.asTyped(Option.GPUS),
                                containers * each,
                                containers,
                                each));
    }
}
