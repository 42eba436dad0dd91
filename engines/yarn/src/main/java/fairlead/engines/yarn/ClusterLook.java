package fairlead.engines.yarn;

import fairlead.engine.EngineException;

import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.NodeReport;

import java.io.Closeable;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * Asks the resource manager again and again, with two questions for all attempts together: which
 * applications live, and what the nodes have. One that no longer lives is asked for alone, once.
 */
final class ClusterLook implements Closeable {
    /** What is done with what was seen. Called by one thread. */
    interface Seen {
        void live(Map<String, ApplicationReport> byId);
    }

    private static final Logger LOG = System.getLogger(ClusterLook.class.getName());
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(10);
    private static final Duration FIRST_WITHIN = Duration.ofSeconds(10);
    private static final Duration WAIT = Duration.ofMillis(5);

    private final Hadoop hadoop;
    private final String tag;
    private final Duration every;
    private final Seen seen;
    private final Runnable changed;
    private final Thread thread = new Thread(this::run, "yarn look");
    private volatile List<NodeReport> nodes = List.of();
    private volatile Optional<EngineException> problem = Optional.empty();
    private volatile boolean hasLooked;
    private volatile boolean isClosed;

    ClusterLook(Hadoop hadoop, String tag, Duration every, Seen seen, Runnable changed) {
        this.hadoop = hadoop;
        this.tag = tag;
        this.every = every;
        this.seen = seen;
        this.changed = changed;
        thread.setDaemon(true);
        thread.setContextClassLoader(ClusterLook.class.getClassLoader());
    }

    void start() {
        thread.start();
        long deadline = System.nanoTime() + FIRST_WITHIN.toNanos();
        while (!hasLooked && System.nanoTime() - deadline < 0)
            LockSupport.parkNanos(WAIT.toNanos());
    }

    void soon() {
        LockSupport.unpark(thread);
    }

    /** As they were at the last look. */
    List<NodeReport> nodes() throws EngineException {
        requireAnswer();
        return nodes;
    }

    /** Throws what the last look ran into. */
    void requireAnswer() throws EngineException {
        var now = problem;
        if (now.isPresent())
            throw new EngineException(now.get().getMessage(), now.get().getCause());
        if (!thread.isAlive()) throw new EngineException("the engine no longer looks at YARN");
        if (!hasLooked) throw new EngineException("the resource manager has not answered yet");
    }

    private void run() {
        while (!isClosed) {
            try {
                look();
                problem = Optional.empty();
            } catch (EngineException failure) {
                if (problem.isEmpty() && !isClosed) LOG.log(Level.WARNING, failure.getMessage());
                problem = Optional.of(failure);
            }
            hasLooked = true;
            LockSupport.parkNanos(every.toNanos());
        }
    }

    private void look() throws EngineException {
        var live = new HashMap<String, ApplicationReport>();
        for (var each : hadoop.live(tag)) live.put(each.getApplicationId().toString(), each);
        List<NodeReport> now = hadoop.nodes();
        boolean differs = !now.equals(nodes);
        nodes = now;
        seen.live(live);
        if (differs) changed.run();
    }

    @Override
    public void close() {
        isClosed = true;
        LockSupport.unpark(thread);
        try {
            thread.join(CLOSE_WITHIN);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
