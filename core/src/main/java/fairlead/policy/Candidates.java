package fairlead.policy;

import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.job.JobState;
import fairlead.job.Placement;
import fairlead.job.Setup;
import fairlead.job.TaskPlacement;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The jobs of a view that may be stopped, those with the least to lose first. */
final class Candidates {
    private final List<Candidate> all = new ArrayList<>();
    private final List<Site> sites = new ArrayList<>();
    private final List<String> owners = new ArrayList<>();
    private final List<String> projects = new ArrayList<>();
    private Instant next = Instant.MAX;

    /**
     * Who may be stopped.
     *
     * @param index its place among all candidates
     * @param owner its owner's place among the owners of candidates
     * @param project the same of its project
     * @param lost GPU-milliseconds that a stop throws away, or that the wait for a checkpoint takes
     */
    record Candidate(int index, Job job, int owner, int project, long milliGpus, long lost) {}

    /** Before it has an index. */
    private record Found(Job job, long milliGpus, long lost) {
        private static final Comparator<Found> ORDER =
                (one, other) -> {
                    int byLost = Long.compare(one.lost, other.lost);
                    if (byLost != 0) return byLost;
                    int bySubmit = other.job.submitted().compareTo(one.job.submitted());
                    return bySubmit != 0 ? bySubmit : one.job.id().compareTo(other.job.id());
                };
    }

    /** A candidate on one of its nodes, and how many GPUs it can free there at most. */
    record Local(Candidate candidate, int gpus) {}

    /** A node on which there are candidates, in their order. */
    record Site(String node, List<Local> locals) {}

    Candidates(View view) {
        var found = new ArrayList<Found>();
        for (Job job : view.active()) {
            if (job.spec().interactive() || job.spec().gpus() == 0) continue;
            if (!(job.state() instanceof JobState.Running running)) continue;
            Instant free = running.since().plus(view.rules().undisturbed());
            if (free.isAfter(view.now())) {
                if (free.isBefore(next)) next = free;
                continue;
            }
            long milliGpus = job.spec().milliGpus();
            found.add(new Found(job, milliGpus, lostTime(job, view).toMillis() * milliGpus));
        }
        found.sort(Found.ORDER);
        number(found);
        fileByNode();
    }

    private static Duration lostTime(Job job, View view) {
        Duration risk = job.atRisk(view.now());
        return job.stopsAtCheckpoint() ? untilCheckpoint(job, risk, view) : risk;
    }

    /** The rest of its epoch; as long as it has run already where none was measured. */
    private static Duration untilCheckpoint(Job job, Duration since, View view) {
        return view.foresight()
                .profile(job)
                .speed(Setup.alone(placement(job)))
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
            Job job = each.job;
            int owner = index(job.owner(), ownerIndices, owners);
            int project = index(job.spec().project(), projectIndices, projects);
            all.add(new Candidate(all.size(), job, owner, project, each.milliGpus, each.lost));
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

    private void fileByNode() {
        Map<String, List<Local>> byNode = new HashMap<>();
        for (Candidate candidate : all) {
            gpusByNode(placement(candidate.job))
                    .forEach(
                            (node, gpus) ->
                                    byNode.computeIfAbsent(node, _ -> new ArrayList<>())
                                            .add(new Local(candidate, gpus)));
        }
        byNode.forEach((node, locals) -> sites.add(new Site(node, locals)));
        sites.sort(Comparator.comparing(Site::node));
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

    /** By the node's name. */
    List<Site> sites() {
        return sites;
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
