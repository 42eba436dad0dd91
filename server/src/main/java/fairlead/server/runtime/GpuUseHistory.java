package fairlead.server.runtime;

import fairlead.engine.Engine;
import fairlead.engine.EngineException;
import fairlead.engine.GpuUse;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * What GPUs have done in the last hour, looked at every ten seconds and kept in memory alone. Any
 * thread may read.
 */
public final class GpuUseHistory {
    public static final Duration EVERY = Duration.ofSeconds(10);
    private static final int SAMPLES_MAX = 360;

    /** Some kilobytes each; of more GPUs the last ones are not kept. */
    private static final int GPUS_MAX = 1_024;

    private static final System.Logger LOG = System.getLogger(GpuUseHistory.class.getName());

    private final Map<String, Engine> engines;
    private final Supplier<Instant> clock;
    private final Map<Place, Deque<Sample>> samples = new TreeMap<>();
    private final Thread thread = Thread.ofPlatform().daemon().name("gpu-use").unstarted(this::run);

    /** One GPU of all clusters. */
    public record Place(String cluster, String node, int gpu) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            int byCluster = cluster.compareTo(other.cluster);
            if (byCluster != 0) return byCluster;
            int byNode = node.compareTo(other.node);
            return byNode != 0 ? byNode : Integer.compare(gpu, other.gpu);
        }
    }

    public record Sample(Instant at, GpuUse use) {}

    /**
     * @param engines by cluster; more may come
     */
    public GpuUseHistory(Map<String, Engine> engines, Supplier<Instant> clock) {
        this.engines = engines;
        this.clock = clock;
    }

    public void start() {
        thread.start();
    }

    public void stop() {
        thread.interrupt();
    }

    private void run() {
        try {
            while (true) {
                engines.forEach(this::look);
                Thread.sleep(EVERY);
            }
        } catch (InterruptedException _) {
            // The server stops.
        }
    }

    private void look(String cluster, Engine engine) {
        try {
            Instant now = clock.get();
            for (GpuUse use : engine.gpuUse()) keep(cluster, new Sample(now, use));
            forget(now);
        } catch (EngineException lost) {
            LOG.log(
                    System.Logger.Level.DEBUG,
                    "the GPUs of {0} cannot be looked at: {1}",
                    cluster,
                    lost.getMessage());
        }
    }

    private synchronized void keep(String cluster, Sample sample) {
        var place = new Place(cluster, sample.use().node(), sample.use().gpu());
        if (!samples.containsKey(place) && samples.size() == GPUS_MAX) return;
        Deque<Sample> all = samples.computeIfAbsent(place, _ -> new ArrayDeque<>());
        all.addLast(sample);
        if (all.size() > SAMPLES_MAX) all.removeFirst();
    }

    private synchronized void forget(Instant now) {
        Instant oldest = now.minus(EVERY.multipliedBy(SAMPLES_MAX));
        samples.values()
                .removeIf(
                        all -> {
                            while (!all.isEmpty() && all.getFirst().at().isBefore(oldest))
                                all.removeFirst();
                            return all.isEmpty();
                        });
    }

    /** Of one cluster, oldest first. */
    public synchronized Map<Place, List<Sample>> of(String cluster) {
        var found = new TreeMap<Place, List<Sample>>();
        samples.forEach(
                (place, all) -> {
                    if (place.cluster().equals(cluster)) found.put(place, new ArrayList<>(all));
                });
        return found;
    }

    /** The last look at a GPU, if that was not long ago. */
    public synchronized Optional<Sample> last(String cluster, String node, int gpu) {
        Deque<Sample> all = samples.get(new Place(cluster, node, gpu));
        Instant fresh = clock.get().minus(EVERY.multipliedBy(3));
        return Optional.ofNullable(all)
                .map(Deque::peekLast)
                .filter(sample -> sample.at().isAfter(fresh));
    }
}
