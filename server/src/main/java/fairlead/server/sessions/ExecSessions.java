package fairlead.server.sessions;

import fairlead.api.ErrorCode;
import fairlead.engine.ExecSession;
import fairlead.job.JobId;
import fairlead.job.TaskId;
import fairlead.server.auth.Token;
import fairlead.server.http.Problem;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** What people have open beside tasks or to them, from its start to its end. Any thread. */
public final class ExecSessions {
    /** What a session leads to. Each kind has places of its own. */
    public enum Kind {
        /** Each holds some threads, a connection and a process. */
        COMMAND(32, 8, "commands run beside"),
        /** Each holds some threads and a connection. */
        ATTACHMENT(32, 8, "sessions are attached to"),
        /** One for each TCP connection: a browser opens a dozen to one notebook. */
        FORWARD(256, 64, "connections are forwarded to");

        final int most;

        /** So that one job's owner does not take all of them. */
        public final int mostOfJob;

        private final String words;

        Kind(int most, int mostOfJob, String words) {
            this.most = most;
            this.mostOfJob = mostOfJob;
            this.words = words;
        }
    }

    /** A command connects at once; a person with a slow line may need some seconds. */
    public static final Duration CONNECT_WITHIN = Duration.ofSeconds(30);

    private final Duration silenceMax;
    private final Map<String, Open> open = new HashMap<>();
    private boolean closed;

    /**
     * @param silenceMax after so long without a sign of life a user is gone
     */
    public ExecSessions(Duration silenceMax) {
        this.silenceMax = silenceMax;
    }

    Duration silenceMax() {
        return silenceMax;
    }

    /** One of them. */
    public static final class Open {
        public final String name = Token.fresh();
        final Kind kind;
        final JobId job;
        final TaskId task;
        private final String person;
        private final BooleanSupplier taskRuns;
        private ExecSession session;
        private boolean connected;

        private Open(Kind kind, JobId job, TaskId task, String person, BooleanSupplier taskRuns) {
            this.kind = kind;
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

    /** What starts the session, once there is a place for it. */
    public interface Start {
        ExecSession start() throws Exception;
    }

    /**
     * Starts a session for somebody, who must soon connect to it.
     *
     * @param taskRuns whether the task still does, to tell the user why a command was killed
     */
    public Open begin(
            Kind kind, JobId job, TaskId task, String person, BooleanSupplier taskRuns, Start start)
            throws Exception {
        var place = take(new Open(kind, job, task, person, taskRuns));
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
        var alike = open.values().stream().filter(each -> each.kind == place.kind).toList();
        if (alike.size() >= place.kind.most) throw full(place.kind, place.kind.most, "tasks");
        long ofJob = alike.stream().filter(each -> each.job.equals(place.job)).count();
        if (ofJob >= place.kind.mostOfJob)
            throw full(place.kind, place.kind.mostOfJob, place.job.text());
        open.put(place.name, place);
        return place;
    }

    private static Problem full(Kind kind, int most, String where) {
        return new Problem(
                ErrorCode.BUSY,
                "%d %s %s already; wait until one has ended".formatted(most, kind.words, where));
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

    public synchronized boolean awaits(String name, String person) {
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

    public synchronized int count() {
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
