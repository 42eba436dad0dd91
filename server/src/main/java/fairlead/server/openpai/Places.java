package fairlead.server.openpai;

import fairlead.job.AttemptId;
import fairlead.job.Job;
import fairlead.job.JobState;
import fairlead.job.TaskId;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where the tasks of attempts were launched: their addresses and the ports that the engine has
 * found for them. Kept in memory for the attempts of late, so a server that was restarted does not
 * know those of before. Any thread.
 */
public final class Places {
    /** Above the tasks that run at once; an entry takes a few hundred bytes. */
    private static final int TASKS_MAX = 100_000;

    /** One task's. Ports are by label. */
    record Place(String ip, Map<String, List<Integer>> ports) {
        Place {
            ports = Collections.unmodifiableMap(new LinkedHashMap<>(ports));
        }
    }

    private record Key(AttemptId attempt, TaskId task) {}

    private final Map<Key, Place> places =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Key, Place> eldest) {
                    return size() > TASKS_MAX;
                }
            };

    /** A task is about to start there. */
    public synchronized void put(
            AttemptId attempt, TaskId task, String ip, Map<String, List<Integer>> ports) {
        places.put(new Key(attempt, task), new Place(ip, ports));
    }

    /** That of the current or the last attempt. */
    synchronized Optional<Place> find(Job job, TaskId task) {
        Optional<AttemptId> attempt =
                switch (job.state()) {
                    case JobState.Queued _ -> Optional.empty();
                    case JobState.Active active -> Optional.of(active.attempt().id());
                    case JobState.Finished over -> over.last().map(last -> last.id());
                };
        return attempt.map(id -> places.get(new Key(id, task)));
    }

    /** Names one run of a task, in the logs and in the interface alike. */
    static String containerId(AttemptId attempt, TaskId task) {
        return "container_%s_%02d_%s_%06d"
                .formatted(attempt.job().text(), attempt.number(), task.role(), task.index());
    }
}
