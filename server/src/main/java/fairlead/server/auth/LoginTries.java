package fairlead.server.auth;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;

/**
 * How often somebody has tried to log in and failed. Names share a fixed number of counters, so
 * that its memory is bounded and no flood of invented names wipes out what is known of a real one.
 * Which names share one follows from a secret, and differs between starts. Any thread.
 */
public final class LoginTries {
    /** Enough for fingers that slip and for scripts that start together. */
    static final int TRIES_MAX = 20;

    /** Twenty in five minutes are two million in a year: hopeless against six random characters. */
    static final Duration WINDOW = Duration.ofMinutes(5);

    private static final int COUNTERS = 1 << 14;

    private final int most;
    private final int salt = new SecureRandom().nextInt();
    private final int[] tries = new int[COUNTERS];
    private final long[] windowEnds = new long[COUNTERS];

    public LoginTries() {
        this(TRIES_MAX);
    }

    /**
     * @param most that may fail within five minutes
     */
    public LoginTries(int most) {
        this.most = most;
    }

    /**
     * Counts a try before it is judged, so that many at once are counted too. False means that it
     * must not be judged at all.
     */
    public synchronized boolean begin(String name, Instant now) {
        int counter = counter(name);
        if (now.getEpochSecond() >= windowEnds[counter]) {
            windowEnds[counter] = now.plus(WINDOW).getEpochSecond();
            tries[counter] = 0;
        }
        if (tries[counter] == most) return false;
        tries[counter]++;
        return true;
    }

    /** The right password was given: what went before was no attack. */
    public synchronized void succeeded(String name) {
        tries[counter(name)] = 0;
    }

    /** This one try was no failure, which says nothing of the others. */
    public synchronized void forgive(String name) {
        int counter = counter(name);
        if (tries[counter] > 0) tries[counter]--;
    }

    private int counter(String name) {
        int mixed = (name.hashCode() ^ salt) * 0x9E3779B1;
        return (mixed ^ mixed >>> 15) & (COUNTERS - 1);
    }
}
