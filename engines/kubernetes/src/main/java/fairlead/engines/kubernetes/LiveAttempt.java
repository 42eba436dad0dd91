package fairlead.engines.kubernetes;

import fairlead.engine.Observation;
import fairlead.engine.remote.AttemptFiles;
import fairlead.engine.remote.RemoteAttempt;
import fairlead.job.Endpoints;
import fairlead.job.Exit;
import fairlead.job.TaskId;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** An attempt, its record and its pods. */
final class LiveAttempt extends RemoteAttempt {
    AttemptRecord record;
    final List<LiveTask> tasks;

    /** Pods whose deletion the API server has accepted, by their uids. */
    final Set<String> deleted = new HashSet<>();

    /** The ports that its tasks know, as the first pod has them. */
    List<Integer> ports = List.of();

    /** Whether an earlier engine has launched it. */
    volatile boolean isRecovered;

    /** True once tasks run that share a GPU, which a reservation must hold. */
    volatile boolean isShared;

    LiveAttempt(AttemptRecord record, AttemptFiles files) throws IOException {
        super(record.attempt(), files);
        this.record = record;
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

    @Override
    public boolean allEnded() {
        return tasks.stream().allMatch(task -> task.exit != null);
    }

    @Override
    protected Observation present() {
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
        isShared = running && tasks.stream().anyMatch(task -> task.record.shared());
        return new Observation(id, running, exits, 0, trouble, endpoints());
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
