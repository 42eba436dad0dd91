package fairlead.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.cluster.ClusterState;
import fairlead.cluster.Guest;
import fairlead.job.Job;
import fairlead.job.Samples;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;

/** Lab a may hold 2 GPUs, and ann holds 2 of it; lab b may hold 1, and bob holds 2.5 of it. */
class TallyTest {
    private static final Scenario SCENE =
            Scenario.parse(
                    List.of(
                            "node n gpus=8",
                            "project a quota=2",
                            "project b quota=1",
                            "active a1 ann gpus=1 project=a on n 0",
                            "active a2 ann gpus=1 project=a interactive on n 1",
                            "active b1 bob gpus=2 project=b on n 2,3",
                            "active b2 bob gpu=500 project=b on n 4",
                            "wait w1 ann gpus=1 project=a",
                            "wait i1 ann gpus=1 project=a interactive",
                            "wait w3 ann gpus=3 project=a",
                            "wait c0 ann project=a",
                            "wait x1 ann gpus=1 project=x"));

    private final Tally tally = new Tally(SCENE.view());

    @Test
    void whatIsHeldIsCountedByOwnerAndByProject() {
        assertEquals(2_000, tally.heldBy("ann"));
        assertEquals(2_500, tally.heldBy("bob"));
        assertEquals(0, tally.heldBy("cyd"));
        assertEquals(2_000, tally.heldByProject("a"));
        assertEquals(2_500, tally.heldByProject("b"));
        assertEquals(1, tally.interactiveIn("a"));
        assertEquals(0, tally.interactiveIn("b"));
    }

    @Test
    void guestsCountForTheirOwnersAndInNoProject() {
        var state = ClusterState.of(SCENE.view());
        state.guests(
                List.of(
                        new Guest(
                                "pod",
                                "a",
                                "ann",
                                0,
                                3,
                                Optional.of("n"),
                                "Running",
                                Samples.NOON,
                                Optional.of(Samples.NOON))));
        var withGuest = new Tally(state.view(SCENE.view().now()));
        assertEquals(5_000, withGuest.heldBy("ann"));
        assertEquals(2_000, withGuest.heldByProject("a"));
    }

    @Test
    void aProjectIsOverItsQuotaWithMoreThanIt() {
        assertFalse(tally.project("a").isOverQuota(), "2 of 2");
        assertTrue(tally.project("b").isOverQuota());
        assertFalse(tally.owner("bob").isOverQuota(), "an owner has no quota");
        assertTrue(tally.isAnyOverQuota());
        tally.remove(job("b1"));
        assertFalse(tally.isAnyOverQuota());
        tally.add(job("w1"));
        assertTrue(tally.isAnyOverQuota(), "lab a holds 3 of 2 now");
        tally.leave(job("a1"));
        assertFalse(tally.isAnyOverQuota());
    }

    @Test
    void aProjectFillsItsQuotaWithoutWhatItHasBeyond() {
        Tally.Account b = tally.project("b");
        assertTrue(b.fillsQuotaWithout(500));
        assertTrue(b.fillsQuotaWithout(1_500), "exactly");
        assertFalse(b.fillsQuotaWithout(1_501));
        assertFalse(b.fillsQuotaWithout(2_000));
    }

    @Test
    void aJobIsEntitledToWhatItsQuotaHoldsBesideTheRest() {
        assertFalse(tally.isEntitled(job("w1")));
        assertTrue(tally.isEntitled(job("c0")), "a quota says nothing about work without GPUs");
        assertFalse(tally.isEntitled(job("x1")), "a project without quota among those with one");
        tally.remove(job("a1"));
        assertTrue(tally.isEntitled(job("w1")), "exactly");
    }

    @Test
    void interactiveWorkWaitsUntilThoseWhoLeaveHaveLeft() {
        tally.leave(job("a1"));
        assertEquals(1_000, tally.heldByProject("a"));
        assertEquals(2_000, tally.heldUntilStops("a"));
        assertEquals(2_500, tally.heldUntilStops("b"));
        assertTrue(tally.isEntitled(job("w1")));
        assertFalse(tally.isEntitled(job("i1")));
        assertEquals(1, tally.interactiveIn("a"));
        tally.leave(job("a2"));
        assertEquals(2_000, tally.heldUntilStops("a"));
        assertEquals(1, tally.interactiveIn("a"), "it runs until it has stopped");
    }

    @Test
    void aJobThatWasRemovedMayStillHaveToStop() {
        tally.remove(job("a2"));
        assertEquals(0, tally.interactiveIn("a"));
        assertEquals(1_000, tally.heldUntilStops("a"));
        tally.leaves(job("a2"));
        assertEquals(2_000, tally.heldUntilStops("a"));
        assertEquals(1_000, tally.heldByProject("a"));
    }

    @Test
    void aQuotaIsFullForWhoeverWouldFitIntoItAlone() {
        assertTrue(tally.isQuotaFull(job("w1")));
        assertFalse(tally.isQuotaFull(job("w3")), "3 are more than the quota ever holds");
        tally.remove(job("a1"));
        assertFalse(tally.isQuotaFull(job("w1")), "it has room");
        tally.remove(job("a2"));
        assertTrue(tally.isEntitled(job("i1")));
    }

    @Test
    void aCopyIsChangedAlone() {
        tally.leave(job("a1"));
        Tally copy = tally.copy();
        copy.remove(job("a2"));
        copy.remove(job("b1"));
        copy.leaves(job("b1"));
        assertEquals(0, copy.heldBy("ann"));
        assertEquals(1_000, copy.heldUntilStops("a"));
        assertEquals(0, copy.interactiveIn("a"));
        assertFalse(copy.isAnyOverQuota());
        assertEquals(1_000, tally.heldBy("ann"));
        assertEquals(2_000, tally.heldUntilStops("a"));
        assertEquals(2_500, tally.heldUntilStops("b"));
        assertEquals(1, tally.interactiveIn("a"));
        assertTrue(tally.isAnyOverQuota());
    }

    private static Job job(String name) {
        return SCENE.jobs().get(SCENE.id(name));
    }
}
