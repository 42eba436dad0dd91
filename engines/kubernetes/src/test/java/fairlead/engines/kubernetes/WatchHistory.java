package fairlead.engines.kubernetes;

import io.fabric8.mockwebserver.crud.AttributeSet;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What has changed in the mock, in order, for watches that begin at a version. A real server keeps
 * a window of changes too and answers 410 before it; the mock alone would lose what changes while
 * no watch is open. Any thread.
 */
final class WatchHistory {
    /** Some minutes of a busy test; a watch from before it must list again, as with a real one. */
    private static final int EVENTS_MAX = 20_000;

    private final List<Change> changes = new ArrayList<>();

    /** The version up to which changes were dropped. */
    private long dropped;

    /**
     * One change of one object.
     *
     * @param before what selectors see of it before; null when it is new
     * @param after the same after; null when it is gone
     */
    record Change(
            long version, String path, AttributeSet before, AttributeSet after, String object) {
        /** The event that a watch with this selection gets, if it gets one. */
        Optional<String> event(AttributeSet selection) {
            boolean was = before != null && before.matches(selection);
            boolean is = after != null && after.matches(selection);
            if (!was && !is) return Optional.empty();
            return Optional.of(
                    WatchHistory.event(!was ? "ADDED" : is ? "MODIFIED" : "DELETED", object));
        }
    }

    static String event(String type, String object) {
        return "{\"type\":\"" + type + "\",\"object\":" + object + "}";
    }

    synchronized void add(Change change) {
        changes.add(change);
        if (changes.size() > EVENTS_MAX) {
            int old = EVENTS_MAX / 2;
            dropped = changes.get(old - 1).version();
            changes.subList(0, old).clear();
        }
        notifyAll();
    }

    /** False: changes after this version are no longer known. */
    synchronized boolean reaches(long version) {
        return version >= dropped;
    }

    /** What changed after a version; empty when nothing does in the time. */
    synchronized List<Change> after(long version, Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (changes.isEmpty() || changes.getLast().version() <= version) {
            long left = (end - System.nanoTime()) / 1_000_000;
            if (left <= 0) return List.of();
            wait(left);
        }
        int from = changes.size();
        while (from > 0 && changes.get(from - 1).version() > version) from--;
        return List.copyOf(changes.subList(from, changes.size()));
    }
}
