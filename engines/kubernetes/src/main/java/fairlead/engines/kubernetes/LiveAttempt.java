package fairlead.engines.kubernetes;

import fairlead.engine.Observation;
import fairlead.engine.remote.AttemptFiles;
import fairlead.job.AttemptId;
import fairlead.job.Endpoints;
import fairlead.job.Exit;
import fairlead.job.TaskId;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * An attempt that was launched and not forgotten. All fields but the volatile ones are guarded by
 * the lock; calls to the API server that change it are made while it is held, so that a stop never
 * passes a launch.
 */
final class LiveAttempt {
    final ReentrantLock lock = new ReentrantLock();
    final AttemptId id;
    final AttemptFiles files;
    AttemptRecord record;
    final List<LiveTask> tasks;
    Optional<AttemptFiles.StopOrder> stop;

    /** Pods whose deletion the API server has accepted, by their uids. */
    final Set<String> deleted = new HashSet<>();

    /** The ports that its tasks know, as the first pod has them. */
    List<Integer> ports = List.of();

    /** Tells a launch under way that a stop waits for it. */
    volatile boolean isStopWanted;

    /** Whether an earlier engine has launched it. */
    volatile boolean isRecovered;

    /** True once it is dropped: whoever waited for the lock must look for a new one. */
    boolean isGone;

    /** True once tasks run that share a GPU, which a reservation must hold. */
    volatile boolean isShared;

    /** What others see; null before the first look. */
    volatile Observation observation;

    LiveAttempt(AttemptRecord record, AttemptFiles files) throws IOException {
        this.id = record.attempt();
        this.files = files;
        this.record = record;
        this.stop = files.stopOrder();
        this.tasks = record.tasks().stream().map(LiveTask::new).toList();
        files.exits()
                .forEach(
                        (rank, exit) -> {
                            if (rank >= tasks.size()) return;
                            tasks.get(rank).exit = exit;
                            tasks.get(rank).seen = exit;
                        });
    }

    String namespace() {
        return record.namespace();
    }

    void stopCopying() {
        for (LiveTask task : tasks) {
            if (task.copier != null) task.copier.stop();
        }
    }

    boolean allEnded() {
        return tasks.stream().allMatch(task -> task.exit != null);
    }

    /** Makes the present state what others see. Answers whether it differs. */
    boolean publish() {
        var exits = new HashMap<TaskId, Exit>();
        var troubles = new ArrayList<String>();
        boolean running = true;
        for (LiveTask task : tasks) {
            if (task.exit != null) exits.put(task.record.id(), task.exit);
            running &= task.isStarted || task.exit != null;
            if (task.exit == null && !task.trouble.isEmpty()) {
                String whose = tasks.size() > 1 ? task.record.id() + ": " : "";
                troubles.add(whose + task.trouble);
            }
        }
        // The first will do: tasks of a gang mostly have the same one.
        var trouble = troubles.stream().findFirst();
        var now = new Observation(id, running, exits, 0, trouble, endpoints());
        isShared = running && tasks.stream().anyMatch(task -> task.record.shared());
        boolean differs = !now.equals(observation);
        observation = now;
        return differs;
    }

    private Endpoints endpoints() {
        boolean areKnown = tasks.stream().noneMatch(task -> task.address.isEmpty());
        return new Endpoints(
                areKnown ? tasks.stream().map(task -> task.address).toList() : List.of(), ports);
    }

    void settle(int rank, Exit exit) throws IOException {
        files.addExit(rank, exit);
        tasks.get(rank).seen = exit;
        tasks.get(rank).exit = exit;
    }
}
