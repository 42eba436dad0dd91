package fairlead.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Collections;
import java.util.List;

class SurvivalTest {
    private static final Duration HOUR = Duration.ofHours(1);

    @Test
    void aNewJobRunsAsLongAsOthersHave() {
        var hourLong = new Survival(Collections.nCopies(50, HOUR), List.of());
        assertEquals(HOUR.minusSeconds(1), hourLong.left(Duration.ZERO, 0.5));
        assertEquals(
                Duration.ofMinutes(20), hourLong.left(Duration.ofMinutes(40), 0.5), "the rest");
    }

    @Test
    void thoseThatStillRunCountAsLong() {
        List<Duration> over = Collections.nCopies(10, Duration.ofMinutes(5));
        var alone = new Survival(over, List.of());
        var beside = new Survival(over, Collections.nCopies(30, Duration.ofHours(8)));
        assertTrue(alone.left(Duration.ZERO, 0.5).compareTo(Duration.ofMinutes(6)) < 0);
        assertTrue(beside.left(Duration.ZERO, 0.5).compareTo(Duration.ofHours(6)) >= 0);
    }

    @Test
    void ofOneThatHasOutlivedAllOthersHalfLiveAsLongAgain() {
        var survival = new Survival(Collections.nCopies(50, HOUR), List.of());
        assertEquals(20, survival.left(Duration.ofHours(20), 0.5).toHours(), 1);
        assertTrue(survival.left(Duration.ofHours(20), 0.1).toHours() < 5);
    }

    @Test
    void theLaterPartHasMoreLeft() {
        var survival =
                new Survival(
                        List.of(HOUR, HOUR.multipliedBy(2), HOUR.multipliedBy(9)),
                        List.of(HOUR.multipliedBy(3)));
        Duration last = Duration.ZERO;
        for (int i = 0; i <= 100; i++) {
            Duration left = survival.left(Duration.ofMinutes(7), i / 100.0);
            assertTrue(left.compareTo(last) >= 0, left + " after " + last);
            last = left;
        }
    }
}
