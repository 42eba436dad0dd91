package fairlead.cli.act;

import fairlead.api.SubmitAnswer;
import fairlead.api.client.Answer;
import fairlead.api.client.Refused;
import fairlead.api.spec.SpecBody;
import fairlead.cli.job.Here;
import fairlead.cli.job.Submission;
import fairlead.cli.line.ActOptions;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;
import fairlead.cli.terminal.Words;
import fairlead.dialects.act.ActRequest;
import fairlead.dialects.act.ActSpec;
import fairlead.dialects.act.ConfigFinder;
import fairlead.dialects.act.Layout;
import fairlead.dialects.act.Misuse;
import fairlead.dialects.act.SignatureEnded;
import fairlead.dialects.act.config.ClusterConfig;

import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;

/** The submit of ACT: a config file says where the job runs, and all words are its command. */
public final class ActSubmit {
    public static final List<Option> OPTIONS =
            List.of(ActOptions.SINGLE, ActOptions.HOLD, ActOptions.COMPILE_ARGS);

    public static final String NOTES =
            """
            In or below a folder with a config file of ACT (aux_data/aml/aml.yaml, the file that
            AML_CONFIG_PATH names, or aux_data/aml/X.yaml for -c X) it is ACT's submit: the file says
            where the job runs and with which code and data, -n counts the GPUs of all nodes, every
            word after 'submit' is the command, and options stand before it. With an empty
            AML_CONFIG_PATH only the file of -c X counts.\
            """;

    private ActSubmit() {}

    /** Whether a config file counts here. Looks at names alone: nothing is read yet. */
    public static boolean isMeant(Arguments arguments, Session session) {
        return ConfigFinder.file(
                        session.terminal().folder(),
                        session.terminal().environment(),
                        arguments.text(Option.CLUSTER))
                .isPresent();
    }

    /** Without a config file these have no meaning. */
    public static void refuseOptions(Arguments arguments) throws UsageException {
        for (Option option : OPTIONS) {
            if (arguments.has(option)) {
                throw new UsageException(
                        "'"
                                + option.letter()
                                + "' is for jobs with a config file of ACT, and there is none here:"
                                + " no aux_data/aml/aml.yaml");
            }
        }
    }

    public static int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        // It was there a moment ago.
        ClusterConfig config =
                Configs.find(arguments.text(Option.CLUSTER), session)
                        .orElseThrow(() -> new Failure(ExitCode.USAGE, "the config file is gone"));
        Configs.tellAbove(config, session);
        return submit(AzureCompute.placed(config, session), arguments, session);
    }

    /** Submits to this cluster; its id goes to the output, everything else beside it. */
    static int submit(ClusterConfig config, Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        ActRequest request = request(arguments, session);
        SpecBody spec = spec(config, request, arguments, session);
        StoreCheck.of(config, spec).tell(config, session);
        Answer<SubmitAnswer> answer = send(spec, config, session);
        if (arguments.has(Option.JSON)) {
            session.json(answer);
            return ExitCode.OK;
        }
        for (String id : answer.value().ids()) session.out().line(id);
        session.say(words(config, spec) + String.join(" ", request.words()));
        return ExitCode.OK;
    }

    /**
     * What the server refuses in a spec stands in the file, such as a cluster that is not there.
     */
    private static Answer<SubmitAnswer> send(SpecBody spec, ClusterConfig config, Session session)
            throws UsageException, Failure, Refused, IOException {
        try {
            return Submission.of(spec, Here.of(session)).submit(session);
        } catch (Failure e) {
            throw Targets.explained(e, config, session);
        }
    }

    /** The spec of a job on this cluster. */
    public static SpecBody spec(
            ClusterConfig config, ActRequest request, Arguments arguments, Session session)
            throws UsageException, Failure {
        try {
            Layout.of(config, request.gpus(), request.single());
        } catch (Misuse e) {
            throw new UsageException(arguments.asTyped(Option.GPUS) + e.getMessage());
        }
        try {
            return ActSpec.of(config, request, session.now());
        } catch (SignatureEnded e) {
            throw new Failure(ExitCode.REFUSED, e.getMessage());
        } catch (Misuse e) {
            throw new UsageException(e.getMessage());
        }
    }

    private static ActRequest request(Arguments arguments, Session session) throws UsageException {
        List<String> typed = arguments.operands();
        Words.refuseBroken(typed);
        List<String> words = ActRequest.words(typed);
        if (words.isEmpty()) {
            throw new UsageException("what should run? The command is missing.");
        }
        tellSurprises(typed, session);
        Integer gpus = arguments.numberOrNull(Option.GPUS, 0);
        return new ActRequest(
                words,
                gpus == null ? OptionalInt.empty() : OptionalInt.of(gpus),
                arguments.has(ActOptions.SINGLE),
                arguments.text(ActOptions.COMPILE_ARGS),
                arguments.has(ActOptions.HOLD));
    }

    public static void tellSurprises(List<String> typed, Session session) {
        String first = typed.getFirst();
        if (first.startsWith("-")) {
            session.say(
                    "'"
                            + first
                            + "' is a part of the command: options stand before 'submit' where a"
                            + " config file of ACT or Philly counts");
        }
        if (typed.size() == 1) return;
        for (String word : typed) {
            if (word.indexOf(' ') < 0) continue;
            session.say(
                    "'"
                            + word
                            + "' becomes several words: a command is split at blanks, as in ACT");
            return;
        }
    }

    private static String words(ClusterConfig config, SpecBody spec) {
        int nodes = spec.roles().getFirst().count();
        int gpus = spec.roles().getFirst().gpus() * nodes;
        String size = gpus == 0 ? "no GPU" : gpus == 1 ? "1 GPU" : gpus + " GPUs";
        String spread = nodes == 1 ? "" : " on " + nodes + " nodes";
        return "submitted with '%s' to '%s', %s%s: "
                .formatted(config.name(), spec.cluster(), size, spread);
    }
}
