package fairlead.server.http;

import fairlead.api.ErrorCode;
import fairlead.engine.ExecSession;
import fairlead.job.JobId;
import fairlead.job.TaskId;
import fairlead.server.auth.Token;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** The commands that people run beside tasks, from their start to their end. Any thread. */
public final class ExecSessions {
    /** Each holds some threads, a connection and a process. */
    static final int OPEN_MAX = 32;

    /** So that one job's owner does not take all of them. */
    static final int OPEN_OF_JOB_MAX = 8;

    /** A command connects at once; a person with a slow line may need some seconds. */
    static final Duration CONNECT_WITHIN = Duration.ofSeconds(30);

    private final Map<String, Open> open = new HashMap<>();
    private boolean closed;

    /** One of them. */
    static final class Open {
        final String name = Token.fresh();
        final JobId job;
        final TaskId task;
        private final String person;
        private final BooleanSupplier taskRuns;
        private ExecSession session;
        private boolean connected;

        private Open(JobId job, TaskId task, String person, BooleanSupplier taskRuns) {
            this.job = job;
            this.task = task;
            this.person = person;
            this.taskRuns = taskRuns;
        }

        boolean taskRuns() {
            return taskRuns.getAsBoolean();
        }

        ExecSession session() {
            return session;
        }
    }

    /** What starts the command, once there is a place for it. */
    interface Start {
        ExecSession start() throws Exception;
    }

    /**
     * Starts a command for somebody, who must soon connect to it.
     *
     * @param taskRuns whether the task still does, to tell the user why a command was killed
     */
    Open begin(JobId job, TaskId task, String person, BooleanSupplier taskRuns, Start start)
            throws Exception {
        var place = take(new Open(job, task, person, taskRuns));
        try {
            place.session = start.start();
        } finally {
            if (place.session == null) end(place);
        }
        Thread.ofVirtual().name("exec-patience").start(() -> awaitConnection(place));
        return place;
    }

    private synchronized Open take(Open place) {
        if (closed) throw new Problem(ErrorCode.UNAVAILABLE, "the server is stopping");
        if (open.size() >= OPEN_MAX)
            throw new Problem(
                    ErrorCode.BUSY,
                    OPEN_MAX + " commands run beside tasks already; wait until one has ended");
        long ofJob = open.values().stream().filter(each -> each.job.equals(place.job)).count();
        if (ofJob >= OPEN_OF_JOB_MAX)
            throw new Problem(
                    ErrorCode.BUSY,
                    "%d commands run beside %s already; wait until one has ended"
                            .formatted(OPEN_OF_JOB_MAX, place.job));
        open.put(place.name, place);
        return place;
    }

    private void awaitConnection(Open place) {
        try {
            Thread.sleep(CONNECT_WITHIN);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            if (place.connected) return;
        }
        end(place);
    }

    /** Gives the session to whoever began it, once. */
    synchronized Optional<Open> connect(String name, String person) {
        Open place = open.get(name);
        if (place == null || place.connected || place.session == null) return Optional.empty();
        if (!place.person.equals(person)) return Optional.empty();
        place.connected = true;
        return Optional.of(place);
    }

    synchronized boolean awaits(String name, String person) {
        Open place = open.get(name);
        return place != null && !place.connected && place.person.equals(person);
    }

    /** Ends what still runs of it, and frees its place. */
    void end(Open place) {
        if (place.session != null) place.session.close();
        synchronized (this) {
            open.remove(place.name);
        }
    }

    synchronized int count() {
        return open.size();
    }

    /** Ends all of them; none begins from now on. */
    public void close() {
        List<Open> left;
        synchronized (this) {
            closed = true;
            left = new ArrayList<>(open.values());
        }
        left.forEach(this::end);
    }
}
