package fairlead.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PaceTest {
    private final Pace pace = new Pace();

    @Test
    void theFirstBlocksTellNoRate() {
        for (int millis = 0; millis < 2_000; millis += 100) {
            pace.add(millis, millis == 0 ? 0 : 264);
            assertEquals(0, pace.bytesPerSecond());
        }
        pace.add(2_000, 8_000_000);
        assertEquals(4_000_000, pace.bytesPerSecond());
    }

    @Test
    void theLastSecondsCount() {
        for (int second = 0; second <= 20; second++) pace.add(second * 1000L, 100L * second);
        for (int second = 21; second <= 30; second++)
            pace.add(second * 1000L, 2_000L + 7 * (second - 20));
        assertEquals(7, pace.bytesPerSecond());
    }
}
