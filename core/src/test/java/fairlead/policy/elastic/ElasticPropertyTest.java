package fairlead.policy.elastic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.job.JobState;
import fairlead.job.Share;
import fairlead.job.TaskPlacement;
import fairlead.policies.Policies;
import fairlead.policy.ExplanationCheck;
import fairlead.policy.Plan;
import fairlead.policy.PlanCheck;
import fairlead.policy.Policy;
import fairlead.policy.RandomCluster;
import fairlead.testing.Seeds;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Goal: whatever trains, shares and waits, elastic keeps every promise, also in the plans that
 * follow its own. Method: random clusters from a seed that live on for some rounds.
 */
class ElasticPropertyTest {
    private static final int ROUNDS = 4;
    private static final Policy ELASTIC = Policies.byName("elastic");

    @Seeds(150)
    void everyPlanKeepsEveryPromiseAndExplainsItself(long seed) {
        var cluster = new RandomCluster(seed);
        var training = new RandomTraining(cluster, seed);
        for (int round = 0; round < ROUNDS; round++) {
            View view = cluster.view();
            Plan plan = ELASTIC.plan(view);
            assertEquals(
                    Optional.empty(),
                    PlanCheck.problem(plan, view, id -> Optional.ofNullable(cluster.jobs.get(id))),
                    cluster::toString);
            assertEquals(plan, ELASTIC.plan(cluster.view()), "the same view gives the same plan");
            ExplanationCheck.fits(ELASTIC.explain(view), plan, view);
            whoDoesNotShareIsAlone(plan, cluster);
            cluster.begin(plan);
            atMostTwoTrainOnAGpu(plan, cluster);
            training.pass();
        }
    }

    private static void whoDoesNotShareIsAlone(Plan plan, RandomCluster cluster) {
        for (Plan.Start start : plan.starts()) {
            Job job = cluster.jobs.get(start.job());
            boolean isAlone = job.spec().training().filter(asked -> !asked.sharing()).isPresent();
            for (TaskPlacement task : start.placement().tasks()) {
                assertTrue(
                        !isAlone || task.shares().stream().allMatch(Share::isWhole),
                        () -> job.id() + " has to share" + cluster);
            }
        }
    }

    /** Among those that the plan has put there; the cluster's own are placed without a thought. */
    private static void atMostTwoTrainOnAGpu(Plan plan, RandomCluster cluster) {
        Map<String, List<Job>> byGpu = new HashMap<>();
        for (Job job : cluster.jobs.values()) {
            if (!(job.state() instanceof JobState.Active active)) continue;
            for (TaskPlacement task : active.attempt().placement().tasks()) {
                for (Share share : task.shares()) {
                    byGpu.computeIfAbsent(task.node() + "/" + share.gpu(), _ -> new ArrayList<>())
                            .add(job);
                }
            }
        }
        for (Plan.Start start : plan.starts()) {
            if (cluster.jobs.get(start.job()).spec().training().isEmpty()) continue;
            for (TaskPlacement task : start.placement().tasks()) {
                for (Share share : task.shares()) {
                    List<Job> all = byGpu.get(task.node() + "/" + share.gpu());
                    assertTrue(
                            all.size() <= 2,
                            () -> start.job() + " is one too many in " + all + cluster);
                }
            }
        }
    }
}
