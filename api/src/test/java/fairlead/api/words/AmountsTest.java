package fairlead.api.words;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;

/** The other words of sizes and durations are tested where a spec is read. */
class AmountsTest {
    @Test
    void aUnitCountsByThousandsOrBy1024() {
        assertEquals(BigDecimal.ONE, Amounts.unit("", 1_000));
        assertEquals(BigDecimal.valueOf(1_000), Amounts.unit("k", 1_000));
        assertEquals(BigDecimal.valueOf(1L << 50), Amounts.unit("Pi", 1_024));
        assertThrows(IllegalArgumentException.class, () -> Amounts.unit("x", 1_000));
    }

    @Test
    void aMistakeIsSaidAsTheRestOfASentence() {
        var size = assertThrows(IllegalArgumentException.class, () -> Amounts.bytes("8GB"));
        assertEquals(
                "must be a whole number with a unit, such as 512M, 8G or 1T, but is '8GB'",
                size.getMessage());
        assertEquals(8L << 30, Amounts.bytes("8GiB"));
        assertEquals(Duration.ofMinutes(90), Amounts.duration("1h30m"));
        assertThrows(IllegalArgumentException.class, () -> Amounts.duration("30m1h"));
    }

    @Test
    void aWholeNumberHasBothItsBounds() {
        assertEquals(1, Amounts.whole("1", 1, 9));
        assertEquals(9, Amounts.whole("9", 1, 9));
        for (String wrong : List.of("0", "10", "", "1.5", "9223372036854775808")) {
            var refused =
                    assertThrows(IllegalArgumentException.class, () -> Amounts.whole(wrong, 1, 9));
            assertEquals(
                    "must be a whole number from 1 to 9, but is '" + wrong + "'",
                    refused.getMessage());
        }
    }
}
