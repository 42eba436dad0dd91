package fairlead.cluster;

import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.JobState;
import fairlead.job.Setup;
import fairlead.job.Share;
import fairlead.job.TaskPlacement;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Who waits and who holds what on one cluster, kept up to date job by job. Not thread-safe: the one
 * writer of job state owns it. A view costs as much as there are nodes, owners and active jobs,
 * plus the queues that changed since the last one; it does not grow with the queues that did not.
 */
public final class ClusterState {
    private final Map<String, NodeState> nodes = new TreeMap<>();
    private final Map<String, Queue> queues = new TreeMap<>();
    private final Map<JobId, Job> active = new TreeMap<>();

    /** By GPU; as many as there are GPUs. */
    private final Map<String, Instant> givenUp = new HashMap<>();

    private List<Guest> guests = List.of();
    private final Map<String, Long> milliGpusOfGuests = new HashMap<>();
    private Foresight foresight;
    private Rules rules = Rules.NONE;
    private long version;

    public ClusterState() {
        this(Foresight.BY_TIME_LIMIT);
    }

    public ClusterState(Foresight foresight) {
        this.foresight = foresight;
    }

    /** As a view shows it, to be changed apart from where the view came from. */
    public static ClusterState of(View view) {
        var state = new ClusterState(view.foresight());
        state.rules = view.rules();
        state.nodes(view.nodes().stream().map(NodeState::node).toList());
        state.guests(view.guests());
        for (Job job : view.active()) state.add(job);
        for (OwnerQueue queue : view.queues()) {
            queue.gpuJobs().forEach(state::add);
            queue.cpuJobs().forEach(state::add);
            state.queues.get(queue.owner()).ended(queue.gpuJobEnded());
        }
        return state;
    }

    /** Grows with every change that a new plan could answer. */
    public long version() {
        return version;
    }

    /** Says that time alone has changed something. */
    public void touch() {
        version++;
    }

    /** Learns from a job that has ended. */
    public void learn(Job finished) {
        foresight = foresight.after(finished);
    }

    /** Learns what a job had measured before. */
    public void recall(Job job) {
        foresight = foresight.recalling(job);
    }

    /** Learns from an epoch of a job. */
    public void learn(Job job, Event.EpochEnded ended) {
        foresight = foresight.after(job, ended);
    }

    public Rules rules() {
        return rules;
    }

    public void rules(Rules changed) {
        if (changed.equals(rules)) return;
        version++;
        rules = changed;
    }

    /** Takes the nodes as the engine reports them. Tasks on nodes that are gone hold nothing. */
    public void nodes(List<Node> told) {
        if (told.equals(nodes())) return;
        version++;
        nodes.clear();
        givenUp.clear();
        for (Node node : told) nodes.put(node.name(), NodeState.empty(node));
        for (Job job : active.values()) hold(job, (JobState.Active) job.state());
    }

    /**
     * Takes what others have started, as the engine reports it: it counts in their owners' ranks.
     */
    public void guests(List<Guest> told) {
        var sorted = new ArrayList<>(told);
        sorted.sort(Comparator.comparing(Guest::namespace).thenComparing(Guest::name));
        if (sorted.equals(guests)) return;
        version++;
        guests = List.copyOf(sorted);
        milliGpusOfGuests.clear();
        for (Guest guest : guests)
            milliGpusOfGuests.merge(guest.owner(), guest.milliGpusHeld(), Long::sum);
        queues.values().forEach(queue -> queue.snapshot = null);
    }

    /** Forgets every job, but neither the nodes nor the guests. */
    public void clearJobs() {
        version++;
        active.clear();
        queues.clear();
        nodes.replaceAll((_, state) -> NodeState.empty(state.node()));
    }

    public List<Node> nodes() {
        return nodes.values().stream().map(NodeState::node).toList();
    }

    /** The jobs that hold resources, by id. */
    public List<Job> active() {
        return List.copyOf(active.values());
    }

    /** Moves a job from where it stood to where it stands; either may be absent. */
    public void change(Optional<Job> before, Optional<Job> after) {
        version++;
        before.ifPresent(this::remove);
        after.ifPresent(this::add);
        before.ifPresent(job -> settle(job, after));
        before.ifPresent(job -> remember(job, after));
    }

    /** When a part of a GPU was given up: whoever shares the GPU has been faster since. */
    private void remember(Job before, Optional<Job> after) {
        if (!(before.state() instanceof JobState.Active active) || after.isEmpty()) return;
        Optional<Instant> left =
                switch (after.get().state()) {
                    case JobState.Queued queued -> Optional.of(queued.since());
                    case JobState.Finished over -> Optional.of(over.at());
                    case JobState.Active _ -> Optional.empty();
                };
        if (left.isEmpty()) return;
        for (TaskPlacement task : active.attempt().placement().tasks()) {
            for (Share share : task.shares()) {
                if (!share.isWhole()) givenUp.put(key(task, share), left.get());
            }
        }
    }

    private static String key(TaskPlacement task, Share share) {
        return task.node() + "/" + share.gpu();
    }

    /** Only now, because a job that comes back must not cost its owner's queue what it knows. */
    private void settle(Job before, Optional<Job> after) {
        Queue queue = queue(before);
        boolean hadGpus = before.state() instanceof JobState.Active && before.spec().gpus() > 0;
        if (hadGpus && after.isPresent() && after.get().state() instanceof JobState.Finished over) {
            queue.ended(over.at());
        }
        if (queue.isIdle()) queues.remove(before.owner());
    }

    /** The scripts of the jobs that use the same GPU as this one, in order; empty when alone. */
    public String beside(Job job) {
        if (!(job.state() instanceof JobState.Active own)) return Setup.ALONE;
        Set<String> scripts = new TreeSet<>();
        for (TaskPlacement task : own.attempt().placement().tasks()) {
            if (task.shares().stream().allMatch(Share::isWhole)) continue;
            for (Job other : active.values()) {
                if (!other.id().equals(job.id()) && isOnSameGpu(task, other)) {
                    scripts.add(other.script());
                }
            }
        }
        return String.join(" + ", scripts);
    }

    /**
     * Whether somebody has come to the job's GPUs or gone from them since then. Who went before a
     * restart is forgotten.
     */
    public boolean hasOtherNeighboursSince(Job job, Instant then) {
        if (!(job.state() instanceof JobState.Active own)) return false;
        for (TaskPlacement task : own.attempt().placement().tasks()) {
            for (Share share : task.shares()) {
                if (share.isWhole()) continue;
                Instant gone = givenUp.getOrDefault(key(task, share), Instant.EPOCH);
                if (gone.isAfter(then)) return true;
            }
            for (Job other : active.values()) {
                if (!other.id().equals(job.id())
                        && isOnSameGpu(task, other)
                        && cameAt(other).isAfter(then)) return true;
            }
        }
        return false;
    }

    private static Instant cameAt(Job job) {
        Instant since = ((JobState.Active) job.state()).since();
        return job.state() instanceof JobState.Stopping ? job.started().orElse(since) : since;
    }

    private static boolean isOnSameGpu(TaskPlacement task, Job other) {
        for (TaskPlacement its : ((JobState.Active) other.state()).attempt().placement().tasks()) {
            if (its.node().equals(task.node())
                    && its.gpus().stream().anyMatch(task.gpus()::contains)) return true;
        }
        return false;
    }

    public View view(Instant now) {
        var waiting = new ArrayList<OwnerQueue>();
        queues.forEach(
                (owner, queue) -> {
                    if (!queue.gpuJobs.isEmpty() || !queue.cpuJobs.isEmpty())
                        waiting.add(
                                queue.snapshot(owner, milliGpusOfGuests.getOrDefault(owner, 0L)));
                });
        return new View(
                now,
                List.copyOf(nodes.values()),
                Collections.unmodifiableList(waiting),
                active(),
                foresight,
                rules,
                guests);
    }

    private void add(Job job) {
        switch (job.state()) {
            case JobState.Queued queued -> {
                if (!queued.isHeld()) queue(job).add(job);
            }
            case JobState.Active state -> {
                active.put(job.id(), job);
                queue(job).hold(job.spec(), 1);
                hold(job, state);
            }
            case JobState.Finished _ -> {}
        }
    }

    private void remove(Job job) {
        switch (job.state()) {
            case JobState.Queued queued -> {
                if (!queued.isHeld()) queue(job).remove(job);
            }
            case JobState.Active state -> {
                active.remove(job.id());
                queue(job).hold(job.spec(), -1);
                release(job, state);
            }
            case JobState.Finished _ -> {}
        }
    }

    private Queue queue(Job job) {
        return queues.computeIfAbsent(job.owner(), _ -> new Queue());
    }

    private void hold(Job job, JobState.Active state) {
        for (TaskPlacement task : state.attempt().placement().tasks()) {
            var ask = job.spec().role(task.task().role()).resources();
            nodes.computeIfPresent(task.node(), (_, node) -> node.hold(ask, task.shares()));
        }
    }

    private void release(Job job, JobState.Active state) {
        for (TaskPlacement task : state.attempt().placement().tasks()) {
            var ask = job.spec().role(task.task().role()).resources();
            nodes.computeIfPresent(task.node(), (_, node) -> node.release(ask, task.shares()));
        }
    }

    /** One owner's waiting jobs, with the last snapshot kept while nothing changes. */
    private static final class Queue {
        private final List<Job> gpuJobs = new ArrayList<>();
        private final List<Job> cpuJobs = new ArrayList<>();
        private long milliGpusHeld;
        private int gpuJobsHeld;
        private int cpuJobsHeld;
        private Instant gpuJobEnded = Instant.EPOCH;
        private OwnerQueue snapshot;

        void add(Job job) {
            List<Job> list = listOf(job);
            int at = Collections.binarySearch(list, job, OwnerQueue.OWN_ORDER);
            if (at >= 0) throw new IllegalStateException(job.id() + " waits twice");
            list.add(-at - 1, job);
            snapshot = null;
        }

        void remove(Job job) {
            List<Job> list = listOf(job);
            int at = Collections.binarySearch(list, job, OwnerQueue.OWN_ORDER);
            if (at < 0) throw new IllegalStateException(job.id() + " does not wait");
            list.remove(at);
            snapshot = null;
        }

        void hold(JobSpec spec, int sign) {
            if (spec.gpus() > 0) gpuJobsHeld += sign;
            else cpuJobsHeld += sign;
            milliGpusHeld += sign * spec.milliGpus();
            snapshot = null;
        }

        void ended(Instant at) {
            gpuJobEnded = at;
            snapshot = null;
        }

        boolean isIdle() {
            return gpuJobs.isEmpty() && cpuJobs.isEmpty() && gpuJobsHeld == 0 && cpuJobsHeld == 0;
        }

        OwnerQueue snapshot(String owner, long milliGpusOfGuests) {
            if (snapshot == null) {
                snapshot =
                        new OwnerQueue(
                                owner,
                                milliGpusHeld + milliGpusOfGuests,
                                cpuJobsHeld,
                                List.copyOf(gpuJobs),
                                List.copyOf(cpuJobs),
                                gpuJobEnded);
            }
            return snapshot;
        }

        private List<Job> listOf(Job job) {
            return job.spec().gpus() > 0 ? gpuJobs : cpuJobs;
        }
    }
}
