package fairlead.engines.kubernetes;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/** How often what was asked of an API server. Any thread. */
public final class Tally {
    private final Map<Key, LongAdder> counts = new ConcurrentHashMap<>();

    /** What a rule of access names: a verb, a resource with its subresource, and where. */
    public record Key(String verb, String group, String resource, String namespace) {}

    void count(ApiCall call) {
        var key = new Key(call.verb(), call.group(), call.resource(), call.namespace());
        counts.computeIfAbsent(key, _ -> new LongAdder()).increment();
    }

    /** In all namespaces. */
    public long of(String verb, String resource) {
        return counts.entrySet().stream()
                .filter(each -> each.getKey().verb().equals(verb))
                .filter(each -> each.getKey().resource().equals(resource))
                .mapToLong(each -> each.getValue().sum())
                .sum();
    }

    public long total() {
        return counts.values().stream().mapToLong(LongAdder::sum).sum();
    }

    public Set<Key> keys() {
        return Set.copyOf(counts.keySet());
    }

    /** Each verb and resource with its count, over all namespaces. */
    public Map<String, Long> byVerb() {
        return counts.entrySet().stream()
                .collect(
                        Collectors.toMap(
                                each -> each.getKey().verb() + " " + each.getKey().resource(),
                                each -> each.getValue().sum(),
                                Long::sum,
                                TreeMap::new));
    }

    public void reset() {
        counts.clear();
    }

    @Override
    public String toString() {
        return byVerb().toString();
    }
}
