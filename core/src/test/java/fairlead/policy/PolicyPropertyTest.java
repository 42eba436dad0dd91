package fairlead.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.cluster.ClusterState;
import fairlead.cluster.Gpu;
import fairlead.cluster.Node;
import fairlead.cluster.NodeState;
import fairlead.cluster.View;
import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobMachine;
import fairlead.job.Placement;
import fairlead.job.Role;
import fairlead.job.Samples;
import fairlead.job.TaskPlacement;
import fairlead.policies.Policies;
import fairlead.policy.elastic.Elastic;
import fairlead.policy.fair.Fair;
import fairlead.testing.Seeds;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Goal: whatever the cluster looks like, a plan keeps every promise and explains itself. Method:
 * random clusters from a seed, planned by each policy.
 */
class PolicyPropertyTest {
    @Seeds(500)
    void everyPlanKeepsEveryPromiseAndExplainsItself(long seed) {
        var dice = new SplittableRandom(seed);
        Map<JobId, Job> jobs = new HashMap<>();
        View view = randomView(dice, jobs);
        for (String name : Policies.names()) {
            Policy policy = Policies.byName(name);
            Plan plan = policy.plan(view);
            assertEquals(
                    Optional.empty(),
                    PlanCheck.problem(plan, view, id -> Optional.ofNullable(jobs.get(id))),
                    name);
            assertEquals(plan, policy.plan(view), name + ": the same view gives the same plan");
            ExplanationCheck.fits(policy.explain(view), plan, view);
            nothingMoreWouldStart(name, plan, view, jobs);
        }
    }

    /**
     * A plan uses all that it can: planning again on what it leaves starts nothing more, so that
     * nobody has to move what waits (A64). The fair rule keeps a place for who is next, and may
     * find another place for them on a fuller cluster; then only those start that were told to wait
     * behind somebody.
     */
    private static void nothingMoreWouldStart(
            String name, Plan plan, View view, Map<JobId, Job> jobs) {
        var after = new ClusterState();
        after.nodes(view.nodes().stream().map(NodeState::node).toList());
        var now = new HashMap<>(jobs);
        for (Plan.Start start : plan.starts()) {
            now.computeIfPresent(start.job(), (_, job) -> placed(job, start.placement()));
        }
        now.values().forEach(job -> after.change(Optional.empty(), Optional.of(job)));
        Policy policy = Policies.byName(name);
        boolean keepsPlaces = policy instanceof Fair || policy instanceof Elastic;
        Map<JobId, Explanation> told = new HashMap<>();
        policy.explain(view).forEach(each -> told.put(each.job(), each));
        for (Plan.Start start : policy.plan(after.view(view.now())).starts()) {
            Explanation first = told.get(start.job());
            boolean isHeldBack =
                    first.obstacles().stream().allMatch(Obstacle.BehindInQueue.class::isInstance);
            assertTrue(keepsPlaces && isHeldBack, () -> name + " left room for " + first);
        }
        for (NodeState node : after.view(view.now()).nodes()) {
            assertNotEquals(-1, Integer.signum(node.freeCpus()), "CPUs are never given twice");
        }
    }

    private static View randomView(SplittableRandom dice, Map<JobId, Job> jobs) {
        var state = new ClusterState();
        state.nodes(
                IntStream.range(0, dice.nextInt(5))
                        .mapToObj(
                                i ->
                                        new Node(
                                                "node-" + i,
                                                IntStream.range(0, dice.nextInt(9))
                                                        .mapToObj(g -> new Gpu(g, "declared", 0))
                                                        .toList(),
                                                dice.nextInt(1, 17),
                                                (long) dice.nextInt(1, 65) << 30,
                                                dice.nextInt(8) > 0))
                        .toList());
        for (int i = 1; i <= dice.nextInt(40); i++) {
            Job job = randomJob(dice, i);
            // Some are placed by what is free now, so that the cluster is partly full.
            if (dice.nextInt(3) == 0) {
                Optional<Placement> place = Room.now(state.view(Samples.NOON)).take(job.spec());
                if (place.isPresent()) job = placed(job, place.get());
            }
            jobs.put(job.id(), job);
            state.change(Optional.empty(), Optional.of(job));
        }
        return state.view(Samples.NOON.plusSeconds(1_000));
    }

    private static Job randomJob(SplittableRandom dice, int number) {
        var roles = new ArrayList<Role>();
        for (int r = 0; r <= dice.nextInt(2); r++) {
            roles.add(Samples.role("role" + r, dice.nextInt(1, 4), dice.nextInt(5)));
        }
        var spec =
                Samples.spec(dice.nextInt(-2, 3), 0, Optional.empty(), roles.toArray(Role[]::new));
        return Samples.job(number, "owner-" + dice.nextInt(4), spec);
    }

    private static Job placed(Job job, Placement placement) {
        assertEquals(
                job.spec().tasks(),
                placement.tasks().stream().map(TaskPlacement::task).distinct().count());
        return JobMachine.next(
                job,
                new Event.AttemptPlaced(
                        job.submitted(),
                        new Attempt(new AttemptId(job.id(), job.attempts() + 1), placement)));
    }
}
