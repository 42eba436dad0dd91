package fairlead.engines.kubernetes;

import fairlead.engine.Observation;
import fairlead.engine.remote.RemoteAttempts;
import fairlead.job.AttemptId;

import io.fabric8.kubernetes.api.model.Pod;

import java.io.Closeable;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * The thread that looks after all live attempts: at once when a pod has changed, and at all of them
 * once in a while, because patience ends without an event.
 */
final class Keeper implements Closeable {
    private static final Logger LOG = System.getLogger(Keeper.class.getName());
    private static final Duration LOOK_AT_ALL_EVERY = Duration.ofSeconds(1);
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(10);

    private final Home home;
    private final Watched watched;
    private final Reservations reservations;
    private final Looker looker;
    private final RemoteAttempts<LiveAttempt> attempts;
    private final Set<AttemptId> changed = ConcurrentHashMap.newKeySet();
    private final Thread thread = new Thread(this::run, "kubernetes keeper");
    private volatile boolean hasLooked;
    private volatile boolean isClosed;

    Keeper(
            Home home,
            RemoteAttempts<LiveAttempt> attempts,
            Watched watched,
            Reservations reservations,
            Looker looker) {
        this.home = home;
        this.attempts = attempts;
        this.watched = watched;
        this.reservations = reservations;
        this.looker = looker;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** What an earlier engine has left on the disk. */
    void recover() throws IOException {
        for (AttemptRecord record : home.live()) attempts.add(recovered(record));
    }

    private LiveAttempt recovered(AttemptRecord record) throws IOException {
        var attempt = new LiveAttempt(record, home.files(record.attempt()));
        attempt.isRecovered = true;
        return attempt;
    }

    boolean isAlive() {
        return thread.isAlive();
    }

    List<Observation> observations() {
        if (!hasLooked) lookAtAll();
        // To leave one out would mean that it is gone. A new one is shown once it is launched.
        for (LiveAttempt attempt : attempts.all()) {
            if (attempt.isRecovered && attempt.observation == null) lookNow(attempt);
        }
        return attempts.observations();
    }

    /** News from the watches: of a pod of ours, or of something else that counts. */
    void changed(Optional<Pod> pod) {
        var marks = pod.flatMap(Marks::of);
        if (marks.isPresent()) {
            lookSoon(marks.get().attempt());
        } else {
            attempts.tell();
        }
    }

    void lookSoon(AttemptId attempt) {
        changed.add(attempt);
        LockSupport.unpark(thread);
    }

    private void run() {
        long allNanos = System.nanoTime();
        while (!isClosed) {
            if (changed.isEmpty()) LockSupport.parkNanos(LOOK_AT_ALL_EVERY.toNanos());
            if (isClosed) return;
            boolean differs = false;
            for (AttemptId id : Set.copyOf(changed)) {
                changed.remove(id);
                differs |= lookAt(id);
            }
            if (System.nanoTime() - allNanos > LOOK_AT_ALL_EVERY.toNanos()) {
                differs |= lookAtAll();
                allNanos = System.nanoTime();
            }
            if (differs) attempts.tell();
        }
    }

    private boolean lookAt(AttemptId id) {
        var attempt = attempts.find(id);
        if (attempt.isEmpty()) {
            // Perhaps a pod of an attempt that is forgotten, or of one that the disk has lost.
            takeUp();
            attempt = attempts.find(id);
        }
        return attempt.map(this::look).orElse(false);
    }

    private boolean look(LiveAttempt attempt) {
        // Whoever has it may wait for the API server, and looks by itself when it is done.
        if (!attempt.lock.tryLock()) return false;
        try {
            return lookNow(attempt);
        } finally {
            attempt.lock.unlock();
        }
    }

    private boolean lookNow(LiveAttempt attempt) {
        attempt.lock.lock();
        try {
            return !attempt.isGone() && !isClosed && looker.look(attempt);
        } catch (IOException problem) {
            LOG.log(Level.WARNING, "{0}: {1}", attempt.id, problem.getMessage());
            return false;
        } finally {
            attempt.lock.unlock();
        }
    }

    /**
     * Answers whether something differs. Before the first list from the cluster it does nothing.
     */
    private boolean lookAtAll() {
        if (!watched.isInSync()) return false;
        takeUp();
        boolean differs = false;
        for (LiveAttempt attempt : attempts.all()) differs |= look(attempt);
        sweep();
        hasLooked = true;
        return differs;
    }

    /** Pods that bear our mark and belong to no attempt that we know. */
    private void takeUp() {
        var unknown = new HashMap<AttemptId, List<Pod>>();
        for (Pod pod : watched.ours()) {
            var marks = Marks.of(pod);
            if (marks.isEmpty() || Marks.isForgotten(pod)) continue;
            AttemptId id = marks.get().attempt();
            if (attempts.find(id).isEmpty())
                unknown.computeIfAbsent(id, _ -> new ArrayList<>()).add(pod);
        }
        unknown.forEach(
                (id, pods) -> {
                    if (home.files(id).isNever()) pods.forEach(looker::releaseLater);
                    else takeUp(id, pods);
                });
    }

    private void takeUp(AttemptId id, List<Pod> pods) {
        var sorted = new ArrayList<>(pods);
        sorted.sort(Comparator.comparingInt(pod -> Marks.of(pod).orElseThrow().rank()));
        var tasks = new ArrayList<AttemptRecord.Task>();
        for (Pod pod : sorted) {
            var marks = Marks.of(pod).orElseThrow();
            boolean isWhole = Capacity.asked(pod, TaskPods.GPU).signum() > 0;
            tasks.add(
                    new AttemptRecord.Task(
                            marks.task(),
                            pod.getMetadata().getName(),
                            Marks.annotation(pod, Marks.NODE),
                            marks.gpus(),
                            !isWhole && !marks.gpus().isEmpty()));
        }
        String namespace = sorted.getFirst().getMetadata().getNamespace();
        try {
            var record = new AttemptRecord(id, namespace, true, tasks);
            home.keep(record);
            attempts.addIfAbsent(recovered(record));
        } catch (IOException problem) {
            LOG.log(Level.WARNING, "cannot take up {0}: {1}", id, problem.getMessage());
        }
    }

    private void sweep() {
        var needed = new HashMap<Reservations.Slot, LiveAttempt>();
        for (LiveAttempt attempt : attempts.all()) {
            for (LiveTask task : attempt.tasks) {
                if (!task.record.shared() || task.exit != null) continue;
                for (int gpu : task.record.gpus()) {
                    needed.put(new Reservations.Slot(task.record.node(), gpu), attempt);
                }
            }
        }
        for (Pod pod : reservations.unneeded(needed.keySet())) {
            looker.deleteLater(pod, Reservations.GRACE_SECONDS);
        }
        needed.forEach(
                (slot, sharer) -> {
                    // A launch under way makes its own.
                    if (sharer.isShared && !reservations.isHeld(slot))
                        looker.reserveLater(
                                slot, () -> reservations.restore(sharer.namespace(), slot));
                });
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
        attempts.release(LiveAttempt::stopCopying);
    }
}
