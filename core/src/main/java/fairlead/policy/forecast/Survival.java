package fairlead.policy.forecast;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How long jobs of one kind go on, from those that have ended and those that last at least so long:
 * they still run, or others have ended them (the estimate of Kaplan and Meier). Without the latter
 * the long ones would be missing.
 */
final class Survival {
    /**
     * A job may be a short trial as well as a night's training; counts little once some are seen.
     */
    private static final List<Duration> UNSEEN =
            List.of(
                    Duration.ofMinutes(1),
                    Duration.ofMinutes(10),
                    Duration.ofHours(1),
                    Duration.ofHours(6));

    private static final double UNSEEN_WEIGHT = 0.5;

    /** Some always outlive all that was seen. */
    private static final double BEYOND_MIN = 0.02;

    /** Of those the most that is thought, as a part from the shortest to the longest. */
    private static final double BEYOND_PART_MAX = 0.95;

    private static final double LEAST_SECONDS = 1;

    /** In order, and which part of all has ended by then. */
    private final double[] times;

    private final double[] ended;
    private final double longest;

    private record Life(double seconds, double weight, boolean isOver) implements Comparable<Life> {
        @Override
        public int compareTo(Life other) {
            int byTime = Double.compare(seconds, other.seconds);
            return byTime != 0 ? byTime : Boolean.compare(other.isOver, isOver);
        }
    }

    Survival(List<Duration> over, List<Duration> lastAtLeast) {
        var lives = new ArrayList<Life>();
        over.forEach(time -> lives.add(new Life(seconds(time), 1, true)));
        lastAtLeast.forEach(time -> lives.add(new Life(seconds(time), 1, false)));
        UNSEEN.forEach(time -> lives.add(new Life(seconds(time), UNSEEN_WEIGHT, true)));
        lives.sort(null);
        longest = lives.getLast().seconds();
        times = new double[over.size() + UNSEEN.size()];
        ended = new double[times.length];
        double atRisk = lives.stream().mapToDouble(Life::weight).sum();
        double alive = 1;
        int next = 0;
        for (Life life : lives) {
            if (life.isOver()) {
                alive *= Math.max(0, 1 - life.weight() / atRisk);
                times[next] = life.seconds();
                ended[next++] = 1 - alive;
            }
            atRisk -= life.weight();
        }
    }

    /**
     * What is left to a job that has run so long: this part of such jobs, from 0 to 1, ends sooner.
     * Of one that has outlived all others only this is thought: half of such jobs live as long
     * again.
     */
    Duration left(Duration served, double part) {
        double ran = seconds(served);
        int from = Arrays.binarySearch(times, ran);
        if (from < 0) from = -from - 1;
        while (from < times.length && times[from] <= ran) from++;
        double before = from == 0 ? 0 : ended[from - 1];
        double last = ended[ended.length - 1];
        double beyond = Math.max(1 - last, BEYOND_MIN);
        double place = part * (last - before + beyond);
        for (int i = from; i < times.length; i++)
            if (ended[i] - before > place) return duration(times[i] - ran);
        double rest = Math.min(BEYOND_PART_MAX, (place - (last - before)) / beyond);
        return duration(Math.max(longest, ran) / (1 - rest) - ran);
    }

    private static double seconds(Duration time) {
        return Math.max(LEAST_SECONDS, time.toMillis() / 1e3);
    }

    private static Duration duration(double seconds) {
        return Duration.ofMillis((long) (Math.max(LEAST_SECONDS, seconds) * 1_000));
    }
}
