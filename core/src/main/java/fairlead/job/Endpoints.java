package fairlead.job;

import java.util.List;

/**
 * Where the tasks of an attempt are reached once they run, as the engine reported it. It stays with
 * the attempt, so that it can still be read when hosts and ports have long gone back.
 *
 * @param hosts for each task in the order of the placement, an address that the server can reach;
 *     empty where the engine knows none
 * @param ports in the order in which the engine hands them out; empty where it hands out none
 */
public record Endpoints(List<String> hosts, List<Integer> ports) {
    public static final Endpoints NONE = new Endpoints(List.of(), List.of());

    public Endpoints {
        hosts = List.copyOf(hosts);
        ports = List.copyOf(ports);
    }
}
