package fairlead.policy.forecast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.policy.forecast.Calibration.Spread;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

class CalibrationTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    /**
     * By whatever factor the draws are off. Not for half: a band always holds what is said to be
     * most likely, so it is too wide where that is far too late.
     */
    @ParameterizedTest
    @ValueSource(doubles = {0.8, 1, 1.5, 2})
    void aboutEightOfTenStartsFallIntoTheBand(double factor) {
        var dice = new SplittableRandom(1);
        var calibration = Calibration.UNSEEN;
        int inside = 0;
        int rounds = 2_000;
        for (int i = 0; i < rounds; i++) {
            double truth = Math.exp(dice.nextDouble(6, 11));
            var foreseen = new Spread(seconds(truth * 0.8), seconds(truth), seconds(truth * 1.2));
            Duration wait = seconds(factor * truth * Math.exp(dice.nextGaussian() / 4));
            Spread told = calibration.told(foreseen);
            if (told.low().compareTo(wait) <= 0 && wait.compareTo(told.high()) <= 0) inside++;
            calibration = calibration.after(foreseen, NOON.plus(Duration.ofHours(i)), wait);
        }
        double part = inside / (double) rounds;
        assertTrue(part > 0.75 && part < 0.9, "inside: " + part);
    }

    @Test
    void oneMissDoesNotMakeAllBandsUseless() {
        var foreseen = new Spread(seconds(600), seconds(900), seconds(1_200));
        Spread before = Calibration.UNSEEN.told(foreseen);
        var missed = Calibration.UNSEEN.after(foreseen, NOON, Duration.ofDays(3));
        Spread after = missed.told(foreseen);
        assertTrue(after.high().compareTo(before.high().multipliedBy(2)) < 0, after.toString());
        assertEquals(before.middle(), after.middle());
    }

    @Test
    void aBatchThatWasToldTogetherCountsOnce() {
        var foreseen = new Spread(seconds(600), seconds(900), seconds(1_200));
        var calibration = Calibration.UNSEEN;
        for (int i = 0; i < 100; i++)
            calibration = calibration.after(foreseen, NOON.plusSeconds(i), Duration.ofDays(3));
        var once = Calibration.UNSEEN.after(foreseen, NOON, Duration.ofDays(3));
        assertEquals(once.told(foreseen), calibration.told(foreseen));
    }

    @Test
    void aBandHoldsWhatIsMostLikely() {
        var foreseen = new Spread(seconds(0), seconds(0), seconds(0));
        Spread told = Calibration.UNSEEN.told(foreseen);
        assertEquals(Duration.ZERO, told.low());
        assertTrue(told.high().compareTo(told.middle()) >= 0);
    }

    /** Whatever was seen before, and wherever it lies beside the draws. */
    @ParameterizedTest
    @ValueSource(doubles = {0.1, 0.5, 1, 2, 10})
    void whatIsExpectedIsNeverToldOutsideItsBand(double factor) {
        var dice = new SplittableRandom(1);
        var calibration = Calibration.UNSEEN;
        for (int i = 0; i < 200; i++) {
            double low = Math.exp(dice.nextDouble(0, 11));
            double high = low * dice.nextDouble(1, 5);
            double middle = low * dice.nextDouble(0, 8);
            var foreseen = new Spread(seconds(low), seconds(middle), seconds(high));
            Spread told = calibration.told(foreseen);
            boolean isInside =
                    told.low().compareTo(told.middle()) <= 0
                            && told.middle().compareTo(told.high()) <= 0;
            assertTrue(isInside, told.toString());
            calibration =
                    calibration.after(
                            foreseen, NOON.plus(Duration.ofHours(i)), seconds(factor * middle));
        }
    }

    /** A logarithm of 0.4 below and of 0.3 above, over the half minute that is no error. */
    @Test
    void beforeAnythingWasSeenBandsAreWiderThanTheDraws() {
        Spread told =
                Calibration.UNSEEN.told(new Spread(seconds(600), seconds(900), seconds(1_200)));
        assertMillis(630 * Math.exp(-0.4) - 30, told.low());
        assertMillis(1_230 * Math.exp(0.3) - 30, told.high());
    }

    @Test
    void whatWasToldInOneHalfHourCountsAsTheMeanOfItsStarts() {
        var foreseen = new Spread(seconds(70), seconds(70), seconds(70));
        var calibration = Calibration.UNSEEN;
        for (double late : new double[] {0.2, 0.5, 0.8})
            calibration = calibration.after(foreseen, NOON, seconds(100 * Math.exp(late) - 30));
        Calibration.Span span = calibration.spans().getLast();
        assertEquals(3, span.starts());
        assertEquals(0.5, span.late(), 1e-4);
        assertEquals(-0.4, span.early(), 1e-4, "the last counts as 0.5: luck has its bound");
        assertEquals(Calibration.UNSEEN.spans().size(), calibration.spans().size());
    }

    @Test
    void aStartIsEarlyBeforeTheBandAndLateBehindIt() {
        var foreseen = new Spread(seconds(70), seconds(170), seconds(370));
        Calibration.Span between =
                Calibration.UNSEEN.after(foreseen, NOON, seconds(170)).spans().getLast();
        assertEquals(-0.5, between.early(), 1e-9);
        assertEquals(-0.5, between.late(), 1e-9);
        Calibration.Span early =
                Calibration.UNSEEN.after(foreseen, NOON, seconds(50)).spans().getLast();
        assertEquals(Math.log(100 / 80.0), early.early(), 1e-9);
        Calibration.Span late =
                Calibration.UNSEEN.after(foreseen, NOON, Duration.ofDays(9)).spans().getLast();
        assertEquals(1, late.late(), 1e-9, "one miss by far has its bound");
    }

    @Test
    void theOldestHalfHourIsForgottenInWhateverOrderTheyCome() {
        var foreseen = new Spread(seconds(70), seconds(70), seconds(70));
        var calibration = Calibration.UNSEEN;
        int count = calibration.spans().size();
        for (int i = count; i >= 0; i--)
            calibration =
                    calibration.after(foreseen, NOON.plus(Duration.ofMinutes(30 * i)), seconds(70));
        long first = NOON.getEpochSecond() / 1_800;
        assertEquals(
                LongStream.rangeClosed(first + 1, first + count).boxed().toList(),
                calibration.spans().stream().map(Calibration.Span::number).toList());
    }

    /** Of twenty errors, and one that nobody has seen yet, nine of ten lie below 17.9 of them. */
    @Test
    void theBandIsMovedByAsMuchAsNineOfTenStartsHaveNeeded() {
        var spans = new ArrayList<Calibration.Span>();
        for (int i = 0; i < 20; i++)
            spans.add(new Calibration.Span(i, 1, (19 - i) / 50.0, i / 100.0));
        var foreseen = new Spread(seconds(600), seconds(900), seconds(1_200));
        Spread told = new Calibration(spans).told(foreseen);
        assertMillis(630 * Math.exp(-0.358) - 30, told.low());
        assertMillis(1_230 * Math.exp(0.179) - 30, told.high());
        Spread byFew = new Calibration(spans.subList(0, 5)).told(foreseen);
        assertMillis(1_230 * Math.exp(0.04) - 30, byFew.high());
    }

    private static void assertMillis(double seconds, Duration told) {
        assertEquals(seconds * 1_000, told.toMillis(), 1);
    }

    private static Duration seconds(double seconds) {
        return Duration.ofMillis((long) (seconds * 1_000));
    }
}
