package fairlead.server.runtime;

import fairlead.engine.Engine;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * The threads that carry out what is owed. Each cluster has its own few, so that one that does not
 * answer holds up no other. What waits for its turn is bounded by the attempts that exist, since
 * each has one call at most.
 */
final class Calls {
    /** A call to this machine's engine works all the time. */
    private static final int HERE_MAX = 4;

    /** A call to a cluster mostly waits for its answer. */
    private static final int ELSEWHERE_MAX = 16;

    private final Map<String, Engine> engines;

    /** By cluster; each is made for its first call. */
    private final Map<String, ExecutorService> pools = new ConcurrentHashMap<>();

    /**
     * @param engines by cluster; more may come
     */
    Calls(Map<String, Engine> engines) {
        this.engines = engines;
    }

    private ExecutorService pool(String cluster) {
        boolean isHere = engines.get(cluster).terms().runsHere();
        return Executors.newFixedThreadPool(
                isHere ? HERE_MAX : ELSEWHERE_MAX,
                Thread.ofPlatform().name("call-" + cluster + "-", 1).daemon().factory());
    }

    void execute(String cluster, Runnable call) {
        pools.computeIfAbsent(cluster, this::pool).execute(call);
    }

    /** Ends after what is under way, or after this time. */
    void stop(Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        pools.values().forEach(ExecutorService::shutdown);
        for (ExecutorService pool : pools.values()) {
            pool.awaitTermination(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        }
    }
}
