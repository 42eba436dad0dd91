package fairlead.policy.forecast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    /**
     * One job took 100 s. With four guesses of half its weight at 1 min, 10 min, 1 h and 6 h a
     * sixth has ended after the first, and half after 100 s.
     */
    @ParameterizedTest(name = "after {0} s, at {1}: {2} s")
    @CsvSource({
        "0, 0.1, 59",
        "0, 0.4, 99",
        "0, 0.6, 599",
        "0, 0.75, 3599",
        "0, 0.9, 21599",
        "0, 1, 431999",
        "100, 0.1, 500",
        "100, 0.5, 3500",
        "100, 0.7, 21500",
        "100, 1, 431900",
        "99, 0.1, 1",
    })
    void whatIsLeftFollowsThoseThatHaveEnded(long served, double part, long left) {
        var survival = new Survival(List.of(Duration.ofSeconds(100)), List.of());
        double seconds = survival.left(Duration.ofSeconds(served), part).toMillis() / 1e3;
        assertEquals(left, seconds, 0.01);
    }

    @Test
    void whoEndsAtTheMomentToWhichAnotherHasRunEndsBeforeIt() {
        Duration both = Duration.ofSeconds(100);
        var survival = new Survival(List.of(both), List.of(both));
        assertEquals(Duration.ofSeconds(99), survival.left(Duration.ZERO, 0.36));
        assertEquals(Duration.ofSeconds(599), survival.left(Duration.ZERO, 0.42));
    }

    /** One runs for 50,000 s, which a third outlives: of those three tenths are left at 0.9. */
    @Test
    void whoOutlivesAllThatEndedIsThoughtToOutliveTheLongestOfThoseThatRun() {
        var survival = new Survival(List.of(), List.of(Duration.ofSeconds(50_000)));
        assertEquals(50_000 / 0.3 - 1, survival.left(Duration.ZERO, 0.9).toMillis() / 1e3, 0.1);
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
