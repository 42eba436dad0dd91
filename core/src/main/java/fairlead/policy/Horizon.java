package fairlead.policy;

import fairlead.cluster.View;
import fairlead.job.Job;

import java.time.Duration;
import java.time.Instant;

/**
 * When jobs are expected to end. What is known is taken; a running job about which nothing is known
 * is expected to run as long again as it has run so far, which is wrong for each and right for
 * many.
 */
public final class Horizon {
    /** Nobody ends in no time: keeps a job that has just started from seeming about to end. */
    private static final Duration LEAST = Duration.ofMinutes(1);

    /** What a waiting job about which nothing is known is expected to take. */
    private static final Duration GUESS = Duration.ofHours(1);

    private Horizon() {}

    /** When a running job is expected to end, stretched by this factor in percent. */
    public static Instant end(Job job, View view, int percent) {
        Duration served = job.served(view.now());
        Duration left =
                view.foresight()
                        .runTime(job)
                        .map(total -> total.minus(served))
                        .orElse(served.compareTo(LEAST) < 0 ? LEAST : served);
        Duration least = left.isNegative() ? LEAST : left;
        return view.now().plus(scaled(least, percent));
    }

    /** How long a waiting job is expected to run once it starts. */
    public static Duration runTime(Job job, View view, int percent) {
        Duration known =
                view.foresight().runTime(job).map(total -> total.minus(job.served())).orElse(GUESS);
        return scaled(known.isNegative() ? LEAST : known, percent);
    }

    private static Duration scaled(Duration time, int percent) {
        return time.multipliedBy(percent).dividedBy(100);
    }
}
