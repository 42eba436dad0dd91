package fairlead.cli.verb;

import fairlead.api.ErrorCode;
import fairlead.api.JobBody;
import fairlead.api.client.Client;
import fairlead.api.client.EventStream;
import fairlead.api.client.LogQuery;
import fairlead.api.client.Refused;
import fairlead.api.client.Unreachable;
import fairlead.cli.line.Session;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * Copies a job's log to the standard output until the job ends. A lost connection is taken up again
 * where the log stood, so that a restart of the server neither loses nor repeats a byte.
 */
final class LogFollower {
    /** Time for a server to be restarted by hand. */
    private static final Duration AWAY_MAX = Duration.ofSeconds(60);

    private static final Duration SILENT = Duration.ofSeconds(1);
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final Session session;
    private final Client client;
    private final String id;
    private final WaitingNotice notice;
    private LogQuery query;

    /**
     * @param notice makes room for what is printed
     */
    LogFollower(Session session, String id, LogQuery query, WaitingNotice notice)
            throws UsageException, Failure {
        this.session = session;
        this.client = session.another();
        this.id = id;
        this.query = query;
        this.notice = notice;
    }

    /** Returns the job as it ended. */
    JobBody follow() throws Failure, Refused, IOException {
        long heard = System.nanoTime();
        boolean told = false;
        boolean connected = false;
        while (true) {
            try (var stream = client.follow(id, query)) {
                connected = true;
                if (told) session.say("connected again");
                told = false;
                Optional<JobBody> end = copy(stream);
                if (end.isPresent()) return end.get();
                heard = System.nanoTime();
            } catch (Unreachable e) {
                if (!connected) throw e;
            } catch (Refused e) {
                // A server that is just starting or stopping will soon know better.
                if (!connected || !e.is(ErrorCode.UNAVAILABLE)) throw e;
            }
            Duration away = Duration.ofNanos(System.nanoTime() - heard);
            if (away.compareTo(AWAY_MAX) > 0) {
                throw new Failure(
                        ExitCode.UNREACHABLE,
                        "the server has not answered for "
                                + AWAY_MAX.toSeconds()
                                + " s; the job goes on without it.\n"
                                + "'fairlead logs -f "
                                + id
                                + "' takes up the log again.");
            }
            if (!told && away.compareTo(SILENT) > 0) {
                session.say("connection lost, trying again...");
                told = true;
            }
            pause();
        }
    }

    /** Empty when the stream broke off before the job's end. */
    private Optional<JobBody> copy(EventStream stream) throws IOException {
        try {
            for (var event = stream.next(); event.isPresent(); event = stream.next()) {
                switch (event.get().type()) {
                    case "log" -> log(event.get(), stream);
                    case "attempt" -> attempt(event.get());
                    case "end" -> {
                        session.out().flush();
                        return Optional.of(event.get().job());
                    }
                    default -> {
                        // An event of a newer server.
                    }
                }
            }
        } catch (Unreachable _) {
            // The caller connects again, from the offset reached.
            session.out().flush();
        }
        return Optional.empty();
    }

    private void log(EventStream.Event event, EventStream stream) throws IOException {
        notice.hear(event.text());
        session.out().print(event.text());
        if (event.id() != null) query = query.after(event.id());
        if (!stream.ready()) session.out().flush();
    }

    private void attempt(EventStream.Event event) {
        if (event.id() != null) query = query.after(event.id());
        if (!event.data().equals("1")) session.say("attempt " + event.data() + " of job " + id);
    }

    private static void pause() throws Failure {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new Failure(ExitCode.UNREACHABLE, "interrupted");
        }
    }
}
