package fairlead.server.runtime;

import fairlead.control.Controller;
import fairlead.job.AttemptId;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobState;
import fairlead.job.StopReason;

import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tells the ranks of a training job whether to stop. Ranks that train together must stop together:
 * where one was told to go on, so are all others, and where one was told to stop, all are, because
 * a wish to stop is never taken back. Any thread; remembers one point for each attempt that is
 * alive.
 */
public final class StopOrders {
    private final Controller controller;
    private final Instant begun;

    /** Where ranks were told to go on last. */
    private final Map<JobId, Passed> passed = new ConcurrentHashMap<>();

    private record Passed(int attempt, Point point) {}

    /** A place in a training at which each rank asks: before an epoch, or after so many steps. */
    public record Point(int epoch, long step) implements Comparable<Point> {
        private static final Comparator<Point> ORDER =
                Comparator.comparingInt(Point::epoch).thenComparingLong(Point::step);

        static final Point NONE = new Point(-1, 0);

        @Override
        public int compareTo(Point other) {
            return ORDER.compare(this, other);
        }
    }

    /**
     * @param begun when this server started: it does not know what ranks were told before
     */
    public StopOrders(Controller controller, Instant begun) {
        this.controller = controller;
        this.begun = begun;
    }

    /** Whether the attempt shall stop once its work is safe. */
    public boolean isWished(AttemptId attempt) {
        return controller
                .unfinished(attempt.job())
                .filter(job -> isAsked(job, attempt))
                .isPresent();
    }

    private static boolean isAsked(Job job, AttemptId attempt) {
        return isAsked(job)
                && job.state() instanceof JobState.Active alive
                && alive.attempt().id().equals(attempt);
    }

    /** Whether its script was asked to stop once its work is safe. */
    static boolean isAsked(Job job) {
        return job.state() instanceof JobState.Stopping stopping
                && stopping.reason() instanceof StopReason.Preempted preempted
                && preempted.atCheckpoint();
    }

    /**
     * Must come before the rank's report is taken in: what another rank was told by an earlier
     * server is guessed from the job as it stands until then.
     */
    public void arrive(Job job, AttemptId attempt, Point point) {
        Passed last = passed.get(attempt.job());
        if (last != null && last.attempt() >= attempt.number()) return;
        dropEnded();
        passed.putIfAbsent(attempt.job(), new Passed(attempt.number(), first(job, attempt, point)));
    }

    /**
     * Other ranks may have been told to go on here, before a crash. If work was made safe after the
     * wish, they were told to stop instead.
     */
    private Point first(Job job, AttemptId attempt, Point point) {
        boolean isOurs = job.started().isEmpty() || job.started().get().isAfter(begun);
        if (isOurs || job.spec().gpus() <= 1 && job.spec().tasks() == 1) return Point.NONE;
        boolean wasToldToStop =
                isAsked(job, attempt)
                        && job.progress().safe().filter(since(job)::isBefore).isPresent();
        return wasToldToStop ? Point.NONE : point;
    }

    private static Instant since(Job job) {
        return ((JobState.Active) job.state()).since();
    }

    private void dropEnded() {
        passed.entrySet()
                .removeIf(
                        entry ->
                                !isAlive(
                                        new AttemptId(entry.getKey(), entry.getValue().attempt())));
    }

    private boolean isAlive(AttemptId attempt) {
        return controller
                .unfinished(attempt.job())
                .filter(
                        job ->
                                job.state() instanceof JobState.Active alive
                                        && alive.attempt().id().equals(attempt))
                .isPresent();
    }

    /**
     * The order to a rank that has arrived there.
     *
     * @param mayStop whether the training could stop at that point at all
     */
    public boolean stops(AttemptId attempt, Point point, boolean mayStop) {
        // The wish is read inside, or two ranks could be told differently while it is made.
        Passed last =
                passed.computeIfPresent(
                        attempt.job(),
                        (_, before) -> {
                            boolean isLate =
                                    before.attempt() != attempt.number()
                                            || point.compareTo(before.point()) <= 0;
                            boolean goesOn = !isLate && !(mayStop && isWished(attempt));
                            return goesOn ? new Passed(attempt.number(), point) : before;
                        });
        // Whoever stands behind the last point at which ranks went on was not told to go on.
        return last != null
                && last.attempt() == attempt.number()
                && point.compareTo(last.point()) > 0;
    }
}
