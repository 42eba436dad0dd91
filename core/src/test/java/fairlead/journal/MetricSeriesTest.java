package fairlead.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class MetricSeriesTest {
    private static MetricSeries of(int points) {
        MetricSeries series = MetricSeries.empty("loss");
        for (int i = 0; i < points; i++)
            series = series.with(new MetricSeries.Point(i, i / 10.0, 1_000L * i, 1.0 / (i + 1)));
        return series;
    }

    @Test
    void allPointsAreKeptWhileTheyAreFew() {
        assertEquals(MetricSeries.POINTS_MAX, of(MetricSeries.POINTS_MAX).points().size());
    }

    @Test
    void ofManyAnEvenPartIsKeptWithTheFirstAndTheLast() {
        for (int points : new int[] {1_001, 5_000, 12_345, 100_000}) {
            MetricSeries series = of(points);
            int kept = series.points().size();
            assertTrue(kept <= MetricSeries.POINTS_MAX && kept >= 400, points + ": " + kept);
            assertEquals(0, series.points().getFirst().step());
            assertEquals(points - 1, series.points().getLast().step());
            for (int i = 0; i < kept - 1; i++)
                assertEquals((long) i * series.stride(), series.points().get(i).step());
            assertEquals(points, series.seen());
        }
    }

    @Test
    void theTextOfOneReadsAsTheSame() {
        MetricSeries series = of(1_234).with(new MetricSeries.Point(7, Double.NaN, 8, -1.5e-12));
        assertEquals(series, MetricSeries.read("loss", series.text()));
    }
}
