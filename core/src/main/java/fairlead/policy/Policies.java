package fairlead.policy;

import java.util.Map;
import java.util.TreeMap;

/** All policies by name: the one place that knows them. */
public final class Policies {
    public static final String DEFAULT = "fair";

    private static final Map<String, Policy> BY_NAME =
            new TreeMap<>(Map.of("fair", new Fair(), "fifo", new Fifo()));

    private Policies() {}

    public static Policy byName(String name) {
        Policy policy = BY_NAME.get(name);
        if (policy == null) {
            throw new IllegalArgumentException(
                    "no policy '" + name + "'; known: " + String.join(", ", BY_NAME.keySet()));
        }
        return policy;
    }
}
