package fairlead.policy.fair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.policy.Room;
import fairlead.policy.Scenario;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** On n one GPU is free, x1 ends in 10 minutes and x2 in 20; gang needs three. */
class ReservationTest {
    private static final Scenario SCENE =
            Scenario.parse(
                    List.of(
                            "node m gpus=2",
                            "node n gpus=4",
                            "active x1 xu gpus=1 limit=70 on n 0",
                            "active x2 xu gpus=1 limit=80 on n 1",
                            "active x3 xu gpus=1 limit=900 on n 2",
                            "active y1 xu gpus=1 limit=900 on m 0",
                            "wait gang ann gpus=3",
                            "wait short bob gpus=1 limit=20",
                            "wait long bob gpus=1 limit=21",
                            "wait open bob gpus=1",
                            "wait huge bob gpus=9",
                            "wait pair bob gpus=2"));
    private static final View VIEW = SCENE.view();

    @Test
    void whoEndsBeforeTheStartMayPass() {
        Reservation reserved = of("gang", Set.of()).orElseThrow();
        assertEquals(job("gang"), reserved.job());
        assertTrue(reserved.isPassedInTime(job("short"), VIEW), "when x2 ends");
        assertFalse(reserved.isPassedInTime(job("long"), VIEW));
        assertFalse(reserved.isPassedInTime(job("open"), VIEW), "nobody knows when it ends");
    }

    @Test
    void afterADayNobodyPasses() {
        Reservation reserved = of("gang", Set.of()).orElseThrow();
        View nextDay = VIEW.at(job("gang").submitted().plus(Duration.ofHours(24)));
        assertFalse(reserved.isPassedInTime(job("short"), nextDay));
    }

    @Test
    void whoStaysTakesAPlaceBesideTheReservedOne() {
        Reservation reserved = of("gang", Set.of()).orElseThrow();
        Room room = Room.now(VIEW);
        assertTrue(reserved.fitsBeside(job("long").spec(), room));
        var one = job("long").spec().roles().getFirst().resources();
        assertTrue(reserved.fitsBesideOn("m", one, room));
        assertFalse(reserved.fitsBesideOn("n", one, room), "all of it is taken then");
        assertEquals(
                "m",
                reserved.takeBeside(job("long"), room).orElseThrow().tasks().getFirst().node());
        assertFalse(reserved.fitsBeside(job("open").spec(), room), "and no more");
        assertEquals(Optional.empty(), reserved.takeBeside(job("open"), room));
    }

    @Test
    void aStopCountsOnceForThoseWhoseEndIsWaitedFor() {
        Reservation reserved = of("gang", Set.of()).orElseThrow();
        Room room = Room.ifEmpty(VIEW);
        assertFalse(reserved.fitsBeside(job("pair").spec(), room));
        reserved.release(job("x1"));
        assertFalse(reserved.fitsBeside(job("pair").spec(), room), "x1 is over by then");
        reserved.hold(job("x1"));
        reserved.release(job("y1"));
        assertTrue(reserved.fitsBeside(job("pair").spec(), room), "both GPUs of m");
        reserved.hold(job("y1"));
        assertFalse(reserved.fitsBeside(job("pair").spec(), room));
    }

    @Test
    void whoLeavesAlreadyIsNotWaitedForAndWhatNeverFitsReservesNothing() {
        assertEquals(Optional.empty(), of("huge", Set.of()));
        Set<JobId> three = Set.of(SCENE.id("x1"), SCENE.id("x2"), SCENE.id("x3"));
        assertEquals(Optional.empty(), of("gang", three), "their room is counted already");
    }

    @Test
    void endsAreInOrderAndAtTheSameTimeById() {
        Reservation.End early = end("x1", 1);
        Reservation.End late = end("x1", 2);
        Reservation.End other = end("x2", 1);
        assertEquals(List.of(early, other, late), Stream.of(late, other, early).sorted().toList());
        assertEquals(0, early.compareTo(end("x1", 1)));
    }

    private static Reservation.End end(String name, int minutes) {
        Job job = job(name);
        var seat = new Reservation.Seat(job, null);
        return new Reservation.End(VIEW.now().plus(Duration.ofMinutes(minutes)), seat);
    }

    private static Optional<Reservation> of(String name, Set<JobId> leaving) {
        return Reservation.of(
                job(name), new StartingPoint(VIEW), Room.now(VIEW), List.of(), leaving);
    }

    private static Job job(String name) {
        return SCENE.jobs().get(SCENE.id(name));
    }
}
