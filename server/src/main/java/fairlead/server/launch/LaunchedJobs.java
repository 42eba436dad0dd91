package fairlead.server.launch;

import fairlead.control.Controller;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.server.auth.JobKeys;
import fairlead.server.auth.Token;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which job a JOB_UUID means: training jobs that have been launched and are not over, and some that
 * have just ended. Any thread.
 */
public final class LaunchedJobs {
    /** So many more than unfinished ones, and those that have ended are dropped in bulk. */
    private static final int ENDED_MAX = 1_000;

    private final JobKeys keys;
    private final Controller controller;

    /** By the hash of the UUID, so that the time of a search says nothing about any UUID. */
    private final Map<String, JobId> byHash = new ConcurrentHashMap<>();

    /** Knows those that an earlier server has launched. */
    public LaunchedJobs(JobKeys keys, Controller controller) {
        this.keys = keys;
        this.controller = controller;
        for (Job job : controller.unfinished()) {
            if (job.attempts() > 0) add(job);
        }
    }

    void add(Job job) {
        if (job.spec().training().isEmpty()) return;
        if (byHash.size() > ENDED_MAX + controller.unfinished().size()) {
            byHash.values().removeIf(id -> controller.unfinished(id).isEmpty());
        }
        byHash.put(Token.hash(keys.uuid(job.id()).toString()), job.id());
    }

    public Optional<JobId> find(String uuid) {
        return Optional.ofNullable(byHash.get(Token.hash(uuid)));
    }
}
