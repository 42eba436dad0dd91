package fairlead.dialects.dlscheduler;

import fairlead.api.spec.SpecBody;
import fairlead.api.spec.TrainingBody;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/**
 * {@code run-scheduler [options] job_name}: a training script in a container, on as many GPUs as
 * the scheduler finds good. The container runs {@code python SCRIPT_PATH}.
 */
public final class RunCommand {
    static final Choice IMAGE_NAME =
            new Choice("--image_name", "IMAGE_NAME", "the container image to run in");
    static final Choice SCRIPT_PATH =
            new Choice("--script_path", "SCRIPT_PATH", "the script's path inside the container");
    static final Choice CUSTOM_DIR =
            new Choice("--custom_dir", "CUSTOM_DIR", "a folder to be mounted at /custom");
    static final Choice SNAPSHOTS_DIR =
            new Choice("--snapshots_dir", "SNAPSHOTS_DIR", "a folder to be mounted at /snapshots");
    static final Choice BATCH_SIZE =
            new Choice("--batch_size", "BATCH_SIZE", "samples that one GPU takes in a step");
    static final Choice TRAINING_SET_SIZE =
            new Choice("--training_set_size", "TRAINING_SET_SIZE", "samples in one epoch");
    static final Choice MAX_EPOCHS =
            new Choice("--max_epochs", "MAX_EPOCHS", "how many epochs the job has at most");
    static final Choice IS_SINGLE_GPU =
            new Choice("--is_single_gpu", "IS_SINGLE_GPU", "true: never more than one GPU");
    static final Choice DISABLE_GPU_SHARING =
            new Choice(
                    "--disable_gpu_sharing", "DISABLE_GPU_SHARING", "true: always alone on a GPU");
    static final Choice ESTIMATED_MEMORY =
            new Choice(
                    "--estimated_memory",
                    "ESTIMATED_MEMORY",
                    "GPU memory in MiB; better too much than too little");
    static final Choice PORT_MAPPING =
            new Choice("--port_mapping", "PORT_MAPPING", "node:container,node:container,...");
    static final Choice EST_NHOURS =
            new Choice("--est_nhours", "EST_NHOURS", "hours that it will take, more than 1");

    /** In the order of the command's own help. */
    public static final List<Choice> OPTIONS =
            List.of(
                    IMAGE_NAME,
                    SCRIPT_PATH,
                    CUSTOM_DIR,
                    SNAPSHOTS_DIR,
                    BATCH_SIZE,
                    TRAINING_SET_SIZE,
                    MAX_EPOCHS,
                    IS_SINGLE_GPU,
                    DISABLE_GPU_SHARING,
                    ESTIMATED_MEMORY,
                    PORT_MAPPING,
                    EST_NHOURS);

    /** As many as a spec can ask for: the scheduler alone decides. */
    static final int GPUS_UNLIMITED = 4_096;

    private static final int EPOCHS_MAX = 1_000_000;

    /** A pebibyte; keeps the number of bytes within a long. */
    static final long MEBIBYTES_MAX = 1L << 30;

    /** Ten years. */
    private static final BigDecimal HOURS_MAX = BigDecimal.valueOf(87_600);

    private static final BigDecimal SECONDS_PER_HOUR = BigDecimal.valueOf(3_600);

    private RunCommand() {}

    /**
     * The job that is asked for.
     *
     * @param said the values by the names of their options
     * @param jobName null where there is none
     */
    public static SpecBody spec(Map<String, String> said, String jobName, Surroundings here)
            throws Misuse {
        var values = new Values(said);
        String image = values.text(IMAGE_NAME);
        TrainingBody training = training(values);
        String ports = values.text(PORT_MAPPING);
        List<String> mapping = ports == null ? null : Ports.read(PORT_MAPPING.name(), ports);
        var folders = new Folders(here);
        folders.add(CUSTOM_DIR, values.text(CUSTOM_DIR), Folders.CUSTOM);
        folders.add(SNAPSHOTS_DIR, values.text(SNAPSHOTS_DIR), Folders.SNAPSHOTS);
        folders.addDatasets();
        // After the values: an option whose value was forgotten has taken the next word for it.
        if (jobName == null || jobName.isBlank()) {
            throw new Misuse("job_name is missing: how is the experiment called?");
        }
        String script = values.needed(SCRIPT_PATH);
        values.needed(MAX_EPOCHS);
        folders.checkScript(SCRIPT_PATH, script, image != null);
        var spec = new SpecBody.Edit();
        spec.name = JobName.legal(jobName);
        spec.command = List.of("python", script);
        spec.gpus = 1;
        spec.image = image;
        spec.mounts = folders.mounts();
        spec.ports = mapping;
        spec.training = training;
        return spec.body();
    }

    private static TrainingBody training(Values values) throws Misuse {
        Long epochs = values.whole(MAX_EPOCHS, 1, EPOCHS_MAX);
        Long batch = values.whole(BATCH_SIZE, 1, Integer.MAX_VALUE);
        Long set = values.whole(TRAINING_SET_SIZE, 1, Long.MAX_VALUE);
        if (batch != null && set != null && set < batch) {
            throw new Misuse(
                    TRAINING_SET_SIZE.name()
                            + " must be at least one batch of "
                            + batch
                            + ", but is "
                            + set);
        }
        Long memory;
        try {
            memory = values.whole(ESTIMATED_MEMORY, 1, MEBIBYTES_MAX);
        } catch (Misuse e) {
            throw new Misuse(e.getMessage() + "; it is in MiB, such as 8192 for 8 GiB");
        }
        var training = new TrainingBody.Edit();
        training.epochs = epochs == null ? null : Integer.valueOf(epochs.intValue());
        training.batchSize = batch == null ? null : Integer.valueOf(batch.intValue());
        training.trainingSetSize = set;
        training.gpusMin = 1;
        training.gpusMax = values.flag(IS_SINGLE_GPU) ? 1 : GPUS_UNLIMITED;
        training.sharing = !values.flag(DISABLE_GPU_SHARING);
        training.estimatedMemory = memory == null ? null : memory + "M";
        training.estimate = estimate(values.text(EST_NHOURS));
        return training.body();
    }

    private static String estimate(String hours) throws Misuse {
        if (hours == null) return null;
        if (hours.strip().matches("\\d{1,6}(\\.\\d{1,6})?")) {
            var number = new BigDecimal(hours.strip());
            if (number.compareTo(BigDecimal.ONE) > 0 && number.compareTo(HOURS_MAX) <= 0) {
                return number.multiply(SECONDS_PER_HOUR).longValue() + "s";
            }
        }
        throw new Misuse(
                EST_NHOURS.name()
                        + " must be a number of hours above 1 and at most "
                        + HOURS_MAX
                        + ", but is '"
                        + hours
                        + "'");
    }
}
