package fairlead.engines.kubernetes;

import fairlead.engine.EngineException;

import java.io.Closeable;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;

/**
 * Calls that the engine owes without being asked, each on a thread of its own. One that fails is
 * owed again at the next look.
 */
final class Errands implements Closeable {
    private static final Logger LOG = System.getLogger(Errands.class.getName());

    /** So many at once: a cluster that comes back after an hour must not be flooded. */
    private static final int AT_ONCE_MAX = 16;

    private final Set<String> underWay = ConcurrentHashMap.newKeySet();
    private final Semaphore places = new Semaphore(AT_ONCE_MAX);

    private volatile boolean isClosed;

    interface Errand {
        void run() throws EngineException;
    }

    /** Does nothing while one with the same key is under way. */
    void start(String key, Errand errand) {
        if (isClosed || !underWay.add(key)) return;
        Thread.startVirtualThread(
                () -> {
                    places.acquireUninterruptibly();
                    try {
                        errand.run();
                    } catch (EngineException problem) {
                        var level = isClosed ? Level.DEBUG : Level.INFO;
                        LOG.log(level, "will be repeated: {0}", problem.getMessage());
                    } catch (IllegalStateException | RejectedExecutionException _) {
                        // So the client says that it was closed.
                        LOG.log(Level.DEBUG, "the engine was closed before {0}", key);
                    } finally {
                        places.release();
                        underWay.remove(key);
                    }
                });
    }

    /** What is under way may fail, and is owed to the next engine. */
    @Override
    public void close() {
        isClosed = true;
    }
}
