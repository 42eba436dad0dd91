package fairlead.engines.azureml;

import fairlead.engine.Observation;
import fairlead.engine.remote.AttemptFiles;
import fairlead.job.AttemptId;
import fairlead.job.Endpoints;
import fairlead.job.Exit;
import fairlead.job.TaskId;

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
    volatile Optional<AttemptFiles.StopOrder> stop;

    /** What Azure said last. */
    volatile JobStatus status = JobStatus.STARTING;

    /** Why it does not start, as Azure says it; empty when nothing is wrong. */
    String trouble = "";

    /** Why it waits in Azure's queue; empty when nobody has said. */
    volatile String reason = "";

    /** Whether Azure has taken our request to stop it. */
    boolean isCancelSent;

    /** Reads its logs; null before it runs. */
    Follower follower;

    /** True once it is dropped: whoever waited for the lock must look for a new one. */
    volatile boolean isGone;

    /** When somebody last wanted to see a log of it, by the clock that nobody sets. */
    volatile long readNanos;

    /** What others see. */
    volatile Observation observation;

    LiveAttempt(AttemptRecord record, AttemptFiles files) throws IOException {
        this.id = record.attempt();
        this.files = files;
        this.record = record;
        this.stop = files.stopOrder();
        this.readNanos = System.nanoTime();
        var all = new ArrayList<LiveTask>();
        for (int rank = 0; rank < record.tasks().size(); rank++) {
            TaskId task = record.tasks().get(rank).id();
            all.add(new LiveTask(rank, task, files.log(task)));
        }
        this.tasks = List.copyOf(all);
        files.exits()
                .forEach(
                        (rank, exit) -> {
                            if (rank < tasks.size()) tasks.get(rank).exit = exit;
                        });
        publish();
    }

    boolean allEnded() {
        return tasks.stream().allMatch(task -> task.exit != null);
    }

    void settle(LiveTask task, Exit exit) throws IOException {
        files.addExit(task.rank, exit);
        task.exit = exit;
    }

    /** Makes the present state what others see. Answers whether it differs. */
    boolean publish() {
        var exits = new HashMap<TaskId, Exit>();
        for (LiveTask task : tasks) {
            if (task.exit != null) exits.put(task.id, task.exit);
        }
        boolean running = record.isRunning() || allEnded();
        var words = running || trouble.isEmpty() ? Optional.<String>empty() : Optional.of(trouble);
        var endpoints = running ? new Endpoints(List.of(), record.ports()) : Endpoints.NONE;
        var now = new Observation(id, running, exits, 0, words, endpoints);
        boolean differs = !now.equals(observation);
        observation = now;
        return differs;
    }
}
