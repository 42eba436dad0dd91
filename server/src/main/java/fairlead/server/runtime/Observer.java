package fairlead.server.runtime;

import fairlead.cluster.Guest;
import fairlead.cluster.Node;
import fairlead.control.Message;
import fairlead.engine.Engine;
import fairlead.engine.EngineException;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Looks at one cluster's engine and reports to the controller what it shows: at once when the
 * engine hints at a change, otherwise every second. Hints that come during a look lead to one more
 * look. After a look that fails the next one waits, longer each time; a hint then shortens the wait
 * to what the first failure would cost.
 */
public final class Observer {
    private static final System.Logger LOG = System.getLogger(Observer.class.getName());

    /** Finds what an engine failed to hint at. */
    private static final Duration LOOK_PERIOD = Duration.ofSeconds(1);

    /** A cluster that is gone comes back in minutes, and its users should not wait much longer. */
    private static final Duration FAILURE_PAUSE_MAX = Duration.ofSeconds(15);

    private static final Duration FIRST_LOOK_MAX = Duration.ofSeconds(3);

    /** Longer than any call to a cluster may take, and than the longest pause between two looks. */
    private static final Duration STUCK_AFTER = Duration.ofMinutes(2);

    /** A full inbox is drained in less. */
    private static final Duration FULL_PAUSE = Duration.ofMillis(50);

    private final String cluster;
    private final Engine engine;
    private final LongSupplier acknowledgements;
    private final Predicate<Message> inbox;
    private final Consumer<Throwable> bug;
    private final Thread thread;
    private final CountDownLatch firstLook = new CountDownLatch(1);
    private final AtomicBoolean hinted = new AtomicBoolean();
    private volatile boolean stopped;
    private volatile boolean dead;
    private volatile long roundNanos = System.nanoTime();
    private String lastTrouble = "";
    private Optional<List<Node>> lastNodes = Optional.empty();
    private List<Guest> lastGuests = List.of();
    private int failures;

    /**
     * @param acknowledgements how many effects have been acknowledged so far
     * @param inbox false when it is full
     * @param bug called with what must not happen, after which this observer is dead
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

    public void start() {
        engine.onChange(this::hint);
        thread.start();
    }

    /**
     * Returns when the first look is over, so that the first tick knows the cluster. One that takes
     * long counts as failed until it is over: a cluster that hangs must not keep the server from
     * starting.
     */
    public void awaitFirstLook() throws InterruptedException {
        if (firstLook.await(FIRST_LOOK_MAX.toMillis(), TimeUnit.MILLISECONDS)) return;
        inbox.test(new Message.Unseen(cluster, "it has not answered yet"));
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

    /** Why this cluster is no longer looked at; empty while it is. Any thread. */
    public Optional<String> trouble() {
        if (dead) return Optional.of(who() + " has died; see the log");
        return System.nanoTime() - roundNanos < STUCK_AFTER.toNanos()
                ? Optional.empty()
                : Optional.of(who() + " has been stuck for over " + STUCK_AFTER);
    }

    private String who() {
        return "what looks at the cluster " + cluster;
    }

    private void run() {
        try {
            while (!stopped) {
                roundNanos = System.nanoTime();
                // Cleared before the look: a hint from now on is about something newer.
                hinted.set(false);
                boolean taken = round();
                firstLook.countDown();
                if (!taken) pause(FULL_PAUSE, Duration.ZERO);
                else if (failures == 0) pause(LOOK_PERIOD, Duration.ZERO);
                else pause(failurePause(), LOOK_PERIOD);
            }
        } catch (Throwable broken) {
            // The log has it before anyone hears that this observer is dead.
            try {
                bug.accept(broken);
            } finally {
                dead = true;
            }
        }
    }

    private Duration failurePause() {
        Duration pause = LOOK_PERIOD.multipliedBy(1L << Math.min(failures - 1, 10));
        return pause.compareTo(FAILURE_PAUSE_MAX) < 0 ? pause : FAILURE_PAUSE_MAX;
    }

    /** Until a hint, but so long at least and at most. */
    private void pause(Duration longest, Duration least) {
        long begun = System.nanoTime();
        while (!stopped) {
            long span = (hinted.get() ? least : longest).toNanos();
            long left = begun + span - System.nanoTime();
            if (left <= 0) return;
            LockSupport.parkNanos(this, left);
        }
    }

    /**
     * What runs, and what the nodes have; false when the inbox was full. The nodes are asked after
     * the attempts and reported before them: whoever learns that an attempt was lost with its node
     * already knows the node as it is now.
     */
    private boolean round() {
        try {
            // Noted before the look begins: only calls accepted by then can have left a trace in
            // it.
            long begun = acknowledgements.getAsLong();
            var attempts = engine.observe();
            boolean taken = seeNodes() && seeGuests();
            taken = inbox.test(new Message.Observed(cluster, attempts, begun)) && taken;
            lastTrouble = "";
            failures = 0;
            return taken;
        } catch (EngineException failure) {
            failures++;
            warn(failure);
            return inbox.test(new Message.Unseen(cluster, failure.getMessage()));
        }
    }

    /** They seldom change, so only a change is worth a message. */
    private boolean seeNodes() throws EngineException {
        List<Node> nodes = engine.nodes();
        if (lastNodes.filter(nodes::equals).isPresent()) return true;
        if (!inbox.test(new Message.NodesSeen(cluster, nodes))) return false;
        lastNodes = Optional.of(nodes);
        return true;
    }

    /** Few engines have any, so only a change is worth a message. */
    private boolean seeGuests() throws EngineException {
        List<Guest> guests = engine.guests();
        if (guests.equals(lastGuests)) return true;
        if (!inbox.test(new Message.GuestsSeen(cluster, guests))) return false;
        lastGuests = guests;
        return true;
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
