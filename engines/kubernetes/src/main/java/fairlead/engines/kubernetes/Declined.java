package fairlead.engines.kubernetes;

import fairlead.cluster.Node;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Nodes on which the cluster's scheduler has found no room where we saw some: it knows what we do
 * not see yet, or cannot see. They are passed over for a while, so that the next attempt is placed
 * elsewhere; longer each time that they decline again. Any thread.
 */
final class Declined {
    /** A cluster that changes shows it within less. */
    private static final Duration FIRST = Duration.ofSeconds(10);

    /** The tenth time is longer than any patience. */
    private static final int DOUBLINGS_MAX = 10;

    private final Duration longest;
    private final Map<String, Entry> entries = new ConcurrentHashMap<>();

    /**
     * @param seen what we thought that the node had
     */
    private record Entry(Node seen, int times, long untilNanos) {}

    Declined(Duration longest) {
        this.longest = longest;
    }

    void add(Node node) {
        entries.compute(
                node.name(),
                (_, before) -> {
                    int times = before == null ? 0 : Math.min(before.times + 1, DOUBLINGS_MAX);
                    Duration wait = FIRST.multipliedBy(1L << times);
                    if (wait.compareTo(longest) > 0) wait = longest;
                    return new Entry(node, times, System.nanoTime() + wait.toNanos());
                });
    }

    /** It has taken a pod of ours. */
    void clear(String node) {
        entries.remove(node);
    }

    /** Whose time is not over. */
    Set<String> nodes() {
        long now = System.nanoTime();
        var names = new TreeSet<String>();
        entries.forEach(
                (name, entry) -> {
                    if (entry.untilNanos - now > 0) names.add(name);
                });
        return names;
    }

    /** The node as it is to be shown: once it differs from what declined, it may be tried again. */
    Node shown(Node node) {
        Entry entry = entries.get(node.name());
        boolean isPassedOver =
                entry != null
                        && entry.untilNanos - System.nanoTime() > 0
                        && entry.seen.equals(node);
        return isPassedOver ? node.ready(false) : node;
    }
}
