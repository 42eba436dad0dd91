package fairlead.server.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.job.AttemptId;
import fairlead.job.JobId;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;

final class TimekeeperTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final AttemptId ATTEMPT = new AttemptId(new JobId("exp_1767268800_0000002a"), 2);

    @TempDir Path folder;

    private static ClockRecord kept() {
        return new ClockRecord(
                new Boot("monday", Duration.ofHours(5)),
                NOON,
                Map.of(ATTEMPT, Duration.ofMinutes(-3)));
    }

    /** Ten minutes have passed in the same boot; in another one only the wall clock knows. */
    @ParameterizedTest
    @CsvSource({
        "monday,  PT10M,         PT0S",
        "monday,  PT10M0.5S,     PT0S",
        "monday,  PT24H10M,      PT24H",
        "monday,  PT-24H,        PT-24H-10M",
        "tuesday, PT10M,         PT0S",
        "tuesday, PT1H,          PT0S",
        "tuesday, PT24H,         PT23H",
        "tuesday, PT-24H,        PT-24H"
    })
    void whatTheWallClockSaysTooMuchIsAJump(String boot, Duration said, Duration jump) {
        var now = new Boot(boot, Duration.ofHours(5).plusMinutes(10));
        assertEquals(jump, kept().jump(now, NOON.plus(said)));
    }

    @Test
    void whereTheSystemDoesNotTellItsBootTheWallClockIsBelievedWithinItsBound() {
        var record = new ClockRecord(new Boot("", Duration.ZERO), NOON, Map.of());
        var now = new Boot("", Duration.ZERO);
        assertEquals(Duration.ofHours(1), record.jump(now, NOON.plus(Duration.ofHours(2))));
    }

    @Test
    void theFileHoldsAllOfIt() throws Exception {
        Path file = folder.resolve("clock");
        kept().write(file);
        assertEquals(Optional.of(kept()), ClockRecord.read(file));
        for (String wrong : new String[] {"", "monday", "monday PT1H yesterday", "a b c\nd e f"}) {
            Files.writeString(file, wrong);
            assertEquals(Optional.empty(), ClockRecord.read(file), wrong);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "PT-47H-59M-59.99S, 2 days behind",
        "PT24H,             1 day ahead of",
        "PT25H10M,          1 day 1 hour ahead of",
        "PT-1M-30S,         1 minute 30 seconds behind",
    })
    void aJumpIsToldInWords(Duration jump, String words) {
        assertEquals(words, Timekeeper.words(jump));
    }

    @Test
    void oneServerLeavesItsClockToTheNext() throws Exception {
        Path file = folder.resolve("clock");
        var bugs = new ArrayList<Throwable>();
        var first = new Timekeeper(file, bugs::add);
        assertEquals(Duration.ZERO, first.jump());
        first.start(() -> Map.of(ATTEMPT, Duration.ofHours(2)));
        // As after a kill: the file is there from the start on.
        var second = new Timekeeper(file, Boot.now(), () -> ahead(Duration.ofDays(1)), bugs::add);
        assertTrue(
                second.jump().minusDays(1).abs().compareTo(Duration.ofMinutes(1)) < 0,
                second.jump()::toString);
        assertEquals(Map.of(ATTEMPT, Duration.ofHours(2)), second.before());
        first.stop(Duration.ofSeconds(20));
        assertTrue(bugs.isEmpty());
    }

    private static Instant ahead(Duration time) {
        return Instant.now().plus(time);
    }
}
