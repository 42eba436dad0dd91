package fairlead.policy.ranked;

import static org.junit.jupiter.api.Assertions.assertEquals;

import fairlead.cluster.ClusterState;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.Samples;
import fairlead.policies.Policies;
import fairlead.policy.Explanation;
import fairlead.policy.Policy;
import fairlead.policy.PolicyScenarioTest;
import fairlead.policy.Scenario;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;

class FifoTest {
    private static final Policy FIFO = Policies.byName("fifo");

    @Test
    void allBehindTheFirstThatFindsNoRoomCountWhoIsBeforeThem() {
        PolicyScenarioTest.check(
                Scenario.parse(
                        List.of(
                                "node n gpus=4",
                                "active x xu gpus=2 on n 0,1",
                                "wait first ann gpus=1",
                                "wait wide bob gpus=3",
                                "wait third cyd gpus=1",
                                "wait pause cyd gpus=1 pauses",
                                "wait huge cyd gpus=9",
                                "wait fourth cyd gpus=1",
                                "wait cpu cyd cpus=1",
                                "expect fifo starts cpu@n first@n",
                                "expect fifo wide: needs 3 GPUs on one node; the largest free"
                                        + " block is 1 on n",
                                "expect fifo third: waits behind 1 job; next to start is wide",
                                "expect fifo pause: pauses after a failed attempt until"
                                        + " 2026-01-01T14:00:00Z",
                                "expect fifo huge: can never start on this cluster: needs 9 GPUs on"
                                        + " one node; the largest node, n, has 4",
                                "expect fifo fourth: waits behind 2 jobs; next to start is wide",
                                "expect fifo places cpu=1 first=1 wide=2 third=3 pause=4 huge=5"
                                        + " fourth=5")));
    }

    @Test
    void ofTwoThatCameAtTheSameMomentTheIdDecides() {
        var state = new ClusterState();
        Job second = job("b_1_00000001", "ann");
        Job first = job("a_1_00000001", "bob");
        state.change(Optional.empty(), Optional.of(second));
        state.change(Optional.empty(), Optional.of(first));
        assertEquals(
                List.of(first.id(), second.id()),
                FIFO.explain(state.view(Samples.NOON)).stream().map(Explanation::job).toList());
        assertEquals(
                List.of(first.id(), second.id()),
                Policies.byName("backfill").explain(state.view(Samples.NOON)).stream()
                        .map(Explanation::job)
                        .toList());
    }

    private static Job job(String id, String owner) {
        return Job.submitted(
                new JobId(id),
                Samples.spec(Samples.role("main", 1, 1)),
                owner,
                Samples.NOON,
                Optional.empty(),
                Optional.empty());
    }
}
