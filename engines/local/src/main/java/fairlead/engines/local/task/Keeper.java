package fairlead.engines.local.task;

import fairlead.engine.EngineException;
import fairlead.engines.local.linux.Libc;
import fairlead.job.AttemptId;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps the live attempts and the thread that follows them: it sees exits at once, ends by force
 * what outstays its grace, and looks after logs and leftovers from time to time.
 */
public final class Keeper {
    private static final Logger LOG = System.getLogger(Keeper.class.getName());

    /** For what no process reports: growing logs, and anything that did not work the last time. */
    private static final Duration SWEEP_EVERY = Duration.ofSeconds(1);

    /** Reads all of /proc, so less often. */
    private static final Duration ORPHANS_EVERY = Duration.ofSeconds(3);

    /** A shim that is just about to become its command swallows a signal; after this it has. */
    private static final Duration DEAF_AT_FIRST = Duration.ofSeconds(2);

    /** More than one round of force takes. */
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(5);

    private final String engineId;
    private final ExitWatch watch;
    private final Reaper reaper;
    private final Map<AttemptId, LiveAttempt> live = new ConcurrentHashMap<>();
    private final Thread thread =
            Thread.ofPlatform().daemon().name("local-engine").unstarted(this::run);
    private volatile Runnable listener = () -> {};
    private volatile boolean closed;

    /** Whether an ended task may have left something. At first yes: an earlier server may have. */
    private volatile boolean orphansPossible = true;

    private long sweptAt = System.nanoTime();
    private long orphansAt = System.nanoTime();
    private String lastTrouble = "";

    public Keeper(String engineId, ExitWatch watch, Reaper reaper) {
        this.engineId = engineId;
        this.watch = watch;
        this.reaper = reaper;
    }

    public String engineId() {
        return engineId;
    }

    /** The attempt, or a new one that nobody can observe yet. */
    public LiveAttempt attempt(AttemptId id, Home home) {
        return live.computeIfAbsent(id, _ -> new LiveAttempt(id, home.files(id)));
    }

    public Optional<LiveAttempt> find(AttemptId id) {
        return Optional.ofNullable(live.get(id));
    }

    public boolean knows(AttemptId id) {
        return live.containsKey(id);
    }

    public Collection<LiveAttempt> attempts() {
        return live.values();
    }

    /** The caller holds the attempt's monitor; so for all methods that take an attempt. */
    public void drop(LiveAttempt attempt) {
        attempt.phase = LiveAttempt.Phase.GONE;
        live.remove(attempt.id);
    }

    public void start() {
        thread.start();
    }

    public boolean isAlive() {
        return closed || thread.isAlive();
    }

    public boolean isClosed() {
        return closed;
    }

    public void onChange(Runnable listener) {
        this.listener = listener;
    }

    public void changed() {
        listener.run();
    }

    /** Where no descriptor is left for it, the next sweep tries again. */
    public void watch(LiveTask task, int pid) {
        task.shim = watch.watch(pid, task);
    }

    /** Takes up what an earlier server started. */
    public void recover(LiveAttempt attempt) throws IOException {
        attempt.files
                .stopOrder()
                .ifPresent(
                        order -> {
                            // A clock that was set back must not lengthen the grace.
                            var left = Duration.between(Instant.now(), order.forceAt());
                            attempt.orderStop(min(left, order.grace()));
                        });
        for (LiveTask task : attempt.tasks) {
            boolean claimed = !(attempt.files.claim(task.id) instanceof AttemptFiles.Claim.Nobody);
            if (!claimed) continue;
            task.started = true;
            reaper.settle(task);
        }
        attempt.publish();
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    public void stop(LiveAttempt attempt, Duration grace) throws IOException {
        if (!attempt.isStopping()) {
            // What has ended by itself is noted as such; whatever is seen later may have obeyed.
            for (LiveTask task : running(attempt)) {
                if (attempt.files.exit(task.id).isPresent()) reaper.settle(task);
            }
            attempt.publish();
        }
        if (attempt.allEnded()) return;
        attempt.orderStop(grace);
        forbidStarts(attempt);
        if (!attempt.signalled) {
            // First the note: a server that dies here must not take an obedient task's exit for its
            // own.
            noteStop(attempt);
            attempt.signalled = true;
            attempt.remind = attempt.age().compareTo(DEAF_AT_FIRST) < 0;
            for (LiveTask task : running(attempt)) reaper.terminate(task);
        }
        attempt.publish();
        watch.wake();
    }

    private static void forbidStarts(LiveAttempt attempt) throws IOException {
        for (LiveTask task : attempt.tasks) {
            if (task.exit != null) continue;
            if (attempt.files.claimForNobody(task.id)) {
                attempt.files.deletePassing(task.id);
                task.exit = Reaper.stoppedBeforeStart();
            }
            task.started = true;
        }
    }

    private static void noteStop(LiveAttempt attempt) {
        var forceAt = Instant.now().plusNanos(attempt.forceAtNanos - System.nanoTime());
        try {
            attempt.files.writeStopOrder(new AttemptFiles.StopOrder(forceAt, attempt.grace));
        } catch (IOException problem) {
            // Only a crash within the grace needs it; a task that obeys is then taken to have
            // failed.
            LOG.log(Level.WARNING, "cannot note the stop of {0}: {1}", attempt.id, problem);
        }
    }

    public void endNow(LiveAttempt attempt) throws IOException, EngineException {
        if (attempt.allEnded()) return;
        forbidStarts(attempt);
        orphansPossible = true;
        if (!reaper.endByForce(running(attempt), "killed")) {
            throw new EngineException(attempt.id + " has processes that SIGKILL has not ended yet");
        }
    }

    private static List<LiveTask> running(LiveAttempt attempt) {
        return attempt.tasks.stream().filter(task -> task.exit == null).toList();
    }

    private void run() {
        while (!closed) {
            var ended = watch.await(untilNextDuty());
            if (closed) return;
            if (!ended.isEmpty()) ended(ended);
            long now = System.nanoTime();
            for (LiveAttempt attempt : live.values()) force(attempt);
            if (now - sweptAt >= SWEEP_EVERY.toNanos()) {
                sweptAt = now;
                for (LiveAttempt attempt : live.values()) sweep(attempt);
                reaper.removeEmptyGroups();
            }
            if (orphansPossible && now - orphansAt >= ORPHANS_EVERY.toNanos()) {
                orphansAt = now;
                sweepOrphans();
            }
        }
    }

    private Duration untilNextDuty() {
        long now = System.nanoTime();
        long wait = sweptAt + SWEEP_EVERY.toNanos() - now;
        for (LiveAttempt attempt : live.values()) {
            Long forceAt = attempt.forceAtNanos;
            if (forceAt != null && forceAt - now > 0) wait = Math.min(wait, forceAt - now);
        }
        // Rounded up: a wait of zero milliseconds for the last microseconds would only turn in
        // circles.
        return Duration.ofMillis(Math.max(0, wait / 1_000_000) + 1);
    }

    private void ended(List<ExitWatch.Watched> shims) {
        var touched = new LinkedHashSet<LiveAttempt>();
        for (var shim : shims) {
            LiveTask task = shim.task();
            synchronized (task.attempt) {
                watch.release(shim);
                Libc.reap(shim.pid());
                if (task.shim != shim) continue;
                task.shim = null;
                settle(task);
                touched.add(task.attempt);
            }
        }
        for (LiveAttempt attempt : touched) {
            synchronized (attempt) {
                attempt.publish();
            }
        }
        orphansPossible = true;
        changed();
    }

    /** What does not work now is tried again by the next sweep. */
    private void settle(LiveTask task) {
        if (task.exit != null) return;
        try {
            reaper.settle(task);
            reaper.trimLog(task);
        } catch (IOException problem) {
            complain(task.id + " of " + task.attempt.id + ": " + problem.getMessage());
        }
    }

    private void sweep(LiveAttempt attempt) {
        boolean different = false;
        synchronized (attempt) {
            if (attempt.remind) remind(attempt);
            for (LiveTask task : attempt.tasks) {
                if (task.exit != null || !task.started) continue;
                if (task.shim == null) {
                    settle(task);
                    different |= task.exit != null;
                } else {
                    trimLog(task);
                }
            }
            if (different) attempt.publish();
        }
        if (different) {
            orphansPossible = true;
            changed();
        }
    }

    private void remind(LiveAttempt attempt) {
        attempt.remind = false;
        for (LiveTask task : running(attempt)) {
            try {
                if (!task.reminded) task.reminded = reaper.remind(task);
                attempt.remind |= !task.reminded;
            } catch (IOException problem) {
                complain("cannot remind " + attempt.id + ": " + problem.getMessage());
            }
        }
    }

    private void trimLog(LiveTask task) {
        try {
            reaper.trimLog(task);
        } catch (IOException problem) {
            complain("log of " + task.id + " of " + task.attempt.id + ": " + problem.getMessage());
        }
    }

    private void force(LiveAttempt attempt) {
        if (!isForceDue(attempt)) return;
        synchronized (attempt) {
            if (attempt.phase != LiveAttempt.Phase.LIVE || attempt.allEnded()) {
                attempt.forceAtNanos = null;
                return;
            }
            // Whatever happens, not again at once: a process in an uninterruptible wait needs its
            // time.
            attempt.forceAtNanos = System.nanoTime() + SWEEP_EVERY.toNanos();
            String why =
                    "killed: it did not end within " + attempt.grace.toSeconds() + " s of SIGTERM";
            try {
                forbidStarts(attempt);
                if (!reaper.endByForce(running(attempt), why)) {
                    complain(attempt.id + " has processes that SIGKILL has not ended yet");
                }
            } catch (IOException problem) {
                complain("cannot end " + attempt.id + ": " + problem.getMessage());
            }
            attempt.publish();
        }
        orphansPossible = true;
        changed();
    }

    private static boolean isForceDue(LiveAttempt attempt) {
        Long forceAt = attempt.forceAtNanos;
        return forceAt != null && forceAt - System.nanoTime() <= 0;
    }

    private void sweepOrphans() {
        orphansPossible = false;
        try {
            if (!Reaper.killOrphans(engineId, this::marksThatMayRun)) orphansPossible = true;
        } catch (IOException problem) {
            orphansPossible = true;
            complain("cannot look for leftover processes: " + problem.getMessage());
        }
    }

    private Set<String> marksThatMayRun() {
        var marks = new HashSet<String>();
        for (LiveAttempt attempt : live.values()) {
            synchronized (attempt) {
                for (LiveTask task : attempt.tasks) if (task.exit == null) marks.add(task.mark);
            }
        }
        return marks;
    }

    /** Once for each new trouble: the sweeps would repeat it every second. */
    private void complain(String trouble) {
        if (trouble.equals(lastTrouble)) return;
        lastTrouble = trouble;
        LOG.log(Level.WARNING, trouble);
    }

    /** Leaves all processes as they are. */
    public void close() {
        if (closed) return;
        closed = true;
        watch.wake();
        try {
            if (!thread.join(CLOSE_WITHIN))
                throw new IllegalStateException(thread + " does not end");
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        watch.close();
    }
}
