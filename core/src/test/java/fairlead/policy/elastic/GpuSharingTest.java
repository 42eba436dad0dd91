package fairlead.policy.elastic;

import static fairlead.policy.elastic.SharedCluster.NOW;
import static fairlead.policy.elastic.SharedCluster.gibibytes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.Samples;
import fairlead.job.Share;
import fairlead.policy.Plan;
import fairlead.policy.elastic.SharedCluster.Ask;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Who moves in with whom on GPUs of 16 GiB, and who moves out. */
class GpuSharingTest {
    private static final Ask A = Ask.of("ann", "a.py", 8);
    private static final Ask B = Ask.of("bob", "b.py", 6);
    private static final Ask C = Ask.of("cyd", "c.py", 6);

    @Test
    void aPairThatNobodyHasTriedIsTried() {
        var cluster = new SharedCluster(1).alone(A, 100).alone(B, 100);
        cluster.running(A, "node-0", 0);
        Job guest = cluster.waiting(B);
        assertEquals(Map.of(guest.id(), new Share(0, gibibytes(6))), shares(cluster.plan()));
    }

    @Test
    void aPairThatGainsStaysTogetherAndMeetsAgain() {
        var cluster = new SharedCluster(1).alone(A, 10).alone(B, 20);
        cluster.beside(A, B, 14).beside(B, A, 32);
        cluster.running(A, "node-0", 0);
        Job guest = cluster.running(B, "node-0", 0);
        assertEquals(Plan.NOTHING.preempts(), cluster.plan().preempts());
        Job back = cluster.stopped(guest);
        assertEquals(Map.of(back.id(), new Share(0, gibibytes(6))), shares(cluster.plan()));
    }

    @Test
    void aPairThatGainsNothingIsPartedAndDoesNotMeetAgain() {
        var cluster = new SharedCluster(1).alone(A, 10).alone(B, 20);
        cluster.beside(A, B, 22).beside(B, A, 40);
        cluster.running(A, "node-0", 0);
        Job last = cluster.running(B, "node-0", 0, NOW.minusSeconds(600));
        assertEquals(
                Map.of(last.id(), "sharing a GPU with this neighbour gains nothing"),
                stops(cluster.plan()));
        cluster.stopped(last);
        assertEquals(Map.of(), shares(cluster.plan()), "it waits rather");
    }

    @Test
    void anEpochThatShouldLongBeOverPartsAPairBeforeItIsMeasured() {
        var cluster = new SharedCluster(1).alone(A, 100).alone(B, 100);
        cluster.running(A, "node-0", 0);
        Job last = cluster.running(B, "node-0", 0, NOW.minusSeconds(205));
        assertEquals(Map.of(), stops(cluster.plan()), "175 s for 100 s is what pairs take");
        cluster = new SharedCluster(1).alone(A, 100).alone(B, 100);
        cluster.running(A, "node-0", 0);
        last = cluster.running(B, "node-0", 0, NOW.minusSeconds(240));
        assertEquals(
                Map.of(last.id(), "sharing a GPU with this neighbour gains nothing"),
                stops(cluster.plan()));
    }

    @Test
    void epochsThatEndInTimePartNobody() {
        var cluster = new SharedCluster(1).alone(A, 100).alone(B, 100);
        Job first = cluster.running(A, "node-0", 0);
        Job last = cluster.running(B, "node-0", 0);
        cluster.epochEnded(first, 30, NOW.minusSeconds(100));
        cluster.epochEnded(last, 30, NOW.minusSeconds(100));
        assertEquals(Map.of(), stops(cluster.plan()));
    }

    @Test
    void thePairThatGetsMostDoneMovesTogether() {
        var cluster = new SharedCluster(2).alone(A, 100).alone(B, 100).alone(C, 100);
        cluster.beside(A, C, 140).beside(C, A, 140).beside(B, C, 110).beside(C, B, 110);
        cluster.running(A, "node-0", 0);
        cluster.running(B, "node-0", 1);
        Job guest = cluster.waiting(C);
        assertEquals(Map.of(guest.id(), new Share(1, gibibytes(6))), shares(cluster.plan()));
    }

    @Test
    void theGuestThatGetsMostDoneComesBeforeAnEarlierOne() {
        var cluster = new SharedCluster(1).alone(A, 100).alone(B, 100).alone(C, 100);
        cluster.beside(A, B, 170).beside(B, A, 170).beside(A, C, 110).beside(C, A, 110);
        cluster.running(A, "node-0", 0);
        cluster.waiting(B);
        Job better = cluster.waiting(C);
        assertEquals(Map.of(better.id(), new Share(0, gibibytes(6))), shares(cluster.plan()));
    }

    @Test
    void whomAsManyHavePassedAsThereAreGpusGoesFirstInTheEnd() {
        var cluster = new SharedCluster(1).alone(A, 100).alone(B, 100).alone(C, 100);
        cluster.beside(A, B, 170).beside(B, A, 170).beside(A, C, 110).beside(C, A, 110);
        Job patient = cluster.waiting(B);
        cluster.running(A, "node-0", 0);
        cluster.waiting(C);
        assertEquals(Map.of(patient.id(), new Share(0, gibibytes(6))), shares(cluster.plan()));
    }

    @Test
    void amongEqualsTheOwnerWithFewerGpusGoesFirst() {
        var cluster = new SharedCluster(1).alone(A, 100).alone(B, 100);
        Ask annsToo = Ask.of("ann", "b.py", 6);
        cluster.alone(annsToo, 100);
        cluster.running(A, "node-0", 0);
        cluster.waiting(annsToo);
        Job bobs = cluster.waiting(B);
        assertEquals(Map.of(bobs.id(), new Share(0, gibibytes(6))), shares(cluster.plan()));
    }

    @Test
    void memoryIsNeverGivenTwice() {
        Ask half = Ask.of("bob", "b.py", 8);
        Ask more = Ask.of("cyd", "c.py", 9);
        var cluster = new SharedCluster(1).alone(A, 100).alone(half, 100).alone(more, 100);
        cluster.running(A, "node-0", 0);
        cluster.waiting(more);
        assertEquals(Map.of(), shares(cluster.plan()));
        Job fits = cluster.waiting(half);
        assertEquals(
                Map.of(), shares(cluster.plan()), "the one in front waits for this GPU to be free");
        cluster = new SharedCluster(1).alone(A, 100).alone(half, 100);
        cluster.running(A, "node-0", 0);
        fits = cluster.waiting(half);
        assertEquals(Map.of(fits.id(), new Share(0, gibibytes(8))), shares(cluster.plan()));
    }

    @Test
    void whatWasMeasuredCountsMoreThanWhatWasDeclared() {
        var cluster = new SharedCluster(1).alone(A, 100).alone(B, 100);
        cluster.running(A, "node-0", 0);
        Job waits = cluster.waiting(B);
        Job ran = cluster.placed(waits, "node-0", new Share(0, gibibytes(6)), NOW.minusSeconds(99));
        cluster.stopped(cluster.uses(ran, 8));
        assertEquals(Map.of(), shares(cluster.plan()), "8 GiB and a margin are more than is left");
    }

    @Test
    void whereANeighbourHasOutgrownItsShareThereIsLessRoom() {
        var cluster = new SharedCluster(1).alone(A, 100).alone(B, 100);
        cluster.uses(cluster.running(A, "node-0", 0), 11);
        cluster.waiting(B);
        assertEquals(Map.of(), shares(cluster.plan()));
    }

    @Test
    void whoeverHasOutgrownItsShareIsStoppedAtOnceAndNotItsNeighbour() {
        var cluster = new SharedCluster(1).alone(A, 100).alone(B, 100);
        Job grown = cluster.running(A, "node-0", 0);
        cluster.running(B, "node-0", 0, NOW.minusSeconds(10));
        cluster.uses(grown, 10);
        assertEquals(
                Map.of(grown.id(), "it has outgrown its share of the GPU's memory"),
                stops(cluster.plan()));
        cluster = new SharedCluster(1).alone(A, 100).alone(B, 100);
        cluster.running(A, "node-0", 0);
        Job young = cluster.running(B, "node-0", 0, NOW.minusSeconds(10));
        cluster.uses(young, 9);
        assertEquals(
                Map.of(young.id(), "it has outgrown its share of the GPU's memory"),
                stops(cluster.plan()));
    }

    @Test
    void whoeverUsesMoreThanItsShareButNotTooMuchStays() {
        var cluster = new SharedCluster(1).alone(A, 100).alone(B, 100);
        cluster.beside(A, B, 120).beside(B, A, 120);
        cluster.uses(cluster.running(A, "node-0", 0), 9);
        cluster.running(B, "node-0", 0);
        assertEquals(Map.of(), stops(cluster.plan()));
    }

    @Test
    void anOvercrowdedGpuIsClearedEvenWhileAPlainJobWaits() {
        var cluster = new SharedCluster(1).alone(A, 100).alone(B, 100);
        Job grown = cluster.running(A, "node-0", 0);
        cluster.running(B, "node-0", 0);
        cluster.uses(grown, 12);
        cluster.waiting("dan", Samples.spec(Samples.role("main", 1, 1)));
        assertTrue(stops(cluster.plan()).containsKey(grown.id()));
    }

    @Test
    void nobodySharesWhoDoesNotWantToOrWhoseMemoryIsUnknown() {
        for (Ask alone : List.of(A.alone(), A.withoutMemory())) {
            var cluster = new SharedCluster(1).alone(A, 100).alone(B, 100);
            Job job = cluster.waiting(alone);
            assertEquals(Map.of(job.id(), Share.whole(0)), shares(cluster.plan()));
            cluster = new SharedCluster(1).alone(A, 100).alone(B, 100);
            cluster.running(B, "node-0", 0);
            cluster.waiting(alone);
            assertEquals(Map.of(), shares(cluster.plan()));
            cluster = new SharedCluster(1).alone(A, 100).alone(B, 100);
            cluster.runningAlone(alone, "node-0", 0);
            cluster.waiting(B);
            assertEquals(Map.of(), shares(cluster.plan()));
        }
    }

    @Test
    void whoMayShareHoldsOnlyWhatItNeeds() {
        var cluster = new SharedCluster(1);
        Job job = cluster.waiting(A);
        assertEquals(Map.of(job.id(), new Share(0, gibibytes(8))), shares(cluster.plan()));
    }

    @Test
    void gpusOfUnknownMemoryAreNotShared() {
        var cluster = new SharedCluster(gibibytes(0), 64, 1);
        Job job = cluster.waiting(A);
        assertEquals(Map.of(job.id(), Share.whole(0)), shares(cluster.plan()));
    }

    @Test
    void aScriptIsMeasuredAloneBeforeSomebodyJoins() {
        var cluster = new SharedCluster(1).alone(B, 100);
        cluster.running(A, "node-0", 0, NOW.minus(Duration.ofMinutes(14)));
        cluster.waiting(B);
        assertEquals(Map.of(), shares(cluster.plan()));
        cluster = new SharedCluster(1).alone(B, 100);
        cluster.running(A, "node-0", 0, NOW.minus(Duration.ofMinutes(15)));
        Job guest = cluster.waiting(B);
        assertEquals(
                Map.of(guest.id(), new Share(0, gibibytes(6))),
                shares(cluster.plan()),
                "a long epoch is not waited for");
    }

    @Test
    void moreThanTwoNeverShare() {
        var cluster = new SharedCluster(1).alone(A, 100).alone(B, 100);
        Ask small = Ask.of("dan", "d.py", 1);
        cluster.alone(small, 100);
        cluster.running(A, "node-0", 0);
        cluster.running(B, "node-0", 0);
        cluster.beside(A, B, 110).beside(B, A, 110);
        cluster.waiting(small);
        assertEquals(Map.of(), shares(cluster.plan()));
        cluster = new SharedCluster(1).alone(A, 100).alone(small, 100);
        cluster.running(A, "node-0", 0);
        Job first = cluster.waiting(small);
        cluster.waiting(small);
        assertEquals(Map.of(first.id(), new Share(0, gibibytes(1))), shares(cluster.plan()));
    }

    @Test
    void whereTheNodeHasNoCpuLeftNobodyJoins() {
        var cluster = new SharedCluster(gibibytes(16), 1, 1).alone(A, 100).alone(B, 100);
        cluster.running(A, "node-0", 0);
        cluster.waiting(B);
        assertEquals(Map.of(), shares(cluster.plan()));
    }

    @Test
    void forTheFirstInLineWhoCannotShareAGpuStaysUnshared() {
        // All of one owner: nobody is stopped so that another owner has a GPU at all.
        Ask small = Ask.of(A.owner(), "b.py", 6);
        var cluster = new SharedCluster(2).alone(A, 100).alone(small, 100);
        cluster.running(A, "node-0", 0);
        Job soonOver = cluster.running(A, "node-0", 1);
        cluster.epochEnded(soonOver, SharedCluster.EPOCHS - 1, NOW.minusSeconds(10));
        Ask large = Ask.of(A.owner(), "d.py", 16);
        cluster.alone(large, 1_000).waiting(large);
        Job guest = cluster.waiting(small);
        cluster.waiting(small);
        assertEquals(
                Map.of(guest.id(), new Share(0, gibibytes(6))),
                shares(cluster.plan()),
                "GPU 1 is free soon");
    }

    @Test
    void whoCanNeverRunKeepsNothingUnshared() {
        var cluster = new SharedCluster(1).alone(A, 100).alone(B, 100);
        cluster.running(A, "node-0", 0);
        cluster.waiting(Ask.of("dan", "d.py", 8).on(2));
        Job guest = cluster.waiting(B);
        assertEquals(Map.of(guest.id(), new Share(0, gibibytes(6))), shares(cluster.plan()));
    }

    @Test
    void whenAGpuIsIdleTheWorstPairPartsAndNoMore() {
        var cluster = new SharedCluster(3).alone(A, 100).alone(B, 100).alone(C, 100);
        cluster.beside(A, B, 120).beside(B, A, 120).beside(A, C, 150).beside(C, A, 150);
        cluster.running(A, "node-0", 0);
        cluster.running(B, "node-0", 0);
        cluster.running(A, "node-0", 1);
        Job worse = cluster.running(C, "node-0", 1, NOW.minusSeconds(600));
        Plan plan = cluster.plan();
        assertEquals(Map.of(worse.id(), "a GPU of its own is free"), stops(plan));
        Job back = cluster.stopped(worse);
        assertEquals(Map.of(back.id(), new Share(2, gibibytes(6))), shares(cluster.plan()));
    }

    @Test
    void whoIsNearlyDoneIsNotMovedToAnIdleGpu() {
        var cluster = new SharedCluster(2).alone(A, 100).alone(B, 100);
        cluster.beside(A, B, 120).beside(B, A, 120);
        cluster.running(A, "node-0", 0);
        Job last = cluster.running(B, "node-0", 0, NOW.minusSeconds(600));
        cluster.epochEnded(last, SharedCluster.EPOCHS - 2, NOW.minusSeconds(10));
        assertEquals(Map.of(), stops(cluster.plan()));
    }

    private static Map<JobId, Share> shares(Plan plan) {
        var shares = new TreeMap<JobId, Share>();
        for (Plan.Start start : plan.starts()) {
            shares.put(start.job(), start.placement().tasks().getFirst().shares().getFirst());
        }
        return shares;
    }

    private static Map<JobId, String> stops(Plan plan) {
        var stops = new TreeMap<JobId, String>();
        for (Plan.Preempt preempt : plan.preempts()) stops.put(preempt.victim(), preempt.why());
        return stops;
    }
}
