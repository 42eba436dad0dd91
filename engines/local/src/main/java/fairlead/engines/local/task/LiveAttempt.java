package fairlead.engines.local.task;

import fairlead.engine.Observation;
import fairlead.job.AttemptId;
import fairlead.job.Endpoints;
import fairlead.job.Exit;
import fairlead.job.TaskId;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/**
 * An attempt that is not forgotten, in memory. Its monitor guards all that is not volatile, and is
 * held over the file and process work of its attempt, so calls for one attempt follow one another.
 */
public final class LiveAttempt {
    public enum Phase {
        /** Nothing is on disk yet, so it is not observed. */
        NEW,
        LIVE,
        /** Forgotten: whoever waited for the monitor must look the attempt up again. */
        GONE
    }

    public final AttemptId id;
    public final AttemptFiles files;
    public Phase phase = Phase.NEW;
    public List<Integer> ports = List.of();
    public List<LiveTask> tasks = List.of();

    /** Whether this server has sent the signals of a stop. */
    boolean signalled;

    /**
     * Whether to send them once more, because they may have come before the commands were there.
     */
    boolean remind;

    private long admittedAtNanos;
    private long gpuMemoryBytes;

    /** On the clock of System.nanoTime; null when no stop is asked. Read without the monitor. */
    volatile Long forceAtNanos;

    Duration grace = Duration.ZERO;

    /** Null while NEW. Read by any thread without the monitor, so observing never waits. */
    public volatile Observation observation;

    LiveAttempt(AttemptId id, AttemptFiles files) {
        this.id = id;
        this.files = files;
    }

    public void admit(Manifest manifest, String engine) {
        ports = manifest.ports();
        tasks =
                manifest.tasks().stream()
                        .map(task -> new LiveTask(this, task, engine + "/" + id + "/" + task))
                        .toList();
        phase = Phase.LIVE;
        admittedAtNanos = System.nanoTime();
    }

    Duration age() {
        return Duration.ofNanos(System.nanoTime() - admittedAtNanos);
    }

    public boolean isStopping() {
        return forceAtNanos != null;
    }

    public boolean allStarted() {
        return tasks.stream().allMatch(task -> task.started || task.exit != null);
    }

    boolean allEnded() {
        return tasks.stream().allMatch(task -> task.exit != null);
    }

    /** A repeat may shorten what is left of the grace but never lengthens it. */
    void orderStop(Duration grace) {
        long forceAt = System.nanoTime() + grace.toNanos();
        if (isStopping() && forceAtNanos - forceAt <= 0) return;
        this.grace = grace;
        forceAtNanos = forceAt;
    }

    /** So much of one GPU at once; only the most so far is reported. */
    void holds(long bytes) {
        if (bytes <= gpuMemoryBytes) return;
        gpuMemoryBytes = bytes;
        publish();
    }

    public void publish() {
        var exits = new HashMap<TaskId, Exit>();
        for (LiveTask task : tasks) {
            if (task.exit != null) exits.put(task.id, task.exit);
        }
        observation =
                new Observation(
                        id,
                        allStarted(),
                        exits,
                        gpuMemoryBytes,
                        Optional.empty(),
                        new Endpoints(List.of(), ports));
    }
}
