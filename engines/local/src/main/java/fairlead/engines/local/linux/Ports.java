package fairlead.engines.local.linux;

import fairlead.engine.EngineException;
import fairlead.job.Container;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free TCP ports for the tasks of attempts. They come from outside the range in which the kernel
 * picks ports for outgoing connections, so that none is taken between our look and the task's use.
 */
public final class Ports {
    private static final int LOWEST = 10_000;
    private static final int HIGHEST = 65_535;
    private static final Path KERNEL_RANGE = Path.of("/proc/sys/net/ipv4/ip_local_port_range");

    /** What Linux uses unless told otherwise. */
    private static final String KERNEL_RANGE_DEFAULT = "32768 60999";

    private static final int RANGE_BYTES_MAX = 100;

    private final List<Integer> candidates;
    private final Set<Integer> taken = new HashSet<>();

    public Ports() {
        String range;
        // Not readString: it reads the first byte alone, after which the kernel gives no more.
        try (var file = Files.newInputStream(KERNEL_RANGE)) {
            range = new String(file.readNBytes(RANGE_BYTES_MAX), StandardCharsets.US_ASCII);
        } catch (IOException _) {
            range = KERNEL_RANGE_DEFAULT;
        }
        candidates = candidates(range);
    }

    public static List<Integer> candidates(String kernelRange) {
        String[] bounds = kernelRange.strip().split("\\s+");
        int low = Integer.parseInt(bounds[0]);
        int high = Integer.parseInt(bounds[1]);
        var outside = new ArrayList<Integer>();
        var all = new ArrayList<Integer>();
        for (int port = LOWEST; port <= HIGHEST; port++) {
            all.add(port);
            if (port < low || port > high) outside.add(port);
        }
        return outside.isEmpty() ? all : outside;
    }

    /** Why a task cannot be reached as it asks; empty when it can. */
    public static Optional<String> refusal(List<Container.Port> wanted) {
        return wanted.stream()
                .filter(port -> port.node() != port.container())
                .findFirst()
                .map(
                        port ->
                                ("port %d cannot lead to port %d of the task: without containers a"
                                     + " task's ports are the machine's, so both must be the same,"
                                     + " such as %d:%d")
                                        .formatted(
                                                port.node(),
                                                port.container(),
                                                port.container(),
                                                port.container()));
    }

    /**
     * So many ports that are free now and belong to no other attempt, and after them the fixed
     * ones.
     */
    public synchronized List<Integer> take(int count, List<Integer> fixed) throws EngineException {
        for (int port : fixed) {
            if (taken.contains(port) || !isFree(port)) {
                throw new EngineException(
                        "port "
                                + port
                                + " is in use on this machine; the job starts when it is free");
            }
        }
        var found = new ArrayList<Integer>();
        int start = ThreadLocalRandom.current().nextInt(candidates.size());
        for (int i = 0; i < candidates.size() && found.size() < count; i++) {
            int port = candidates.get((start + i) % candidates.size());
            boolean isLeft = !taken.contains(port) && !fixed.contains(port);
            if (isLeft && isFree(port)) found.add(port);
        }
        if (found.size() < count) {
            throw new EngineException(
                    "the attempt needs "
                            + count
                            + " free ports, but only "
                            + found.size()
                            + " are left");
        }
        found.addAll(fixed);
        taken.addAll(found);
        return found;
    }

    /** Ports that an attempt of an earlier server holds. */
    public synchronized void keep(List<Integer> ports) {
        taken.addAll(ports);
    }

    public synchronized void giveBack(List<Integer> ports) {
        ports.forEach(taken::remove);
    }

    private static boolean isFree(int port) {
        try (var socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(port));
            return true;
        } catch (IOException _) {
            return false;
        }
    }
}
