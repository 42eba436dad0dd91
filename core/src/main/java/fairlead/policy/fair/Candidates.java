package fairlead.policy.fair;

import fairlead.cluster.Guest;
import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.job.JobState;
import fairlead.job.Placement;
import fairlead.job.Setup;
import fairlead.job.TaskPlacement;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The jobs of a view that may be stopped, in the order in which they should be: whoever stands at
 * the highest number of GPUs gives first. Of one owner's jobs those stand highest that the owner
 * would give up first: the lowest priority, then the least work to lose.
 *
 * <p>One that still runs undisturbed is among them, as its owner would not want another to go in
 * its place: who needs it waits until it may be asked.
 */
public final class Candidates {
    private final List<Candidate> all = new ArrayList<>();
    private List<Candidate> bySize;
    private final Map<String, List<Candidate>> byProject = new HashMap<>();
    private SortedMap<String, Site> sites;
    private final Map<String, Collection<Site>> sitesByProject = new HashMap<>();
    private final List<String> owners = new ArrayList<>();
    private final List<String> projects = new ArrayList<>();
    private Instant next = Instant.MAX;

    /**
     * Who may be stopped.
     *
     * @param index its place among all candidates
     * @param owner its owner's place among the owners of candidates
     * @param project the same of its project
     * @param rank how many thousandths of GPUs its owner keeps rather than this job
     * @param lost GPU-milliseconds that a stop throws away, or that the wait for a checkpoint takes
     * @param isDisturbable whether it may be stopped now, and not only later
     */
    record Candidate(
            int index,
            Job job,
            int owner,
            int project,
            long milliGpus,
            long rank,
            long lost,
            boolean isDisturbable) {}

    /** What somebody holds; a candidate if it may be stopped, now or later. */
    private record Held(Job job, long lost, boolean isCandidate, boolean isDisturbable) {
        /** What an owner keeps comes first. */
        private static final Comparator<Held> AS_OWNERS_KEEP =
                (one, other) -> {
                    int byRight = Boolean.compare(one.isCandidate, other.isCandidate);
                    if (byRight != 0) return byRight;
                    int byPriority = Integer.compare(other.job.priority(), one.job.priority());
                    if (byPriority != 0) return byPriority;
                    int byLost = Long.compare(other.lost, one.lost);
                    if (byLost != 0) return byLost;
                    int bySubmit = one.job.submitted().compareTo(other.job.submitted());
                    return bySubmit != 0 ? bySubmit : one.job.id().compareTo(other.job.id());
                };
    }

    /** Before it has an index. */
    private record Found(Held held, long rank) {
        private static final Comparator<Found> ORDER =
                (one, other) -> {
                    int byRank = Long.compare(other.rank, one.rank);
                    if (byRank != 0) return byRank;
                    int byTime = Boolean.compare(other.held.isDisturbable, one.held.isDisturbable);
                    if (byTime != 0) return byTime;
                    int byLost = Long.compare(one.held.lost, other.held.lost);
                    if (byLost != 0) return byLost;
                    Job job = one.held.job;
                    int bySubmit = other.held.job.submitted().compareTo(job.submitted());
                    return bySubmit != 0 ? bySubmit : job.id().compareTo(other.held.job.id());
                };
    }

    /** A candidate on one of its nodes, and how many GPUs it can free there at most. */
    record Local(Candidate candidate, int gpus) {}

    /** A node on which there are candidates, in their order. */
    record Site(String node, List<Local> locals) {}

    Candidates(View view) {
        Map<String, List<Held>> byOwner = new HashMap<>();
        for (Job job : view.active()) {
            if (job.spec().gpus() == 0 || job.state() instanceof JobState.Stopping) continue;
            byOwner.computeIfAbsent(job.owner(), _ -> new ArrayList<>()).add(held(job, view));
        }
        Map<String, Long> kept = new HashMap<>();
        for (Guest guest : view.guests())
            kept.merge(guest.owner(), guest.milliGpusHeld(), Long::sum);
        var found = new ArrayList<Found>();
        byOwner.forEach((owner, all) -> rank(all, kept.getOrDefault(owner, 0L), found));
        found.sort(Found.ORDER);
        number(found);
    }

    private Held held(Job job, View view) {
        var state = (JobState.Active) job.state();
        Instant free = state.since().plus(view.rules().undisturbed());
        boolean isDisturbable = state instanceof JobState.Running && !free.isAfter(view.now());
        boolean isCandidate =
                !job.spec().interactive() && (isDisturbable || free.isAfter(view.now()));
        if (isCandidate && !isDisturbable && free.isBefore(next)) next = free;
        long lost = lostTime(job, view).toMillis() * job.spec().milliGpus();
        return new Held(job, lost, isCandidate, isDisturbable);
    }

    private static void rank(List<Held> all, long kept, List<Found> found) {
        all.sort(Held.AS_OWNERS_KEEP);
        long rank = kept;
        for (Held held : all) {
            if (held.isCandidate) found.add(new Found(held, rank));
            rank += held.job.spec().milliGpus();
        }
    }

    private static Duration lostTime(Job job, View view) {
        Duration risk = job.atRisk(view.now());
        return job.stopsAtCheckpoint() ? untilCheckpoint(job, risk, view) : risk;
    }

    /** The rest of its epoch; as long as it has run already where none was measured. */
    public static Duration untilCheckpoint(Job job, Duration since, View view) {
        return view.foresight()
                .speed(job, Setup.alone(placement(job)))
                .map(speed -> Duration.ofMillis((long) (speed.epochSeconds() * 1_000)).minus(since))
                .filter(left -> !left.isNegative())
                .orElse(since);
    }

    private static Placement placement(Job job) {
        return ((JobState.Active) job.state()).attempt().placement();
    }

    private void number(List<Found> found) {
        Map<String, Integer> ownerIndices = new HashMap<>();
        Map<String, Integer> projectIndices = new HashMap<>();
        for (Found each : found) {
            Job job = each.held.job;
            int owner = index(job.owner(), ownerIndices, owners);
            int project = index(job.spec().project(), projectIndices, projects);
            var candidate =
                    new Candidate(
                            all.size(),
                            job,
                            owner,
                            project,
                            job.spec().milliGpus(),
                            each.rank,
                            each.held.lost,
                            each.held.isDisturbable);
            all.add(candidate);
            byProject.computeIfAbsent(job.spec().project(), _ -> new ArrayList<>()).add(candidate);
        }
    }

    private static int index(String name, Map<String, Integer> indices, List<String> names) {
        return indices.computeIfAbsent(
                name,
                _ -> {
                    names.add(name);
                    return names.size() - 1;
                });
    }

    private static SortedMap<String, Site> byNode(List<Candidate> some) {
        Map<String, Site> byNode = new HashMap<>();
        for (Candidate candidate : some) {
            gpusByNode(placement(candidate.job))
                    .forEach(
                            (node, gpus) ->
                                    byNode.computeIfAbsent(
                                                    node, _ -> new Site(node, new ArrayList<>()))
                                            .locals
                                            .add(new Local(candidate, gpus)));
        }
        return new TreeMap<>(byNode);
    }

    private static Map<String, Integer> gpusByNode(Placement placement) {
        List<TaskPlacement> tasks = placement.tasks();
        if (tasks.size() == 1) {
            return Map.of(tasks.getFirst().node(), tasks.getFirst().shares().size());
        }
        var gpus = new TreeMap<String, Integer>();
        for (TaskPlacement task : tasks)
            gpus.merge(task.node(), task.shares().size(), Integer::sum);
        return gpus;
    }

    List<Candidate> all() {
        return all;
    }

    /** The smallest first; made when somebody first asks. */
    List<Candidate> bySize() {
        if (bySize == null) {
            bySize = all.stream().sorted(Comparator.comparingLong(Candidate::milliGpus)).toList();
        }
        return bySize;
    }

    /** Those of one project, in their order. */
    List<Candidate> in(String project) {
        return byProject.getOrDefault(project, List.of());
    }

    private SortedMap<String, Site> byNode() {
        if (sites == null) sites = byNode(all);
        return sites;
    }

    /** By the node's name; made when somebody first asks. */
    Collection<Site> sites() {
        return byNode().values();
    }

    /** The same as if only those of one project were there. */
    Collection<Site> sites(String project) {
        return sitesByProject.computeIfAbsent(project, _ -> byNode(in(project)).values());
    }

    /** All who are on a node where there is a candidate. */
    Site site(String node) {
        return byNode().get(node);
    }

    List<String> owners() {
        return owners;
    }

    List<String> projects() {
        return projects;
    }

    /** When time alone will make another job a candidate. */
    Optional<Instant> next() {
        return next.equals(Instant.MAX) ? Optional.empty() : Optional.of(next);
    }
}
