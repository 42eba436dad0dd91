package fairlead.server.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;

final class SteadyClockTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private long nanos = 5;
    private long upNanos = Duration.ofDays(3).toNanos();
    private final SteadyClock clock = new SteadyClock(NOON, () -> nanos, () -> upNanos);

    private void pass(Duration time) {
        nanos += time.toNanos();
        upNanos += time.toNanos();
    }

    @Test
    void itGoesOnFromItsStartAsTimePasses() {
        assertEquals(NOON, clock.get());
        pass(Duration.ofMillis(1));
        assertEquals(NOON.plusMillis(1), clock.get());
        pass(Duration.ofDays(400));
        assertEquals(NOON.plus(Duration.ofDays(400)).plusMillis(1), clock.get());
    }

    /** The steady clock of Java stands still then. */
    @Test
    void timePassesWhileTheMachineSleeps() {
        pass(Duration.ofMinutes(1));
        upNanos += Duration.ofHours(8).toNanos();
        pass(Duration.ofSeconds(1));
        assertEquals(NOON.plus(Duration.ofHours(8)).plusSeconds(61), clock.get());
        upNanos += Duration.ofHours(1).toNanos();
        pass(Duration.ofSeconds(1));
        assertEquals(NOON.plus(Duration.ofHours(9)).plusSeconds(62), clock.get());
    }

    @Test
    void whatIsReadALittleLateIsNoSleep() {
        upNanos += Duration.ofMillis(900).toNanos();
        pass(Duration.ofSeconds(2));
        assertEquals(NOON.plusSeconds(2), clock.get());
    }
}
