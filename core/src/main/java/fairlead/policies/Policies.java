package fairlead.policies;

import fairlead.policy.Policy;
import fairlead.policy.elastic.Elastic;
import fairlead.policy.fair.Fair;
import fairlead.policy.ranked.Fifo;
import fairlead.policy.ranked.Order;
import fairlead.policy.ranked.Ranked;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** All policies by name: the one place that knows them. */
public final class Policies {
    public static final String DEFAULT = "elastic";

    private record Entry(Policy policy, Knowledge knows) {}

    private static final Map<String, Entry> BY_NAME =
            new TreeMap<>(
                    Map.of(
                            "fair", new Entry(new Fair(), Knowledge.PROFILED),
                            "elastic", new Entry(new Elastic(), Knowledge.PROFILED),
                            "elastic-oracle", new Entry(new Elastic(), Knowledge.ORACLE),
                            "fifo", new Entry(new Fifo(), Knowledge.NOTHING),
                            "backfill", new Entry(new Ranked(Order.SUBMIT), Knowledge.NOTHING),
                            "las", new Entry(new Ranked(Order.ATTAINED), Knowledge.NOTHING),
                            "srtf", new Entry(new Ranked(Order.TIME_LEFT), Knowledge.ORACLE),
                            "srgf", new Entry(new Ranked(Order.GPU_TIME_LEFT), Knowledge.ORACLE)));

    private Policies() {}

    public static Policy byName(String name) {
        return entry(name).policy();
    }

    public static Knowledge knows(String name) {
        return entry(name).knows();
    }

    public static Set<String> names() {
        return BY_NAME.keySet();
    }

    private static Entry entry(String name) {
        Entry entry = BY_NAME.get(name);
        if (entry == null) {
            throw new IllegalArgumentException(
                    "no policy '" + name + "'; known: " + String.join(", ", BY_NAME.keySet()));
        }
        return entry;
    }
}
