package fairlead.server.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;

final class SteadyClockTest {
    private Instant wall = Instant.parse("2026-01-01T12:00:00Z");
    private long nanos = 5;
    private final SteadyClock clock = new SteadyClock(() -> wall, () -> nanos);

    private void pass(Duration time) {
        wall = wall.plus(time);
        nanos += time.toNanos();
    }

    @Test
    void itTellsTheTimeOfTheWallClock() {
        pass(Duration.ofSeconds(3));
        assertEquals(Instant.parse("2026-01-01T12:00:03Z"), clock.get());
    }

    @Test
    void afterAJumpBackItGoesOnAtItsOwnPace() {
        pass(Duration.ofSeconds(3));
        clock.get();
        wall = wall.minus(Duration.ofHours(1));
        pass(Duration.ofSeconds(2));
        assertEquals(Instant.parse("2026-01-01T12:00:05Z"), clock.get());
        pass(Duration.ofSeconds(1));
        assertEquals(Instant.parse("2026-01-01T12:00:06Z"), clock.get());
    }

    @Test
    void aJumpAheadIsFollowed() {
        wall = wall.plus(Duration.ofHours(1));
        assertEquals(Instant.parse("2026-01-01T13:00:00Z"), clock.get());
    }
}
