package fairlead.simulator;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.PriorityQueue;

/** Virtual time: what will happen, and when. The same things happen in the same order for ever. */
final class Agenda {
    private final PriorityQueue<Entry> entries = new PriorityQueue<>();
    private Instant now;
    private long added;

    private record Entry(Instant at, long number, Runnable action) implements Comparable<Entry> {
        @Override
        public int compareTo(Entry other) {
            int byTime = at.compareTo(other.at);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    Agenda(Instant start) {
        now = start;
    }

    Instant now() {
        return now;
    }

    void after(Duration delay, Runnable action) {
        entries.add(new Entry(now.plus(delay), added++, action));
    }

    /** When the next thing happens. */
    Optional<Instant> next() {
        return Optional.ofNullable(entries.peek()).map(Entry::at);
    }

    /** Lets everything happen that is due until then, and then it is then. */
    void advance(Instant to) {
        while (!entries.isEmpty() && !entries.peek().at.isAfter(to)) step();
        now = to;
    }

    /** Lets the next thing happen; false when nothing is left. */
    boolean step() {
        Entry next = entries.poll();
        if (next == null) return false;
        now = next.at;
        next.action.run();
        return true;
    }
}
