package fairlead.cli.spec;

import fairlead.api.TrainingBody;

/** What a training job declares, in the making. A null is not said. */
public final class TrainingDraft {
    public Integer epochs;
    public Integer batchSize;
    public Long trainingSetSize;
    public Integer gpusMin;
    public Integer gpusMax;
    public Boolean sharing;
    public String estimatedMemory;
    public String estimate;

    /** A time, or how long from now; {@link Deadline} makes the one of the other. */
    public String deadline;

    TrainingBody body() {
        return new TrainingBody(
                epochs,
                batchSize,
                trainingSetSize,
                gpusMin,
                gpusMax,
                sharing,
                estimatedMemory,
                estimate,
                deadline);
    }
}
