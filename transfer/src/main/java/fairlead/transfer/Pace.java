package fairlead.transfer;

import java.util.ArrayDeque;

/** How fast bytes move, by the last few seconds. One thread may use it. */
final class Pace {
    /** Long enough to be steady, short enough to follow a change. */
    private static final long WINDOW_MILLIS = 5_000;

    /** Before this the first blocks are still under way, and the time left would be hours. */
    private static final long STEADY_MILLIS = 2_000;

    private record Sample(long millis, long bytes) {}

    private final ArrayDeque<Sample> samples = new ArrayDeque<>();

    /** So many bytes in all have moved by now. */
    void add(long nowMillis, long bytes) {
        samples.addLast(new Sample(nowMillis, bytes));
        while (samples.size() > 2 && samples.peekFirst().millis < nowMillis - WINDOW_MILLIS)
            samples.removeFirst();
    }

    /** 0 until it can be told. */
    double bytesPerSecond() {
        if (samples.isEmpty()) return 0;
        long millis = samples.peekLast().millis - samples.peekFirst().millis;
        if (millis < STEADY_MILLIS) return 0;
        return (samples.peekLast().bytes - samples.peekFirst().bytes) * 1000.0 / millis;
    }
}
