package fairlead.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.job.SpecException;
import fairlead.testing.Seeds;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.SplittableRandom;

class UnitsTest {
    @ParameterizedTest
    @CsvSource({
        "90s, PT1M30S",
        "30m, PT30M",
        "4h, PT4H",
        "2d, PT48H",
        "1h30m, PT1H30M",
        "500ms, PT0.5S",
        "1d2h3m4s5ms, PT26H3M4.005S",
        "0s, PT0S",
        "007s, PT7S"
    })
    void durationsAreReadWithTheirUnits(String text, Duration duration) {
        assertEquals(duration, Units.duration(text, "time"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "90", "s", "1.5h", "-1s", "1h 30m", "30m1h", "1w", "4H", "1h30", "é"})
    void aDurationInAnotherFormIsRefusedWithTheForm(String text) {
        var e = assertThrows(SpecException.class, () -> Units.duration(text, "time"));
        assertEquals("time", e.field());
        assertTrue(e.problem().contains("such as 90s, 30m, 4h, 2d or 1h30m"), e.problem());
        assertTrue(e.problem().endsWith("but is '" + text + "'"), e.problem());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"9223372036854775807d", "99999999999999999999s", "9223372036854775807ms1d"})
    void aDurationThatOverflowsIsRefused(String text) {
        assertThrows(SpecException.class, () -> Units.duration(text, "time"));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1000, 1000",
        "1K, 1024",
        "512M, 536870912",
        "8G, 8589934592",
        "8GiB, 8589934592",
        "8Gi, 8589934592",
        "8g, 8589934592",
        "1T, 1099511627776"
    })
    void sizesArePowersOf1024(String text, long bytes) {
        assertEquals(bytes, Units.bytes(text, "memory"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "G", "1.5G", "-1", "8 G", "8GB", "8X", "8iB"})
    void aSizeInAnotherFormIsRefusedWithTheForm(String text) {
        var e = assertThrows(SpecException.class, () -> Units.bytes(text, "memory"));
        assertEquals("memory", e.field());
        assertTrue(e.problem().contains("such as 512M, 8G or 1T"), e.problem());
    }

    @ParameterizedTest
    @ValueSource(strings = {"8388608T", "9223372036854775808", "99999999999999999999999G"})
    void aSizeThatOverflowsIsRefused(String text) {
        var e = assertThrows(SpecException.class, () -> Units.bytes(text, "memory"));
        assertEquals("is too large: " + text, e.problem());
    }

    @Test
    void aLongTextIsNotRepeatedWhole() {
        var e = assertThrows(SpecException.class, () -> Units.bytes("x".repeat(100_000), "memory"));
        assertTrue(e.problem().length() < 200);
    }

    @ParameterizedTest
    @CsvSource({"PT1M30S, 1m30s", "PT48H, 2d", "PT0S, 0s", "PT0.5S, 500ms", "PT90M, 1h30m"})
    void durationsAreWrittenShort(Duration duration, String text) {
        assertEquals(text, Units.text(duration));
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1000, 1000", "1024, 1K", "8589934592, 8G", "8589934593, 8589934593"})
    void sizesAreWrittenInTheLargestExactUnit(long bytes, String text) {
        assertEquals(text, Units.text(bytes));
    }

    @Seeds(20)
    void whatIsWrittenReadsBackTheSame(long seed) {
        var dice = new SplittableRandom(seed);
        for (int i = 0; i < 500; i++) {
            long number = dice.nextLong(Long.MAX_VALUE) >> dice.nextInt(63);
            assertEquals(number, Units.bytes(Units.text(number), "memory"));
            Duration duration = Duration.ofMillis(number);
            assertEquals(duration, Units.duration(Units.text(duration), "time"));
        }
    }
}
