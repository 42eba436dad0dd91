package fairlead.policy.ranked;

import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.job.JobState;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** By what {@link Ranked} ranks the unfinished jobs; the earlier submit decides between equals. */
public enum Order {
    /** First come, first served; whatever runs goes on. */
    SUBMIT("it was submitted first") {
        @Override
        Rank rank(Job job, View view) {
            return new Rank(Duration.ZERO, !isPlaced(job), job);
        }
    },

    /**
     * Least attained service in two dimensions (Tiresias, NSDI 2019): three queues by the GPU-time
     * that a job has had; in a queue, whatever runs goes on, so that equals do not take turns.
     *
     * <p>Example: a job with 8 GPUs leaves the first queue after 407 s, one with 1 GPU after 3,250
     * s.
     */
    ATTAINED("it has had less GPU-time") {
        @Override
        Rank rank(Job job, View view) {
            Duration attained = attained(job, view.now());
            long queue = QUEUE_ENDS.stream().filter(end -> attained.compareTo(end) >= 0).count();
            return new Rank(Duration.ofSeconds(queue), !isPlaced(job), job);
        }

        /** When the job falls into the next queue. */
        @Override
        Optional<Instant> change(Job job, View view) {
            int gpus = job.spec().gpus();
            if (!(job.state() instanceof JobState.Running) || gpus == 0) return Optional.empty();
            Duration attained = attained(job, view.now());
            return QUEUE_ENDS.stream()
                    .filter(end -> attained.compareTo(end) < 0)
                    .findFirst()
                    .map(end -> view.now().plus(quotient(end.minus(attained), gpus)));
        }
    },

    /** Shortest remaining time first; jobs of unknown length come last. */
    TIME_LEFT("it needs less time") {
        @Override
        Rank rank(Job job, View view) {
            return new Rank(timeLeft(job, view), false, job);
        }
    },

    /** Smallest remaining GPU-time first; jobs of unknown length come last. */
    GPU_TIME_LEFT("it needs less GPU-time") {
        @Override
        Rank rank(Job job, View view) {
            Duration left = timeLeft(job, view);
            return new Rank(
                    left.equals(UNKNOWN) ? left : left.multipliedBy(job.spec().gpus()), false, job);
        }
    };

    /** GPU-time at which a job leaves a queue: the values of the published comparison. */
    private static final List<Duration> QUEUE_ENDS =
            List.of(Duration.ofSeconds(3_250), Duration.ofSeconds(7_200));

    private static final Duration UNKNOWN = Duration.ofSeconds(Long.MAX_VALUE);

    /** For the log of a job that has to make room. */
    final String why;

    Order(String why) {
        this.why = why;
    }

    /** Where a job stands: the lightest first. */
    record Rank(Duration weight, boolean waits, Job job) implements Comparable<Rank> {
        private static final Comparator<Rank> ORDER =
                Comparator.comparing(Rank::weight)
                        .thenComparing(Rank::waits)
                        .thenComparing(rank -> rank.job().submitted())
                        .thenComparing(rank -> rank.job().id());

        @Override
        public int compareTo(Rank other) {
            return ORDER.compare(this, other);
        }
    }

    abstract Rank rank(Job job, View view);

    /** When time alone will change the job's rank so that others may go before it. */
    Optional<Instant> change(Job job, View view) {
        return Optional.empty();
    }

    static boolean isPlaced(Job job) {
        return job.state() instanceof JobState.Starting || job.state() instanceof JobState.Running;
    }

    private static Duration attained(Job job, Instant now) {
        return job.served(now).multipliedBy(job.spec().gpus());
    }

    private static Duration timeLeft(Job job, View view) {
        return view.foresight()
                .runTime(job)
                .map(total -> total.minus(job.served(view.now())))
                .orElse(UNKNOWN);
    }

    /** Rounded up, so that the time has really come then. */
    private static Duration quotient(Duration dividend, int divisor) {
        Duration down = dividend.dividedBy(divisor);
        return down.multipliedBy(divisor).equals(dividend) ? down : down.plusNanos(1);
    }
}
