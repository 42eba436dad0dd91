package fairlead.engines.yarn;

import fairlead.engine.EngineException;
import fairlead.engine.remote.RemoteHome;
import fairlead.engines.yarn.relay.Call;
import fairlead.engines.yarn.relay.RefusedException;
import fairlead.engines.yarn.relay.State;
import fairlead.engines.yarn.relay.TaskEnd;
import fairlead.engines.yarn.relay.TaskState;
import fairlead.engines.yarn.relay.Verbs;
import fairlead.job.Exit;

import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.locks.LockSupport;

/**
 * Looks after one live attempt, on a thread of its own: asks its master what happens, hands on an
 * order to stop, has the logs copied, and after the end of the application finds out what became of
 * the tasks.
 */
final class Watch {
    private static final Logger LOG = System.getLogger(Watch.class.getName());

    private static final Duration PAUSE = Duration.ofMillis(100);

    /** A master that says nothing for so long after a grace has died without YARN's notice. */
    private static final Duration STOP_MARGIN = Duration.ofSeconds(30);

    /** The code of a process that was asked to stop, and did. */
    static final int SIGTERM = 143;

    private final YarnSettings settings;
    private final RemoteHome home;
    private final Hadoop hadoop;
    private final Staging staging;
    private final LiveAttempt attempt;
    private final Runnable changed;
    private final Thread thread;
    private long version;
    private volatile boolean isClosed;
    private Call waiting;
    private boolean isKillSent;

    Watch(
            YarnSettings settings,
            RemoteHome home,
            Hadoop hadoop,
            Staging staging,
            LiveAttempt attempt,
            Runnable changed) {
        this.settings = settings;
        this.home = home;
        this.hadoop = hadoop;
        this.staging = staging;
        this.attempt = attempt;
        this.changed = changed;
        this.thread = Thread.ofVirtual().name("watch of " + attempt.id).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Something about it is new: a report, or an order to stop. */
    void wake() {
        LockSupport.unpark(thread);
    }

    void close() {
        synchronized (this) {
            isClosed = true;
            if (waiting != null) waiting.close();
        }
        wake();
    }

    private boolean isOver() {
        return isClosed || attempt.isGone();
    }

    private void run() {
        while (!isOver()) {
            try {
                if (look()) return;
            } catch (IOException | EngineException problem) {
                LOG.log(Level.DEBUG, "{0}: {1}", attempt.id, problem.getMessage());
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }
    }

    /** Answers whether there is nothing left to do. */
    private boolean look() throws IOException, EngineException {
        ApplicationReport report = attempt.report;
        if (report == null) {
            LockSupport.parkNanos(settings.poll().toNanos());
            return false;
        }
        var state = report.getYarnApplicationState();
        if (Hadoop.FINAL.contains(state)) return over(report);
        boolean isReachable = state == YarnApplicationState.RUNNING && report.getRpcPort() > 0;
        if (holding(attempt::allEnded)) return isReachable && freeMaster(report);
        if (isReachable) askMaster(report);
        else awaitMaster(state);
        return false;
    }

    private void awaitMaster(YarnApplicationState state) throws EngineException {
        boolean isStopping = holding(() -> attempt.stop.isPresent());
        // Nothing of it has begun, so nothing needs a grace.
        if (isStopping && !hasBegun()) kill("stopped by Fairlead before it began");
        holding(
                () -> {
                    attempt.trouble =
                            "YARN has not started the master yet (%s in the queue %s)"
                                    .formatted(state.name().toLowerCase(), queue());
                    return null;
                });
        LockSupport.parkNanos(settings.poll().toNanos());
    }

    private String queue() {
        ApplicationReport report = attempt.report;
        return report == null ? settings.queue() : report.getQueue();
    }

    private boolean hasBegun() {
        return holding(() -> attempt.tasks.stream().anyMatch(task -> task.isStarted));
    }

    private void kill(String why) throws EngineException {
        if (isKillSent) return;
        hadoop.kill(attempt.application(), why);
        isKillSent = true;
    }

    private interface Work<T> {
        T get();
    }

    private <T> T holding(Work<T> work) {
        attempt.lock.lock();
        try {
            return work.get();
        } finally {
            attempt.lock.unlock();
        }
    }

    private void askMaster(ApplicationReport report) throws IOException, EngineException {
        var order = holding(() -> attempt.stop);
        try (var call = open(report, Verbs.STATE, Long.toString(version))) {
            call.within(Verbs.STATE_MILLIS_MAX * 2);
            synchronized (this) {
                if (isClosed) return;
                waiting = call;
            }
            // One that came meanwhile would wait as long as the question does.
            if (order.isEmpty() && holding(() -> attempt.stop).isPresent()) return;
            apply(State.read(call.in()));
        } catch (IOException problem) {
            if (order.isPresent() && isOverdue(order.get().at().plus(order.get().grace())))
                kill("its master does not answer, and it was stopped");
            throw problem;
        } finally {
            synchronized (this) {
                waiting = null;
            }
        }
    }

    private static boolean isOverdue(Instant due) {
        return Instant.now().isAfter(due.plus(STOP_MARGIN));
    }

    /** Hands on an order to stop. The question that waits for news is interrupted. */
    void stop() {
        ApplicationReport report = attempt.report;
        var order = holding(() -> attempt.stop);
        if (order.isPresent() && report != null && report.getRpcPort() > 0) {
            long at = order.get().at().plus(order.get().grace()).toEpochMilli();
            try (var _ = open(report, Verbs.STOP, Long.toString(at))) {
                LOG.log(Level.DEBUG, "{0} is asked to stop", attempt.id);
            } catch (IOException problem) {
                LOG.log(Level.DEBUG, "{0}: {1}", attempt.id, problem.getMessage());
            }
        }
        wake();
    }

    private Call open(ApplicationReport report, String... words) throws IOException {
        return Call.open(report.getHost(), report.getRpcPort(), attempt.record.secret(), words);
    }

    Call openTask(int rank, String... words) throws IOException {
        ApplicationReport report = attempt.report;
        if (report == null || report.getRpcPort() <= 0)
            throw new RefusedException("the task has not begun yet");
        var all = new String[words.length + 2];
        all[0] = Verbs.TASK;
        all[1] = Integer.toString(rank);
        System.arraycopy(words, 0, all, 2, words.length);
        return open(report, all);
    }

    private void apply(State state) throws IOException {
        boolean differs;
        attempt.lock.lock();
        try {
            if (isOver()) return;
            version = state.version();
            attempt.trouble = state.trouble();
            for (LiveTask task : attempt.tasks) apply(task, state.tasks().get(task.rank));
            settle();
            differs = publish();
        } finally {
            attempt.lock.unlock();
        }
        if (differs) changed.run();
        boolean isStopTold = state.isStopping() || state.allEnded();
        if (!isStopTold && holding(() -> attempt.stop).isPresent()) stop();
    }

    /** What was seen to run is known to run by the next engine at once. */
    private boolean publish() throws IOException {
        boolean differs = attempt.publish();
        if (attempt.observation.running() && !attempt.record.isRunning()) {
            attempt.record = attempt.record.running();
            home.keep(attempt.id, attempt.record.text());
        }
        return differs;
    }

    private void apply(LiveTask task, TaskState state) throws IOException {
        task.container = state.container();
        task.isStarted |= state.hasBegun();
        boolean isLogged = state.hasBegun() && task.exit == null && task.follower == null;
        if (isLogged) {
            task.follower =
                    new LogFollower(
                            attempt.id + " " + task.record.id(),
                            offset -> openTask(task.rank, Verbs.LOG, Long.toString(offset)),
                            attempt.files.log(task.record.id()),
                            settings.logBytesMax(),
                            this::settleAll);
            task.follower.start();
        }
        if (state.end().isPresent() && task.seen == null) {
            task.seen = state.end().get();
            if (task.follower != null) task.follower.taskEnded(task.seen);
        }
    }

    private void settleAll() {
        boolean differs;
        attempt.lock.lock();
        try {
            if (isOver()) return;
            settle();
            differs = publish();
        } catch (IOException problem) {
            LOG.log(Level.WARNING, "{0}: {1}", attempt.id, problem.getMessage());
            return;
        } finally {
            attempt.lock.unlock();
        }
        if (differs) changed.run();
        interrupt();
    }

    private synchronized void interrupt() {
        if (waiting != null) waiting.close();
        wake();
    }

    /** An end is reported once the log is here. */
    private void settle() throws IOException {
        for (LiveTask task : attempt.tasks) {
            if (task.exit != null || task.seen == null) continue;
            if (task.follower == null || task.follower.isDone())
                attempt.settle(task, exit(task.seen));
        }
    }

    static Exit exit(TaskEnd end) {
        return new Exit(
                end.code() == TaskEnd.LOST ? OptionalInt.empty() : OptionalInt.of(end.code()),
                end.stopped(),
                end.outOfMemory(),
                end.note(),
                Instant.ofEpochMilli(end.atMillis()));
    }

    /** Once all is known here, the master may go. */
    private boolean freeMaster(ApplicationReport report) throws IOException {
        try (var _ = open(report, Verbs.DONE)) {
            holding(() -> attempt.isMasterFree = true);
        }
        return true;
    }

    /** The application has ended. */
    private boolean over(ApplicationReport report) throws IOException {
        if (holding(attempt::allEnded)) return true;
        Optional<State> last = staging.state(attempt.record.application());
        attempt.lock.lock();
        try {
            if (isOver()) return true;
            for (LiveTask task : attempt.tasks) {
                if (task.exit != null) continue;
                TaskState state = last.map(it -> it.tasks().get(task.rank)).orElse(TaskState.NEW);
                boolean hasBegun = task.isStarted || state.hasBegun();
                task.isStarted = hasBegun;
                if (task.seen == null)
                    task.seen = state.end().orElseGet(() -> end(report, hasBegun));
                if (task.follower != null) task.follower.stop();
                if (hasBegun) finishLog(task);
                attempt.settle(task, exit(task.seen));
            }
            attempt.publish();
        } finally {
            attempt.lock.unlock();
        }
        changed.run();
        return true;
    }

    /** How a task ended of which nobody has reported the end. */
    private TaskEnd end(ApplicationReport report, boolean hasBegun) {
        long at = System.currentTimeMillis();
        if (attempt.stop.isPresent()) {
            String note = hasBegun ? "killed with its application" : "stopped before it began";
            return new TaskEnd(SIGTERM, true, false, note, at, TaskEnd.LOST);
        }
        String said = report.getDiagnostics() == null ? "" : report.getDiagnostics().strip();
        String words = said.replaceAll("\\s+", " ");
        return TaskEnd.lost(
                "the application %s has ended (%s)%s"
                        .formatted(
                                report.getApplicationId(),
                                report.getYarnApplicationState().name().toLowerCase(),
                                words.isEmpty()
                                        ? ""
                                        : ": "
                                                + words.substring(
                                                        0, Math.min(400, words.length()))));
    }

    private void finishLog(LiveTask task) {
        try {
            var log =
                    new LogFollower(
                            attempt.id + " " + task.record.id(),
                            _ -> {
                                throw new RefusedException("it is over");
                            },
                            attempt.files.log(task.record.id()),
                            settings.logBytesMax(),
                            () -> {});
            String application = attempt.record.application();
            var start = staging.restStart(application, task.rank);
            if (start.isEmpty()) return;
            try (var in = staging.rest(application, task.rank, start.getAsLong())) {
                log.append(in, start.getAsLong());
            }
        } catch (IOException problem) {
            LOG.log(Level.WARNING, "the rest of a log: {0}", problem.getMessage());
        }
    }
}
