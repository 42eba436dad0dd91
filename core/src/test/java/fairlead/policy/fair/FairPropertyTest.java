package fairlead.policy.fair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.cluster.Gpu;
import fairlead.cluster.Node;
import fairlead.cluster.View;
import fairlead.job.GpuPart;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobState;
import fairlead.job.Placement;
import fairlead.job.Resources;
import fairlead.job.Share;
import fairlead.job.TaskPlacement;
import fairlead.policies.Policies;
import fairlead.policy.Explanation;
import fairlead.policy.ExplanationCheck;
import fairlead.policy.Obstacle;
import fairlead.policy.Plan;
import fairlead.policy.PlanCheck;
import fairlead.policy.Policy;
import fairlead.policy.RandomCluster;
import fairlead.testing.Seeds;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Goal: whatever the cluster looks like, the fair policy keeps its promises. Method: random
 * clusters from a seed, with everything counted again here, apart from the policy's own counting.
 */
class FairPropertyTest {
    private static final Policy FAIR = Policies.byName("fair");

    /**
     * Once a job did not start although others had stopped for it: a start had come between (the
     * first two), another had been promised its place, a plan had relied on stops in vain, somebody
     * was inside a quota by then (the fifth), or the stops had ended one after another (the last
     * four).
     */
    @Retention(RetentionPolicy.RUNTIME)
    @Seeds(
            value = 500,
            also = {23_665, 27_049, 39_299, 47_314, 4_266, 4_635, 5_731, 7_884, 9_482})
    private @interface SeedsWithBrokenPromises {}

    /**
     * Each of the 30 jobs at most stops once here, because whatever starts again stays Starting.
     */
    private static final int PLANS_MAX = 100;

    @SeedsWithBrokenPromises
    void aPlanKeepsEveryPromise(long seed) {
        var cluster = new RandomCluster(seed);
        View view = cluster.view();
        Plan plan = FAIR.plan(view);
        assertEquals(
                Optional.empty(),
                PlanCheck.problem(plan, view, id -> Optional.ofNullable(cluster.jobs.get(id))),
                cluster::toString);
        assertEquals(plan, FAIR.plan(cluster.view()), "the same view gives the same plan");
        ExplanationCheck.fits(FAIR.explain(view), plan, view);
        interactiveWorkStaysInsideItsQuota(plan, view, cluster);
        nobodyIsStoppedAgainstTheRules(plan, view, cluster);
        cluster.begin(plan);
        gangsAreWhole(plan, cluster);
        nothingIsGivenTwice(cluster);
    }

    @SeedsWithBrokenPromises
    void whoeverOthersStopForStartsOnceTheyHaveStopped(long seed) {
        var cluster = new RandomCluster(seed);
        Plan plan = FAIR.plan(cluster.view());
        Set<JobId> served = beneficiaries(plan);
        String before = cluster.toString();
        cluster.begin(plan);
        cluster.pass(Duration.ofMillis(1));

        Plan meanwhile = FAIR.plan(cluster.view());
        for (Plan.Preempt preempt : meanwhile.preempts()) {
            assertTrue(
                    !served.contains(preempt.beneficiary()),
                    () -> "stopped twice for the same need: " + preempt + before);
        }
        cluster.begin(meanwhile);
        served.addAll(beneficiaries(meanwhile));
        cluster.endStops();
        cluster.pass(Duration.ofMillis(1));

        cluster.begin(FAIR.plan(cluster.view()));
        for (JobId id : served) {
            assertTrue(
                    cluster.jobs.get(id).state() instanceof JobState.Active,
                    () -> id + " still waits after " + plan + meanwhile + before);
        }
        nothingIsGivenTwice(cluster);
    }

    @SeedsWithBrokenPromises
    void whoeverOthersStopForStartsWhicheverOfThemStopsFirst(long seed) {
        var cluster = new RandomCluster(seed);
        String before = cluster.toString();
        Set<JobId> owed = new HashSet<>();
        boolean goesOn = true;
        for (int i = 0; goesOn && i < PLANS_MAX; i++) {
            View view = cluster.view();
            Plan plan = FAIR.plan(view);
            ExplanationCheck.fits(FAIR.explain(view), plan, view);
            for (Plan.Preempt preempt : plan.preempts()) {
                assertTrue(
                        !owed.contains(preempt.beneficiary()),
                        () -> "stopped twice for the same need: " + preempt + before);
            }
            owed.addAll(beneficiaries(plan));
            plan.starts().forEach(start -> owed.remove(start.job()));
            cluster.begin(plan);
            nothingIsGivenTwice(cluster);
            cluster.pass(Duration.ofMillis(1));
            goesOn = cluster.endOneStop();
        }
        assertTrue(!goesOn, () -> "there was no end of stops" + before);
        assertEquals(Set.of(), owed, () -> "these still wait" + before);
    }

    /** Those who are to have the places of others that stop, now or already. */
    private static Set<JobId> freed(View view) {
        return FAIR.explain(view).stream()
                .filter(
                        each ->
                                each.obstacles().stream()
                                        .anyMatch(Obstacle.BeingFreed.class::isInstance))
                .map(Explanation::job)
                .collect(Collectors.toSet());
    }

    private static Set<JobId> beneficiaries(Plan plan) {
        return plan.preempts().stream()
                .map(Plan.Preempt::beneficiary)
                .collect(Collectors.toCollection(HashSet::new));
    }

    private static void interactiveWorkStaysInsideItsQuota(
            Plan plan, View view, RandomCluster cluster) {
        Map<String, Long> held = heldByProject(cluster);
        Map<String, Long> interactive = new HashMap<>();
        for (Job job : active(cluster)) {
            if (job.spec().interactive()) interactive.merge(job.spec().project(), 1L, Long::sum);
        }
        for (Plan.Start start : plan.starts()) {
            Job job = cluster.jobs.get(start.job());
            String project = job.spec().project();
            long now = held.merge(project, job.spec().milliGpus(), Long::sum);
            if (!job.spec().interactive()) continue;
            assertTrue(
                    job.spec().gpus() == 0 || now <= view.rules().quota(project),
                    () -> job.id() + " is outside its quota" + cluster);
            long running = interactive.merge(project, 1L, Long::sum);
            view.rules()
                    .project(project)
                    .interactiveMax()
                    .ifPresent(max -> assertTrue(running <= max, () -> job.id() + "" + cluster));
        }
    }

    private static void nobodyIsStoppedAgainstTheRules(
            Plan plan, View view, RandomCluster cluster) {
        Set<JobId> victims =
                plan.preempts().stream().map(Plan.Preempt::victim).collect(Collectors.toSet());
        Map<String, Long> most = heldByProject(cluster);
        Map<String, Long> mostByOwner = heldByOwner(cluster);
        for (Plan.Start start : plan.starts()) {
            Job job = cluster.jobs.get(start.job());
            most.merge(job.spec().project(), job.spec().milliGpus(), Long::sum);
            mostByOwner.merge(job.owner(), job.spec().milliGpus(), Long::sum);
        }
        for (JobId id : freed(view)) {
            Job job = cluster.jobs.get(id);
            most.merge(job.spec().project(), job.spec().milliGpus(), Long::sum);
            mostByOwner.merge(job.owner(), job.spec().milliGpus(), Long::sum);
        }
        Map<String, Long> least = heldByProject(cluster);
        Map<String, Long> leastByOwner = heldByOwner(cluster);
        for (JobId id : victims) {
            Job victim = cluster.jobs.get(id);
            least.merge(victim.spec().project(), -victim.spec().milliGpus(), Long::sum);
            leastByOwner.merge(victim.owner(), -victim.spec().milliGpus(), Long::sum);
        }
        for (Plan.Preempt preempt : plan.preempts()) {
            Job victim = cluster.jobs.get(preempt.victim());
            Job winner = cluster.jobs.get(preempt.beneficiary());
            String text = preempt + " in " + cluster;
            assertTrue(!victim.spec().interactive(), text);
            var running = (JobState.Running) victim.state();
            Duration ran = Duration.between(running.since(), view.now());
            assertTrue(ran.compareTo(view.rules().undisturbed()) >= 0, text);
            String project = winner.spec().project();
            String others = victim.spec().project();
            boolean isBorrowed = most.get(others) > view.rules().quota(others);
            boolean isOwn = !view.rules().hasQuotas() || others.equals(project);
            assertTrue(isOwn || isBorrowed, () -> "nothing was borrowed: " + text);
            boolean isInsideQuota =
                    least.getOrDefault(project, 0L) + winner.spec().milliGpus()
                            <= view.rules().quota(project);
            boolean isLowerRank =
                    leastByOwner.getOrDefault(winner.owner(), 0L)
                            < mostByOwner.get(victim.owner()) - victim.spec().milliGpus();
            assertTrue(
                    !isOwn && isInsideQuota || isLowerRank,
                    () -> "an equal or better rank: " + text);
        }
    }

    private static void gangsAreWhole(Plan plan, RandomCluster cluster) {
        for (Plan.Start start : plan.starts()) {
            Job job = cluster.jobs.get(start.job());
            assertEquals(
                    job.spec().tasks(),
                    start.placement().tasks().stream().map(TaskPlacement::task).distinct().count(),
                    cluster::toString);
        }
    }

    /** Adds up what every active job holds of each GPU, and compares with what the GPU has. */
    private static void nothingIsGivenTwice(RandomCluster cluster) {
        Map<String, Map<Integer, Long>> units = new HashMap<>();
        Map<String, Map<Integer, Integer>> users = new HashMap<>();
        var ports = new HashSet<String>();
        Set<String> aloneOn = new HashSet<>();
        Map<String, Long> cpus = new HashMap<>();
        Map<String, Node> nodes = new HashMap<>();
        cluster.view().nodes().forEach(state -> nodes.put(state.node().name(), state.node()));
        for (Job job : active(cluster)) {
            Placement placement = ((JobState.Active) job.state()).attempt().placement();
            for (TaskPlacement task : placement.tasks()) {
                Resources ask = job.spec().role(task.task().role()).resources();
                cpus.merge(task.node(), (long) ask.cpus(), Long::sum);
                for (int port : ask.ports()) {
                    assertTrue(ports.add(task.node() + ":" + port), cluster::toString);
                }
                assertEquals(ask.gpus(), task.shares().size(), cluster::toString);
                for (Share share : task.shares()) {
                    Gpu gpu = nodes.get(task.node()).gpus().get(share.gpu());
                    assertTrue(gpu.isOf(ask.gpuType()), cluster::toString);
                    units.computeIfAbsent(task.node(), _ -> new HashMap<>())
                            .merge(share.gpu(), wanted(ask.part(), gpu), Long::sum);
                    users.computeIfAbsent(task.node(), _ -> new HashMap<>())
                            .merge(share.gpu(), 1, Integer::sum);
                    if (ask.part() instanceof GpuPart.Whole) {
                        aloneOn.add(task.node() + " " + share.gpu());
                    }
                }
            }
        }
        units.forEach(
                (node, gpus) ->
                        gpus.forEach(
                                (index, held) -> {
                                    Gpu gpu = nodes.get(node).gpus().get(index);
                                    assertTrue(held <= gpu.units(), cluster::toString);
                                    boolean isAlone = aloneOn.contains(node + " " + index);
                                    assertTrue(
                                            !isAlone || users.get(node).get(index) == 1,
                                            cluster::toString);
                                }));
        cpus.forEach((node, held) -> assertTrue(held <= nodes.get(node).cpus(), cluster::toString));
    }

    private static long wanted(GpuPart part, Gpu gpu) {
        return switch (part) {
            case GpuPart.Whole _ -> gpu.units();
            case GpuPart.Fraction(int thousandths) -> gpu.units() / 1_000 * thousandths;
            case GpuPart.Memory(long bytes) -> bytes;
        };
    }

    private static Map<String, Long> heldByProject(RandomCluster cluster) {
        var held = new HashMap<String, Long>();
        for (Job job : active(cluster)) {
            held.merge(job.spec().project(), job.spec().milliGpus(), Long::sum);
        }
        return held;
    }

    private static Map<String, Long> heldByOwner(RandomCluster cluster) {
        var held = new HashMap<String, Long>();
        for (Job job : active(cluster)) held.merge(job.owner(), job.spec().milliGpus(), Long::sum);
        return held;
    }

    private static List<Job> active(RandomCluster cluster) {
        return cluster.jobs.values().stream()
                .filter(job -> job.state() instanceof JobState.Active)
                .toList();
    }
}
