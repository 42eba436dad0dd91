package fairlead.server.http;

import fairlead.api.ErrorCode;

import java.util.HashMap;
import java.util.Map;

/**
 * How much of the server one person may take: calls in a time, and answers that go on for long. The
 * server's owner is not limited. Any thread.
 */
public final class PersonLimits {
    /** Of either; a mistake in the unit is above it. */
    public static final int MAX = 1_000_000;

    /** A person who was idle may make so many seconds' calls at once. */
    private static final int BURST_SECONDS = 5;

    private static final long NANOS = 1_000_000_000L;

    private final Most most;
    private final String owner;
    private final Map<String, Bucket> buckets = new HashMap<>();
    private final Map<String, Integer> streams = new HashMap<>();

    /**
     * What everyone may.
     *
     * @param requestsPerSecond calls, on average
     * @param streams open at once
     */
    public record Most(int requestsPerSecond, int streams) {
        /**
         * A script that submits in a loop makes a hundred a second; the server answers thousands.
         */
        public static final Most DEFAULT = new Most(200, 100);
    }

    /** How many calls somebody may still make, as of a moment. */
    private record Bucket(double left, long at) {}

    /**
     * @param owner of the server
     */
    public PersonLimits(Most most, String owner) {
        this.most = most;
        this.owner = owner;
    }

    /**
     * Counts a call of somebody, or refuses it.
     *
     * @param now in nanoseconds that only grow
     */
    void admit(String person, long now) {
        if (person.equals(owner)) return;
        double full = (double) most.requestsPerSecond() * BURST_SECONDS;
        synchronized (buckets) {
            // Whoever has not called for so long has all of theirs again.
            buckets.values().removeIf(each -> now - each.at() > BURST_SECONDS * NANOS);
            Bucket last = buckets.getOrDefault(person, new Bucket(full, now));
            double grown = (double) (now - last.at()) / NANOS * most.requestsPerSecond();
            double left = Math.min(full, last.left() + grown);
            buckets.put(person, new Bucket(Math.max(0, left - 1), now));
            if (left >= 1) return;
        }
        throw new Problem(
                ErrorCode.BUSY,
                "%s calls more often than %d times a second; try again in a second"
                        .formatted(person, most.requestsPerSecond()));
    }

    /** Counts a stream of somebody, or refuses it. */
    void open(String person) {
        if (person.equals(owner)) return;
        synchronized (streams) {
            int count = streams.getOrDefault(person, 0);
            if (count >= most.streams())
                throw new Problem(
                        ErrorCode.BUSY,
                        "%s has %d streams open, which is the most; close some"
                                .formatted(person, count));
            streams.put(person, count + 1);
        }
    }

    void close(String person) {
        synchronized (streams) {
            streams.computeIfPresent(person, (_, count) -> count == 1 ? null : count - 1);
        }
    }
}
