package fairlead.api.spec;

import io.avaje.jsonb.Json;

import java.util.function.Consumer;

/**
 * What an epoch-aware job declares. A null is left to the server's default.
 *
 * @param batchSize samples that one GPU takes in a step
 * @param trainingSetSize samples in one epoch
 * @param gpusMin the scheduler never gives it fewer; by default as many as it asks for
 * @param gpusMax the scheduler never gives it more; by default as many as it asks for
 * @param sharing whether it may share a GPU with other jobs; by default yes
 * @param estimatedMemory of one GPU, such as {@code 8G}
 * @param estimate of the whole run time, such as {@code 4h}; measured epochs replace it
 * @param deadline when it is needed, as an ISO 8601 time
 */
@Json
public record TrainingBody(
        Integer epochs,
        Integer batchSize,
        Long trainingSetSize,
        Integer gpusMin,
        Integer gpusMax,
        Boolean sharing,
        String estimatedMemory,
        String estimate,
        String deadline) {
    public static TrainingBody of(Consumer<Edit> change) {
        var edit = new Edit();
        change.accept(edit);
        return edit.body();
    }

    /** What a training job declares in the making, or about to change. A null is not said. */
    public static final class Edit {
        public Integer epochs;
        public Integer batchSize;
        public Long trainingSetSize;
        public Integer gpusMin;
        public Integer gpusMax;
        public Boolean sharing;
        public String estimatedMemory;
        public String estimate;
        public String deadline;

        public Edit() {}

        public Edit(TrainingBody old) {
            epochs = old.epochs;
            batchSize = old.batchSize;
            trainingSetSize = old.trainingSetSize;
            gpusMin = old.gpusMin;
            gpusMax = old.gpusMax;
            sharing = old.sharing;
            estimatedMemory = old.estimatedMemory;
            estimate = old.estimate;
            deadline = old.deadline;
        }

        public TrainingBody body() {
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
}
