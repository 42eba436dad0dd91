package fairlead.server.runtime;

import fairlead.control.Message;
import fairlead.engine.Engine;
import fairlead.engine.EngineException;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Looks at one cluster's engine and tells the controller what it shows: at once when the engine
 * hints at a change, otherwise every second. Hints that come during a look lead to one more look.
 */
public final class Observer {
    private static final System.Logger LOG = System.getLogger(Observer.class.getName());

    /** Finds what an engine failed to hint at. */
    private static final Duration LOOK_PERIOD = Duration.ofSeconds(1);

    /** Nodes change by hand or by failure, both slow. */
    private static final Duration NODES_PERIOD = Duration.ofSeconds(5);

    /** A full inbox is drained in less. */
    private static final Duration FULL_PAUSE = Duration.ofMillis(50);

    private final String cluster;
    private final Engine engine;
    private final LongSupplier acknowledgements;
    private final Predicate<Message> inbox;
    private final Consumer<Throwable> bug;
    private final Thread thread;
    private final AtomicBoolean hinted = new AtomicBoolean();
    private volatile boolean stopped;
    private String lastTrouble = "";
    private long nodesSeen;

    /**
     * @param acknowledgements how many effects have been acknowledged so far
     * @param inbox false when it is full
     * @param bug told of what must not happen, after which this observer is dead
     */
    public Observer(
            String cluster,
            Engine engine,
            LongSupplier acknowledgements,
            Predicate<Message> inbox,
            Consumer<Throwable> bug) {
        this.cluster = cluster;
        this.engine = engine;
        this.acknowledgements = acknowledgements;
        this.inbox = inbox;
        this.bug = bug;
        this.thread = Thread.ofPlatform().name("observer-" + cluster).daemon().unstarted(this::run);
    }

    /** Takes a first look on the caller's thread, so that the first tick knows the cluster. */
    public void start() {
        engine.onChange(this::hint);
        seeNodes();
        look();
        thread.start();
    }

    /** Any thread; does not block. */
    public void hint() {
        if (!hinted.getAndSet(true)) LockSupport.unpark(thread);
    }

    /** Returns when the look under way is over, or after this time. */
    public void stop(Duration patience) throws InterruptedException {
        stopped = true;
        LockSupport.unpark(thread);
        thread.join(patience);
    }

    private void run() {
        try {
            while (!stopped) {
                boolean taken = true;
                if (System.nanoTime() - nodesSeen >= NODES_PERIOD.toNanos()) taken = seeNodes();
                // Cleared before the look: a hint from now on is about something newer.
                hinted.set(false);
                taken = look() && taken;
                pause(taken ? LOOK_PERIOD : FULL_PAUSE);
            }
        } catch (Throwable broken) {
            bug.accept(broken);
        }
    }

    private void pause(Duration longest) {
        long deadline = System.nanoTime() + longest.toNanos();
        while (!stopped && !hinted.get()) {
            long left = deadline - System.nanoTime();
            if (left <= 0) return;
            LockSupport.parkNanos(this, left);
        }
    }

    private boolean look() {
        // Noted before the look begins: only calls accepted by then can have left a trace in it.
        long begun = acknowledgements.getAsLong();
        try {
            var seen = engine.observe();
            lastTrouble = "";
            return inbox.test(new Message.Observed(cluster, seen, begun));
        } catch (EngineException failure) {
            warn(failure);
            return true;
        }
    }

    private boolean seeNodes() {
        try {
            boolean taken = inbox.test(new Message.NodesSeen(cluster, engine.nodes()));
            if (taken) nodesSeen = System.nanoTime();
            return taken;
        } catch (EngineException failure) {
            warn(failure);
            return true;
        }
    }

    /** Once for each trouble, not once for each look. */
    private void warn(EngineException failure) {
        if (failure.getMessage().equals(lastTrouble)) return;
        lastTrouble = failure.getMessage();
        LOG.log(
                System.Logger.Level.WARNING,
                "cluster {0} cannot be seen: {1}",
                cluster,
                failure.getMessage());
    }
}
