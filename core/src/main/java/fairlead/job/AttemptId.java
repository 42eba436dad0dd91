package fairlead.job;

import java.util.Comparator;

/** One try at running a job, counted from 1; the idempotency key towards engines. */
public record AttemptId(JobId job, int number) implements Comparable<AttemptId> {
    private static final Comparator<AttemptId> ORDER =
            Comparator.comparing(AttemptId::job).thenComparingInt(AttemptId::number);

    public AttemptId {
        if (number < 1) throw new IllegalArgumentException("attempt numbers start at 1: " + number);
    }

    @Override
    public int compareTo(AttemptId other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return job + "#" + number;
    }
}
