package fairlead.engines.local.task;

import fairlead.engine.GpuUse;
import fairlead.engines.local.gpu.GpuReader;
import fairlead.engines.local.linux.Processes;

import java.io.Closeable;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Measures how much GPU memory live attempts hold, on a thread of its own: a driver in trouble may
 * hang, and nobody waits for it. The driver is let go of while nothing runs, so that idle GPUs can
 * sleep.
 */
public final class GpuMemoryWatch implements Closeable {
    private static final Logger LOG = System.getLogger(GpuMemoryWatch.class.getName());

    /** A peak is reached in the first steps and then stays: seconds are soon enough. */
    private static final Duration EVERY = Duration.ofSeconds(2);

    /** The thread is a daemon, so one that the driver holds up is left behind. */
    private static final Duration CLOSE_WITHIN = Duration.ofMillis(500);

    private final Supplier<Optional<GpuReader>> driver;
    private final Supplier<Collection<LiveAttempt>> live;
    private final Thread thread =
            Thread.ofPlatform().daemon().name("gpu-memory").unstarted(this::run);
    private Optional<GpuReader> reader = Optional.empty();
    private volatile List<GpuReader.Load> loads = List.of();
    private String lastTrouble = "";

    public GpuMemoryWatch(
            Supplier<Optional<GpuReader>> driver, Supplier<Collection<LiveAttempt>> live) {
        this.driver = driver;
        this.live = live;
    }

    public void start() {
        thread.start();
    }

    private void run() {
        try {
            while (true) {
                Thread.sleep(EVERY);
                look();
            }
        } catch (InterruptedException _) {
            letGo();
        }
    }

    private void look() {
        var attempts = live.get();
        if (attempts.isEmpty()) {
            letGo();
            return;
        }
        try {
            if (reader.isEmpty()) reader = driver.get();
            if (reader.isPresent()) {
                measure(reader.get(), attempts);
                loads = reader.get().loads();
            }
        } catch (IOException problem) {
            letGo();
            if (!String.valueOf(problem.getMessage()).equals(lastTrouble)) {
                lastTrouble = String.valueOf(problem.getMessage());
                LOG.log(Level.WARNING, "GPU memory is not measured: {0}", lastTrouble);
            }
        }
    }

    /** What the GPUs of this machine did at the last look; nothing while nothing runs on them. */
    public List<GpuUse> use(String node) {
        return loads.stream()
                .map(load -> new GpuUse(node, load.gpu(), load.percent(), load.bytes()))
                .toList();
    }

    private void letGo() {
        loads = List.of();
        reader.ifPresent(GpuReader::close);
        reader = Optional.empty();
    }

    private static void measure(GpuReader reader, Collection<LiveAttempt> attempts)
            throws IOException {
        var marks = new HashMap<String, LiveAttempt>();
        var sessions = new HashMap<Integer, LiveAttempt>();
        for (LiveAttempt attempt : attempts) {
            synchronized (attempt) {
                for (LiveTask task : attempt.tasks) {
                    if (task.exit != null) continue;
                    marks.put(task.mark, attempt);
                    if (task.shim != null) sessions.put(task.shim.pid(), attempt);
                }
            }
        }
        var held = new HashMap<LiveAttempt, Map<String, Long>>();
        for (GpuReader.Use use : reader.processes()) {
            var found = Processes.look(use.pid());
            if (found.isEmpty()) continue;
            var owner = marks.get(found.get().mark());
            if (owner == null) owner = sessions.get(found.get().session());
            if (owner == null) continue;
            held.computeIfAbsent(owner, _ -> new HashMap<>())
                    .merge(use.gpu(), use.bytes(), Long::sum);
        }
        held.forEach(
                (attempt, gpus) -> {
                    synchronized (attempt) {
                        attempt.holds(gpus.values().stream().max(Long::compare).orElseThrow());
                    }
                });
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join(CLOSE_WITHIN);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
