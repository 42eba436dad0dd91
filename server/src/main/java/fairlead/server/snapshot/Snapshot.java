package fairlead.server.snapshot;

import fairlead.api.json.BadBody;
import fairlead.cluster.ClusterState;
import fairlead.cluster.Foresight;
import fairlead.cluster.Guest;
import fairlead.cluster.Node;
import fairlead.cluster.NodeState;
import fairlead.cluster.OwnerQueue;
import fairlead.cluster.Rules;
import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.Profile;
import fairlead.job.SpecException;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All that a policy sees of a cluster, and which policy it was: a bug report that can be planned
 * again. It has no commands, no environment and no folders of anyone's jobs.
 *
 * @param guests what others held of the GPUs; without the names that they gave it
 * @param foreseen how long jobs were expected to run, for those of which anything was known
 * @param known of training jobs' scripts, from all jobs together
 */
public record Snapshot(
        String cluster,
        String policy,
        Instant now,
        Rules rules,
        List<Node> nodes,
        List<Guest> guests,
        List<Job> jobs,
        Map<JobId, Duration> foreseen,
        Map<JobId, Profile> known) {
    /** Grows whenever an older reader would misunderstand. */
    static final int VERSION = 2;

    public Snapshot {
        nodes = List.copyOf(nodes);
        guests = List.copyOf(guests);
        jobs = List.copyOf(jobs);
        foreseen = Map.copyOf(foreseen);
        known = Map.copyOf(known);
    }

    public static Snapshot of(String cluster, String policy, View view) {
        var jobs = new ArrayList<>(view.active());
        for (OwnerQueue queue : view.queues()) {
            jobs.addAll(queue.gpuJobs());
            jobs.addAll(queue.cpuJobs());
        }
        jobs.sort(Comparator.comparing(Job::id));
        var foreseen = new HashMap<JobId, Duration>();
        var known = new HashMap<JobId, Profile>();
        for (Job job : jobs) {
            view.foresight().runTime(job).ifPresent(time -> foreseen.put(job.id(), time));
            if (job.spec().training().isPresent()) {
                known.put(job.id(), view.foresight().profile(job));
            }
        }
        return new Snapshot(
                cluster,
                policy,
                view.now(),
                view.rules(),
                view.nodes().stream().map(NodeState::node).toList(),
                view.guests().stream().filter(guest -> guest.milliGpusHeld() > 0).toList(),
                jobs,
                foreseen,
                known);
    }

    /** What was foreseen when the snapshot was taken. */
    private record Recalled(Map<JobId, Duration> foreseen, Map<JobId, Profile> known)
            implements Foresight {
        @Override
        public Optional<Duration> runTime(Job job) {
            return Optional.ofNullable(foreseen.get(job.id()));
        }

        @Override
        public Profile profile(Job job) {
            return known.getOrDefault(job.id(), Profile.NONE);
        }
    }

    /** The same view again. */
    public View view() {
        var state = new ClusterState(new Recalled(foreseen, known));
        state.nodes(nodes);
        state.guests(guests);
        state.rules(rules);
        for (Job job : jobs) state.change(Optional.empty(), Optional.of(job));
        return state.view(now);
    }

    /** As JSON, job by job: a long queue's is far larger than the memory that it is made from. */
    public void write(OutputStream out) {
        SnapshotJson.write(this, out);
    }

    public byte[] json() {
        var out = new ByteArrayOutputStream();
        write(out);
        return out.toByteArray();
    }

    /**
     * Throws {@link SnapshotException} for a text that is no snapshot, or one of a newer version.
     */
    public static Snapshot read(String text) throws SnapshotException {
        try {
            return SnapshotJson.read(text);
        } catch (BadBody | SpecException | DateTimeException bad) {
            throw new SnapshotException("not a snapshot: " + bad.getMessage());
        } catch (IllegalArgumentException | IllegalStateException bad) {
            throw new SnapshotException("a damaged snapshot: " + bad.getMessage());
        }
    }
}
