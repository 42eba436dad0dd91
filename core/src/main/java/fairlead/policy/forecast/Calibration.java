package fairlead.policy.forecast;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * By how much forecasts have been off lately, and so how wide a band must be for eight starts of
 * ten to fall into it: the band that the draws of a forecast give is widened, or narrowed, by as
 * much as nine of ten starts have needed on that side (conformal prediction). Immutable.
 *
 * <p>What was foretold within one half-hour counts once: jobs that wait for the same ends are wrong
 * together, and a batch of a hundred would otherwise be all that is remembered.
 *
 * @param spans in order, those before anything was seen first
 */
public record Calibration(List<Span> spans) {
    /** Follows what people do, and is not thrown about by one batch of jobs. */
    private static final int SPANS_MAX = 20;

    /** Draws know nothing of what nobody has seen, so bands begin wider than they are. */
    private static final Span BEFORE = new Span(Long.MIN_VALUE, 1, 0.4, 0.3);

    public static final Calibration UNSEEN =
            new Calibration(Collections.nCopies(SPANS_MAX, BEFORE));

    /** One miss by far must not make every band useless, nor luck every band narrow. */
    private static final double MISS_MAX = 1;

    private static final double INSIDE_MAX = 0.5;

    private static final long SPAN_SECONDS = 1_800;

    /** Half a minute more or less is no error worth counting. */
    private static final double SLACK_SECONDS = 30;

    private static final double PART = 0.9;

    public Calibration {
        spans = List.copyOf(spans);
    }

    /**
     * What became of all that was foretold within one span.
     *
     * @param early how much before the band they started, as a logarithm, in the mean; negative
     *     inside
     * @param late the same behind the band
     */
    public record Span(long number, int starts, double early, double late) {
        private Span and(Span one) {
            return new Span(
                    number,
                    starts + 1,
                    early + (one.early - early) / (starts + 1),
                    late + (one.late - late) / (starts + 1));
        }
    }

    /**
     * When a job starts, from now on, by the draws of a forecast.
     *
     * @param low so early is one of ten draws
     * @param high so late is one of ten
     */
    public record Spread(Duration low, Duration middle, Duration high) {}

    /** With one more start, so long after it was foreseen. */
    public Calibration after(Spread foreseen, Instant told, Duration wait) {
        double at = log(wait);
        var one =
                new Span(
                        told.getEpochSecond() / SPAN_SECONDS,
                        1,
                        clamped(log(foreseen.low()) - at),
                        clamped(at - log(foreseen.high())));
        var more = new ArrayList<>(spans);
        for (int i = 0; i < more.size(); i++) {
            if (more.get(i).number() != one.number()) continue;
            more.set(i, more.get(i).and(one));
            return new Calibration(more);
        }
        more.add(one);
        more.sort(Comparator.comparingLong(Span::number));
        return new Calibration(more.subList(1, more.size()));
    }

    /** The band that is shown: eight of ten starts fall into it. */
    public Spread told(Spread foreseen) {
        Duration low = shifted(foreseen.low(), -quantile(spans.stream().map(Span::early).toList()));
        Duration high = shifted(foreseen.high(), quantile(spans.stream().map(Span::late).toList()));
        Duration middle = foreseen.middle();
        return new Spread(
                low.compareTo(middle) < 0 ? low : middle,
                middle,
                high.compareTo(middle) > 0 ? high : middle);
    }

    private static double clamped(double score) {
        return Math.clamp(score, -INSIDE_MAX, MISS_MAX);
    }

    private static double quantile(List<Double> scores) {
        var sorted = new ArrayList<>(scores);
        Collections.sort(sorted);
        // One more than there are: the next error is as likely to be beyond the largest as between.
        double place = Math.min(sorted.size() - 1, PART * (sorted.size() + 1) - 1);
        double low = sorted.get((int) place);
        double high = sorted.get((int) Math.ceil(place));
        return low + (high - low) * (place - (int) place);
    }

    /** Waits are compared by their ratio, and those below the slack hardly differ. */
    public static double log(Duration time) {
        return Math.log(Math.max(0, time.toMillis() / 1e3) + SLACK_SECONDS);
    }

    /** Later by so much of {@link #log}. */
    public static Duration shifted(Duration time, double by) {
        double seconds = Math.exp(log(time) + by) - SLACK_SECONDS;
        return Duration.ofMillis((long) (Math.max(0, seconds) * 1_000));
    }
}
