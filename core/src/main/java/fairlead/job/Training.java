package fairlead.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What the owner of an epoch-aware job has declared: how much there is to learn, and on how many
 * GPUs it may be learned. The scheduler chooses the number and may change it between epochs.
 *
 * @param batchSize samples that one GPU takes in a step
 * @param trainingSetSize samples in one epoch
 * @param gpus how many it would like to start with
 * @param sharing whether it may share a GPU with other jobs
 * @param memoryBytes of one GPU, as its owner estimates
 * @param estimate of the whole run time; measured epochs replace it
 * @param deadline when its owner needs it
 */
public record Training(
        int epochs,
        int batchSize,
        long trainingSetSize,
        int gpus,
        int gpusMin,
        int gpusMax,
        boolean sharing,
        Optional<Long> memoryBytes,
        Optional<Duration> estimate,
        Optional<Instant> deadline) {
    private static final int EPOCHS_MAX = 1_000_000;

    public Training {
        SpecException.unless(
                epochs >= 1 && epochs <= EPOCHS_MAX,
                "epochs",
                "must be 1 to " + EPOCHS_MAX + ", but is " + epochs);
        SpecException.unless(
                batchSize >= 1, "batchSize", "must be at least 1, but is " + batchSize);
        SpecException.unless(
                trainingSetSize >= batchSize,
                "trainingSetSize",
                "must be at least one batch of " + batchSize + ", but is " + trainingSetSize);
        SpecException.unless(
                gpusMin >= 0 && gpusMin <= gpus,
                "gpusMin",
                "must be 0 to the " + gpus + " GPUs that the job asks for, but is " + gpusMin);
        SpecException.unless(
                gpusMax >= gpus,
                "gpusMax",
                "must be at least the " + gpus + " GPUs that the job asks for, but is " + gpusMax);
        memoryBytes.ifPresent(
                bytes ->
                        SpecException.unless(
                                bytes >= 0, "estimatedMemory", "must not be negative"));
        estimate.ifPresent(
                time ->
                        SpecException.unless(
                                time.isPositive(), "estimate", "must be more than no time"));
    }

    /** The same for so many GPUs, which the scheduler may then give. */
    public Training asking(int other) {
        return new Training(
                epochs,
                batchSize,
                trainingSetSize,
                other,
                Math.min(gpusMin, other),
                Math.max(gpusMax, other),
                sharing,
                memoryBytes,
                estimate,
                deadline);
    }

    public boolean allows(int wanted) {
        return wanted >= gpusMin && wanted <= gpusMax;
    }

    /** In one epoch, on so many GPUs. */
    public long steps(int gpusInAll) {
        return Math.max(1, trainingSetSize / ((long) batchSize * Math.max(1, gpusInAll)));
    }
}
