package fairlead.server.http;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** How many requests were answered, by route and status. Bounded by the table of routes. */
public final class RequestCounts {
    /** The route of a request that no route was found for. */
    static final String NO_ROUTE = "none";

    public record Key(String method, String path, int status) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int byPath = path.compareTo(other.path);
            if (byPath != 0) return byPath;
            int byMethod = method.compareTo(other.method);
            return byMethod != 0 ? byMethod : Integer.compare(status, other.status);
        }
    }

    private final Map<Key, LongAdder> counts = new ConcurrentHashMap<>();

    void count(String method, String path, int status) {
        counts.computeIfAbsent(new Key(method, path, status), _ -> new LongAdder()).increment();
    }

    public Map<Key, Long> snapshot() {
        var sorted = new TreeMap<Key, Long>();
        counts.forEach((key, adder) -> sorted.put(key, adder.sum()));
        return sorted;
    }
}
