package fairlead.dialects.dlscheduler;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** A port mapping {@code node:container,node:container}. */
final class Ports {
    private static final int PORT_MAX = 65_535;

    private final String option;
    private final HashSet<Integer> nodes = new HashSet<>();
    private final HashSet<Integer> containers = new HashSet<>();

    private Ports(String option) {
        this.option = option;
    }

    /** One text for each pair. */
    static List<String> read(String option, String text) throws Misuse {
        var ports = new Ports(option);
        var pairs = new ArrayList<String>();
        for (String pair : text.split(",", -1)) pairs.add(ports.pair(pair.strip()));
        return pairs;
    }

    private String pair(String text) throws Misuse {
        if (!text.matches("\\d{1,9}:\\d{1,9}")) {
            throw new Misuse(
                    option
                            + " must be node:container,node:container,... such as 31346:6006, but a"
                            + " part is '"
                            + text
                            + "'");
        }
        String[] parts = text.split(":");
        int node = port(parts[0]);
        int container = port(parts[1]);
        if (!nodes.add(node)) throw new Misuse(option + " uses the node's port " + node + " twice");
        if (!containers.add(container)) {
            throw new Misuse(option + " uses the container's port " + container + " twice");
        }
        return node + ":" + container;
    }

    private int port(String text) throws Misuse {
        int port = Integer.parseInt(text);
        if (port >= 1 && port <= PORT_MAX) return port;
        throw new Misuse(option + ": a port is 1 to " + PORT_MAX + ", but one is " + text);
    }
}
