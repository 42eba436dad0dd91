package fairlead.engines.yarn;

import fairlead.engine.Observation;
import fairlead.engine.remote.AttemptFiles;
import fairlead.job.AttemptId;
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
import java.util.concurrent.locks.ReentrantLock;

/**
 * An attempt that was launched and not forgotten. All fields but the volatile ones are guarded by
 * the lock, under which it is submitted too, so that a stop never passes a launch.
 */
final class LiveAttempt {
    final ReentrantLock lock = new ReentrantLock();
    final AttemptId id;
    final AttemptFiles files;
    volatile AttemptRecord record;
    final List<LiveTask> tasks;
    Optional<AttemptFiles.StopOrder> stop;

    /** What the resource manager said last; null before. */
    volatile ApplicationReport report;

    /** Why it does not start, as the engine knows it; empty when nothing is wrong. */
    String trouble = "";

    /** Whether the master knows that nothing more will be asked. */
    boolean isMasterFree;

    /** True once it is dropped: whoever waited for the lock must look for a new one. */
    volatile boolean isGone;

    /** What others see; null before the first look. */
    volatile Observation observation;

    LiveAttempt(AttemptRecord record, AttemptFiles files) throws IOException {
        this.id = record.attempt();
        this.files = files;
        this.record = record;
        this.stop = files.stopOrder();
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

    boolean allEnded() {
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

    /** Makes the present state what others see. Answers whether it differs. */
    boolean publish() {
        var exits = new HashMap<TaskId, Exit>();
        boolean running = true;
        for (LiveTask task : tasks) {
            if (task.exit != null) exits.put(task.record.id(), task.exit);
            running &= task.isStarted || task.exit != null;
        }
        var words = running || trouble.isEmpty() ? Optional.<String>empty() : Optional.of(trouble);
        var hosts = tasks.stream().map(task -> Nodes.host(task.record.node())).toList();
        var endpoints = running ? new Endpoints(hosts, record.ports()) : Endpoints.NONE;
        var now = new Observation(id, running, exits, 0, words, endpoints);
        boolean differs = !now.equals(observation);
        observation = now;
        return differs;
    }
}
