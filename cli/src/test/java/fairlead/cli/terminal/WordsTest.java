package fairlead.cli.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;

class WordsTest {
    @ParameterizedTest
    @CsvSource({"90, 90", "90s, 90", "2M, 120", "1d12h, 129600", "1h30m, 5400", "0s, 0"})
    void aTimeHasUnitsInEitherCaseOrIsInSeconds(String text, long seconds) throws UsageException {
        assertEquals(Duration.ofSeconds(seconds), Words.duration(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "-5m", "5x", "1h 30m", "99999999999999999999d"})
    void whatIsNoTimeIsRefused(String text) {
        assertThrows(UsageException.class, () -> Words.duration(text));
    }
}
