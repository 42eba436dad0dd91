package fairlead.engines.azureml;

import fairlead.engine.Observation;
import fairlead.engine.remote.AttemptFiles;
import fairlead.engine.remote.RemoteAttempt;
import fairlead.job.Endpoints;
import fairlead.job.Exit;
import fairlead.job.TaskId;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/** An attempt, its record and what Azure says of its job. */
final class LiveAttempt extends RemoteAttempt {
    volatile AttemptRecord record;
    final List<LiveTask> tasks;

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

    /** When somebody last wanted to see a log of it, by the clock that nobody sets. */
    volatile long readNanos;

    /** When we last asked why it waits; null before. Only the thread that looks touches it. */
    Long reasonNanos;

    LiveAttempt(AttemptRecord record, AttemptFiles files) throws IOException {
        super(record.attempt(), files);
        this.record = record;
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

    @Override
    public boolean allEnded() {
        return tasks.stream().allMatch(task -> task.exit != null);
    }

    void settle(LiveTask task, Exit exit) throws IOException {
        files.addExit(task.rank, exit);
        task.exit = exit;
    }

    @Override
    protected Observation present() {
        var exits = new HashMap<TaskId, Exit>();
        for (LiveTask task : tasks) {
            if (task.exit != null) exits.put(task.id, task.exit);
        }
        boolean running = record.isRunning() || allEnded();
        var words = running || trouble.isEmpty() ? Optional.<String>empty() : Optional.of(trouble);
        var endpoints = running ? new Endpoints(List.of(), record.ports()) : Endpoints.NONE;
        return new Observation(id, running, exits, 0, words, endpoints);
    }
}
