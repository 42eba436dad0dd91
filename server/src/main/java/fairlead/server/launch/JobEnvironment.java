package fairlead.server.launch;

import fairlead.engine.EngineException;
import fairlead.job.Effect;
import fairlead.job.Job;
import fairlead.job.Progress;
import fairlead.job.Share;
import fairlead.job.Training;
import fairlead.journal.JournalException;
import fairlead.server.auth.JobKeys;
import fairlead.server.auth.Secrets;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The variables that tell a job's tasks who they are, where the server is, and how far their
 * training has come: the same for all tasks on every engine. What depends on where a task runs, the
 * engine adds itself. They hold the job's keys, so they are made for a launch and kept nowhere.
 */
public final class JobEnvironment {
    /** Steps between two heartbeats of a script, as the published library has it. */
    private static final int HEARTBEAT_STEPS = 10;

    /** Units up to this are thousandths of a GPU of unknown memory: no GPU has so few bytes. */
    private static final long THOUSANDTHS = 1_000;

    private static final long MIB = 1L << 20;

    private final JobKeys keys;
    private final Optional<Path> addressFile;
    private final Supplier<Optional<String>> pin;
    private final Secrets secrets;

    /**
     * @param pin the fingerprint of the server's certificate, where it is known by nothing else
     * @param addressFile says where the server is now; for tasks that see the server's files
     */
    public JobEnvironment(
            JobKeys keys,
            Optional<Path> addressFile,
            Supplier<Optional<String>> pin,
            Secrets secrets) {
        this.keys = keys;
        this.addressFile = addressFile;
        this.pin = pin;
        this.secrets = secrets;
    }

    /**
     * The user's variables and ours.
     *
     * @param seesFiles whether the tasks see the server's files
     */
    Map<String, String> of(Effect.Launch launch, String url, boolean seesFiles)
            throws EngineException {
        Job job = launch.job();
        var all = new LinkedHashMap<>(filled(job));
        Optional<Training> training = job.spec().training();
        if (training.isPresent()) {
            preferences(training.get()).forEach(all::putIfAbsent);
            all.putAll(progress(launch, training.get()));
        }
        all.put("FAIRLEAD_URL", url);
        all.put("FAIRLEAD_JOB_TOKEN", keys.token(job.id()));
        if (url.startsWith("https:"))
            pin.get().ifPresent(known -> all.put("FAIRLEAD_FINGERPRINT", known));
        if (seesFiles)
            addressFile.ifPresent(file -> all.put("FAIRLEAD_SERVER_FILE", file.toString()));
        return all;
    }

    private Map<String, String> filled(Job job) throws EngineException {
        try {
            return secrets.filled(job.spec().environment(), job.owner(), job.spec().project());
        } catch (Secrets.Unknown | JournalException failure) {
            throw new EngineException(failure.getMessage());
        }
    }

    /** What a user may say otherwise: the script reads it, and nobody else. */
    private static Map<String, String> preferences(Training training) {
        return Map.of(
                "BATCH_SIZE", Integer.toString(training.batchSize()),
                "TRAINING_SET_SIZE", Long.toString(training.trainingSetSize()),
                "HEARTBEAT_FREQ", Integer.toString(HEARTBEAT_STEPS),
                "PL_TORCH_DISTRIBUTED_BACKEND", "nccl");
    }

    private Map<String, String> progress(Effect.Launch launch, Training training) {
        Progress progress = launch.job().progress();
        boolean hasWork = progress.epochsDone() > 0 || progress.safe().isPresent();
        return Map.of(
                "JOB_UUID", keys.uuid(launch.job().id()).toString(),
                "JOB_RESTARTED", hasWork ? "TRUE" : "FALSE",
                "EPOCHS_DONE", Integer.toString(progress.epochsDone()),
                "EPOCHS_TO_BE_DONE", Integer.toString(training.epochs()),
                "RESERVED_MEM", Long.toString(reservedBytes(launch, training) / MIB));
    }

    private static long reservedBytes(Effect.Launch launch, Training training) {
        return launch.place().placement().tasks().getFirst().shares().stream()
                .map(Share::units)
                .filter(units -> units > THOUSANDTHS)
                .findFirst()
                .or(training::memoryBytes)
                .orElse(0L);
    }
}
