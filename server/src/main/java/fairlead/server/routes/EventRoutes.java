package fairlead.server.routes;

import fairlead.api.ErrorCode;
import fairlead.api.EventBody;
import fairlead.job.JobId;
import fairlead.journal.JournalException;
import fairlead.server.http.Call;
import fairlead.server.http.Problem;
import fairlead.server.http.Sse;
import fairlead.server.http.Streams;
import fairlead.server.runtime.Facts;
import fairlead.wire.Json;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** What happens to one job, or to all, as it happens. */
final class EventRoutes {
    private final JobFinder finder;
    private final JobRoutes jobs;
    private final Facts facts;
    private final Streams streams;

    EventRoutes(JobFinder finder, JobRoutes jobs, Facts facts, Streams streams) {
        this.finder = finder;
        this.jobs = jobs;
        this.facts = facts;
        this.streams = streams;
    }

    /**
     * Events are numbered from 1, and a peer that comes back goes on after the last it has seen.
     */
    void ofJob(Call call) throws IOException, JournalException {
        JobId id = finder.find(call).id();
        int seen = seen(call);
        try (var watch = facts.watch(id);
                var sse = new Sse(call, streams)) {
            try {
                sendAll(sse, watch, id, seen);
            } catch (JournalException | InterruptedException failure) {
                sse.fail(Problem.of(failure).orElseThrow());
            }
        }
    }

    /**
     * Reads the history anew after each change instead of keeping a queue: nothing is held for a
     * slow peer.
     */
    private void sendAll(Sse sse, Facts.Watch watch, JobId id, int seen)
            throws IOException, JournalException, InterruptedException {
        while (!sse.isClosed()) {
            Optional<JobRoutes.Past> past = jobs.past(id);
            if (past.isEmpty()) return;
            List<EventBody> events = past.get().events();
            while (seen < events.size()) send(sse, ++seen, events.get(seen - 1));
            if (past.get().job().isFinished()) return;
            sse.flush();
            while (!sse.isClosed() && !watch.await(sse.untilHeartbeat())) sse.flush();
        }
    }

    private static void send(Sse sse, int number, EventBody event) throws IOException {
        sse.event("state", Integer.toString(number), Json.write(event));
    }

    private static int seen(Call call) {
        Optional<String> text = call.lastEventId();
        if (text.isEmpty()) return 0;
        if (!text.get().matches("\\d{1,9}"))
            throw Problem.invalid(
                    "Last-Event-ID",
                    "Last-Event-ID: must be a number, but is '%.40s'".formatted(text.get()));
        return Integer.parseInt(text.get());
    }

    void ofAll(Call call) throws IOException {
        try (var reader = facts.reader();
                var sse = new Sse(call, streams)) {
            // The answer's head goes out at once, so that the peer knows that it misses nothing.
            sse.begin();
            try {
                while (!sse.isClosed()) {
                    sse.flush();
                    List<EventBody> events = reader.await(sse.untilHeartbeat());
                    if (sse.isClosed()) return;
                    for (EventBody event : events) sse.event("state", null, Json.write(event));
                }
            } catch (Facts.FellBehind slow) {
                sse.fail(new Problem(ErrorCode.BUSY, slow.getMessage()));
            } catch (InterruptedException stopping) {
                sse.fail(Problem.of(stopping).orElseThrow());
            }
        }
    }
}
