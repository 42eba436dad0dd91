package fairlead.engines.yarn;

import fairlead.engine.Observation;
import fairlead.engine.remote.AttemptFiles;
import fairlead.engine.remote.RemoteAttempt;
import fairlead.job.Endpoints;
import fairlead.job.Exit;
import fairlead.job.TaskId;

import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/** An attempt, its record and what YARN says of its application. */
final class LiveAttempt extends RemoteAttempt {
    volatile AttemptRecord record;
    final List<LiveTask> tasks;

    /** What the resource manager said last; null before. */
    volatile ApplicationReport report;

    /** Why it does not start, as the engine knows it; empty when nothing is wrong. */
    String trouble = "";

    /** Whether the master knows that nothing more will be asked. */
    boolean isMasterFree;

    LiveAttempt(AttemptRecord record, AttemptFiles files) throws IOException {
        super(record.attempt(), files);
        this.record = record;
        var all = new ArrayList<LiveTask>();
        for (int rank = 0; rank < record.tasks().size(); rank++) {
            all.add(new LiveTask(rank, record.tasks().get(rank)));
            all.getLast().isStarted = record.isRunning();
        }
        this.tasks = List.copyOf(all);
        files.exits()
                .forEach(
                        (rank, exit) -> {
                            if (rank < tasks.size()) tasks.get(rank).exit = exit;
                        });
    }

    ApplicationId application() {
        return ApplicationId.fromString(record.application());
    }

    @Override
    public boolean allEnded() {
        return tasks.stream().allMatch(task -> task.exit != null);
    }

    void stopFollowing() {
        for (LiveTask task : tasks) {
            if (task.follower != null) task.follower.stop();
        }
    }

    void settle(LiveTask task, Exit exit) throws IOException {
        files.addExit(task.rank, exit);
        task.exit = exit;
    }

    @Override
    protected Observation present() {
        var exits = new HashMap<TaskId, Exit>();
        boolean running = true;
        for (LiveTask task : tasks) {
            if (task.exit != null) exits.put(task.record.id(), task.exit);
            running &= task.isStarted || task.exit != null;
        }
        var words = running || trouble.isEmpty() ? Optional.<String>empty() : Optional.of(trouble);
        var hosts = tasks.stream().map(task -> Nodes.host(task.record.node())).toList();
        var endpoints = running ? new Endpoints(hosts, record.ports()) : Endpoints.NONE;
        return new Observation(id, running, exits, 0, words, endpoints);
    }
}
