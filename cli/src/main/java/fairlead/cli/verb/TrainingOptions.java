package fairlead.cli.verb;

import fairlead.api.spec.TrainingBody;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Option;
import fairlead.cli.spec.Deadline;
import fairlead.cli.spec.Draft;
import fairlead.cli.terminal.UsageException;

import java.time.Instant;
import java.util.List;

/**
 * The options that declare a training job, so that the scheduler can choose and change its GPUs.
 */
final class TrainingOptions {
    private static final Option EPOCHS =
            Option.valued("--epochs", null, "N", "a training job, and how many epochs it has");
    private static final Option BATCH_SIZE =
            Option.valued("--batch-size", null, "N", "samples that one GPU takes in a step");
    private static final Option TRAINING_SET_SIZE =
            Option.valued("--training-set-size", null, "N", "samples in one epoch");
    private static final Option GPUS_MIN =
            Option.valued("--gpus-min", null, "N", "never fewer GPUs; by default those asked for");
    private static final Option GPUS_MAX =
            Option.valued("--gpus-max", null, "N", "never more GPUs; by default those asked for");
    private static final Option NO_SHARING =
            Option.flag("--no-sharing", null, "never share a GPU with another job");
    private static final Option ESTIMATED_MEMORY =
            Option.valued("--estimated-memory", null, "SIZE", "of one GPU, until measured: 8G");
    private static final Option ESTIMATE =
            Option.valued("--estimate", null, "T", "the whole run time, until measured: 4h");
    private static final Option DEADLINE =
            Option.valued("--deadline", null, "TIME", "when it is needed: 8h, or 2026-11-15T18:00");

    static final List<Option> ALL =
            List.of(
                    EPOCHS,
                    BATCH_SIZE,
                    TRAINING_SET_SIZE,
                    GPUS_MIN,
                    GPUS_MAX,
                    NO_SHARING,
                    ESTIMATED_MEMORY,
                    ESTIMATE,
                    DEADLINE);

    private final Draft draft;
    private final Arguments arguments;

    private TrainingOptions(Draft draft, Arguments arguments) {
        this.draft = draft;
        this.arguments = arguments;
    }

    static void complete(Draft draft, Arguments arguments, Instant now) throws UsageException {
        new TrainingOptions(draft, arguments).complete(now);
    }

    private void complete(Instant now) throws UsageException {
        Option first = null;
        for (Option option : ALL) {
            if (first == null && arguments.has(option)) first = option;
        }
        TrainingBody said = draft.spec.training;
        if (first == null && said == null) return;
        var training = said == null ? new TrainingBody.Edit() : new TrainingBody.Edit(said);
        if (said(EPOCHS, "epochs")) training.epochs = arguments.numberOrNull(EPOCHS, 1);
        if (said(BATCH_SIZE, "batchSize")) {
            training.batchSize = arguments.numberOrNull(BATCH_SIZE, 1);
        }
        if (said(TRAINING_SET_SIZE, "trainingSetSize")) {
            training.trainingSetSize = arguments.longOrNull(TRAINING_SET_SIZE, 1);
        }
        if (said(GPUS_MIN, "gpusMin")) training.gpusMin = arguments.numberOrNull(GPUS_MIN, 0);
        if (said(GPUS_MAX, "gpusMax")) training.gpusMax = arguments.numberOrNull(GPUS_MAX, 0);
        if (said(NO_SHARING, "sharing")) training.sharing = false;
        if (said(ESTIMATED_MEMORY, "estimatedMemory")) {
            training.estimatedMemory = arguments.text(ESTIMATED_MEMORY).orElseThrow();
        }
        if (said(ESTIMATE, "estimate")) {
            training.estimate = arguments.text(ESTIMATE).orElseThrow();
        }
        deadline(training, now);
        if (first != null && training.epochs == null) {
            throw new UsageException(
                    first.name() + " is for a training job: say --epochs N as well");
        }
        checkSizes(training);
        if (first != null && arguments.has(SpecOptions.INTERACTIVE))
            throw new UsageException(
                    first.name()
                            + " and --interactive exclude each other: a job that trains is"
                            + " no session");
        draft.spec.training = training.body();
    }

    /** In the words of the command line; the rest the server knows. */
    private void checkSizes(TrainingBody.Edit training) throws UsageException {
        boolean hasMin = arguments.has(GPUS_MIN);
        boolean hasMax = arguments.has(GPUS_MAX);
        if (hasMin && hasMax && training.gpusMin > training.gpusMax)
            throw new UsageException(
                    "--gpus-min "
                            + training.gpusMin
                            + " is more than --gpus-max "
                            + training.gpusMax);
        Integer said = arguments.numberOrNull(Option.GPUS, 0);
        boolean isOfFile = draft.spec.gpus != null || draft.spec.roles != null;
        if (said == null && isOfFile) return;
        int gpus = said == null ? 1 : said;
        String asked =
                said == null
                        ? "the 1 GPU that a job asks for without --gpus N"
                        : arguments.typed(Option.GPUS) + " " + said;
        if (hasMin && training.gpusMin > gpus)
            throw new UsageException("--gpus-min " + training.gpusMin + " is more than " + asked);
        if (hasMax && training.gpusMax < gpus)
            throw new UsageException("--gpus-max " + training.gpusMax + " is less than " + asked);
    }

    private boolean said(Option option, String field) {
        boolean said = arguments.has(option);
        if (said) draft.overridden("training." + field);
        return said;
    }

    private void deadline(TrainingBody.Edit training, Instant now) throws UsageException {
        boolean said = said(DEADLINE, "deadline");
        if (said) training.deadline = arguments.text(DEADLINE).orElseThrow();
        if (training.deadline == null) return;
        String what =
                said
                        ? "--deadline "
                        : draft.lines().prefix("training.deadline") + "training.deadline: ";
        Instant deadline;
        try {
            deadline = Deadline.of(training.deadline, now);
        } catch (UsageException e) {
            throw new UsageException(what + e.getMessage());
        }
        // In a file it may have been written long ago, as in one that 'spec' has printed.
        if (said && !deadline.isAfter(now)) {
            throw new UsageException(what + "has passed: '" + training.deadline + "'");
        }
        training.deadline = deadline.toString();
    }
}
