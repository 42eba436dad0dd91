package fairlead.server.runtime;

import fairlead.control.Controller;
import fairlead.control.Inbox;
import fairlead.control.Interpreter;
import fairlead.control.Message;
import fairlead.control.Owed;
import fairlead.control.Refused;
import fairlead.control.Tick;
import fairlead.engine.Engine;
import fairlead.job.AttemptId;
import fairlead.job.Event;
import fairlead.journal.JournalException;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The one thread that calls the controller, and the few that carry out what is owed. It sleeps
 * until a message comes or time itself changes something.
 *
 * <p>A journal that cannot be written makes it pause and go on; who asked has been refused by then,
 * and engines are looked at again. Any other failure is a bug: the loop ends and says so.
 */
public final class Loop {
    private static final System.Logger LOG = System.getLogger(Loop.class.getName());

    /** Bounds what a missed wake-up or a clock that was set ahead can cost. */
    private static final Duration SLEEP_MAX = Duration.ofSeconds(1);

    private static final Duration JOURNAL_PAUSE_FIRST = Duration.ofMillis(100);
    private static final Duration JOURNAL_PAUSE_MAX = Duration.ofSeconds(5);

    /** A tick without facts says nothing about the journal, so a failure is remembered so long. */
    private static final Duration TROUBLE_MEMORY = Duration.ofSeconds(6);

    /** Past this a loop that has said nothing is taken for stuck: a slow disk, or a bug. */
    private static final Duration STUCK_AFTER = Duration.ofSeconds(10);

    private final Controller controller;
    private final Inbox inbox;
    private final Interpreter interpreter;
    private final Notes notes;
    private final Facts facts;
    private final Supplier<Instant> clock;
    private final Consumer<Throwable> bug;
    private final Thread thread;
    private final Calls calls;

    private final AtomicLong ticks = new AtomicLong();
    private final AtomicLong tickNanos = new AtomicLong();
    private final AtomicLong commits = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final AtomicLong factCount = new AtomicLong();
    private final AtomicLong epochs = new AtomicLong();
    private final AtomicLong politeStops = new AtomicLong();
    private volatile long aliveNanos = System.nanoTime();
    private volatile Trouble trouble;
    private volatile boolean dead;

    private final Object sleep = new Object();
    private boolean sleeping;
    private volatile boolean stopping;

    private record Trouble(String message, long nanos) {}

    /**
     * What the loop has done since it began.
     *
     * @param epochs that training scripts have reported
     * @param politeStops preemptions that wait for the victim's next checkpoint
     */
    public record Counts(
            long ticks,
            double seconds,
            long commits,
            long failures,
            long facts,
            long epochs,
            long politeStops) {}

    /**
     * @param bug called once with what must not happen, after which nothing is ticked any more
     */
    public Loop(
            Controller controller,
            Inbox inbox,
            Interpreter interpreter,
            Map<String, Engine> engines,
            Facts facts,
            Supplier<Instant> clock,
            Consumer<Throwable> bug) {
        this.controller = controller;
        this.inbox = inbox;
        this.interpreter = interpreter;
        this.notes = new Notes(engines, controller::rules);
        this.facts = facts;
        this.clock = clock;
        this.bug = bug;
        this.thread = Thread.ofPlatform().name("loop").daemon().unstarted(this::run);
        this.calls = new Calls(engines);
    }

    public void start() {
        thread.start();
    }

    /**
     * Ends after the tick and the calls under way, or after this time. Whoever still waits for an
     * answer is refused.
     */
    public void stop(Duration patience) throws InterruptedException {
        synchronized (sleep) {
            stopping = true;
            if (sleeping) thread.interrupt();
        }
        // A loop that does not end is stuck in a commit, and the process will end without it.
        if (!thread.join(patience)) return;
        calls.stop(patience);
        var refusal = new Refused(Refused.Kind.UNAVAILABLE, "the server is stopping");
        for (var left = inbox.await(Duration.ZERO); !left.isEmpty(); ) {
            for (Message message : left) {
                if (message instanceof Message.Asked<?> asked)
                    asked.answer().completeExceptionally(refusal);
            }
            left = inbox.await(Duration.ZERO);
        }
    }

    /** Why requests cannot be served now; empty when they can. Any thread. */
    public Optional<String> trouble() {
        if (dead) return Optional.of("the scheduling loop has ended because of a bug; see the log");
        Trouble last = trouble;
        if (last != null && isWithin(last.nanos(), TROUBLE_MEMORY))
            return Optional.of(last.message());
        return isWithin(aliveNanos, STUCK_AFTER)
                ? Optional.empty()
                : Optional.of("the scheduling loop has been stuck for over " + STUCK_AFTER);
    }

    /** Any thread. */
    public Counts counts() {
        return new Counts(
                ticks.get(),
                tickNanos.get() / 1e9,
                commits.get(),
                failures.get(),
                factCount.get(),
                epochs.get(),
                politeStops.get());
    }

    private static boolean isWithin(long nanos, Duration span) {
        return System.nanoTime() - nanos < span.toNanos();
    }

    private void run() {
        try {
            Duration patience = Duration.ZERO;
            Duration pause = JOURNAL_PAUSE_FIRST;
            Optional<List<Message>> batch = next(patience);
            while (batch.isPresent()) {
                aliveNanos = System.nanoTime();
                try {
                    patience = tick(batch.get());
                    pause = JOURNAL_PAUSE_FIRST;
                } catch (JournalException failure) {
                    remember(failure);
                    pause(pause);
                    pause = shorter(pause.multipliedBy(2), JOURNAL_PAUSE_MAX);
                    patience = Duration.ZERO;
                }
                batch = next(patience);
            }
        } catch (Throwable broken) {
            die(broken);
        }
    }

    /** One tick and what follows from it; returns how long nothing more is due. */
    private Duration tick(List<Message> batch) throws JournalException {
        long begun = System.nanoTime();
        Tick tick = controller.tick(clock.get(), batch);
        ticks.incrementAndGet();
        tickNanos.addAndGet(System.nanoTime() - begun);
        if (!tick.facts().isEmpty()) {
            commits.incrementAndGet();
            factCount.addAndGet(tick.facts().size());
            countTraining(tick);
            trouble = null;
        }
        Instant now = clock.get();
        Map<AttemptId, Notes.Note> lines = notes.of(tick);
        // Before the facts are published: a process that could run is worth more than a reader's
        // wait.
        for (Owed owed : interpreter.select(tick.owed(), now)) {
            // A log says that it is whole before the end is known, and an attempt is not forgotten
            // until then.
            Notes.Note line = lines.remove(owed.effect().attempt());
            if (line != null)
                calls.execute(owed.cluster(), () -> call(line.write(), () -> run(owed)));
            else calls.execute(owed.cluster(), () -> call(() -> run(owed)));
        }
        for (Notes.Note line : lines.values())
            calls.execute(line.cluster(), () -> call(line.write()));
        facts.publish(tick);
        Duration patience = SLEEP_MAX;
        if (tick.wake().isPresent()) patience = shorter(patience, until(tick.wake().get(), now));
        Optional<Instant> nextTry = interpreter.nextTry();
        return nextTry.isPresent() ? shorter(patience, until(nextTry.get(), now)) : patience;
    }

    private void countTraining(Tick tick) {
        for (int i = 0; i < tick.facts().size(); i++) {
            Event event = tick.facts().get(i).event();
            if (event instanceof Event.EpochEnded) epochs.incrementAndGet();
            if (event instanceof Event.PreemptRequested && StopOrders.isAsked(tick.after().get(i)))
                politeStops.incrementAndGet();
        }
    }

    private void run(Owed owed) {
        interpreter.run(owed, clock.get());
    }

    private void call(Runnable... works) {
        // What is left undone is owed still, and the next server does it.
        if (stopping) return;
        try {
            for (Runnable work : works) work.run();
        } catch (Throwable broken) {
            die(broken);
        }
    }

    /** Whoever hears that this loop is dead is sent to the log, so it is there first. */
    private void die(Throwable broken) {
        try {
            bug.accept(broken);
        } finally {
            dead = true;
        }
    }

    private void remember(JournalException failure) {
        failures.incrementAndGet();
        Trouble before = trouble;
        trouble = new Trouble(failure.getMessage(), System.nanoTime());
        if (before == null || !before.message().equals(failure.getMessage())) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    "the journal cannot be written, nothing was done: {0}",
                    failure.getMessage());
        }
    }

    /** The next messages; absent when it is time to stop. */
    private Optional<List<Message>> next(Duration patience) {
        if (!fallAsleep()) return Optional.empty();
        try {
            return Optional.of(inbox.await(patience));
        } catch (InterruptedException _) {
            return Optional.empty();
        } finally {
            wakeUp();
        }
    }

    private void pause(Duration pause) {
        if (!fallAsleep()) return;
        try {
            Thread.sleep(pause);
        } catch (InterruptedException _) {
            return;
        } finally {
            wakeUp();
        }
    }

    /** A stop interrupts sleep only, never a commit: that could cost the journal its files. */
    private boolean fallAsleep() {
        synchronized (sleep) {
            sleeping = !stopping;
            return sleeping;
        }
    }

    private void wakeUp() {
        synchronized (sleep) {
            sleeping = false;
            Thread.interrupted();
        }
    }

    private static Duration until(Instant time, Instant now) {
        Duration left = Duration.between(now, time);
        return left.isNegative() ? Duration.ZERO : left;
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
