package fairlead.cli;

import com.sun.net.httpserver.HttpExchange;

import fairlead.api.ErrorBody;
import fairlead.api.ErrorCode;
import fairlead.api.EventBody;
import fairlead.api.JobBody;
import fairlead.api.JobPage;
import fairlead.api.JobsAnswer;
import fairlead.api.JobsRequest;
import fairlead.api.ResubmitRequest;
import fairlead.api.SubmitAnswer;

import io.avaje.jsonb.Jsonb;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The fake server's calls for several jobs at once. */
final class FakeArrays {
    private final FakeServer server;

    FakeArrays(FakeServer server) {
        this.server = server;
    }

    void abort(HttpExchange exchange) throws IOException {
        var done = new ArrayList<JobsAnswer.Changed>();
        var refused = new ArrayList<ErrorBody>();
        for (String word : FakeServer.read(exchange, JobsRequest.class).jobs()) {
            try {
                FakeJob job = server.find(word);
                if (job.isOver()) {
                    String words = "job " + job.body.id() + " has ended";
                    throw new FakeRefusal(ErrorCode.CONFLICT, words, null, null);
                }
                done.add(aborted(job));
            } catch (FakeRefusal refusal) {
                refused.add(refusal.body);
            }
        }
        var answer = new JobsAnswer(null, done, refused);
        FakeServer.answer(exchange, 200, answer, JobsAnswer.class);
    }

    private static JobsAnswer.Changed aborted(FakeJob job) {
        job.state("cancelled", 143);
        return new JobsAnswer.Changed(job.body.id(), job.body.state());
    }

    void ofArray(HttpExchange exchange, String call, String array) throws IOException, FakeRefusal {
        List<FakeJob> jobs = server.array(array);
        if (jobs.isEmpty()) throw new FakeRefusal(ErrorCode.NOT_FOUND, "no array", null, null);
        if (call.equals("POST resubmit")) {
            var request = FakeServer.read(exchange, ResubmitRequest.class);
            var specs = Collections.nCopies(jobs.size(), jobs.getFirst().spec);
            var made = server.made(request.request(), specs, "000a77a2");
            FakeServer.answer(exchange, 201, made, SubmitAnswer.class);
            return;
        }
        var done = new ArrayList<JobsAnswer.Changed>();
        var refused = new ArrayList<ErrorBody>();
        boolean isDelete = call.equals("DELETE ");
        for (FakeJob job : jobs) {
            if (!isDelete && !job.isOver()) done.add(aborted(job));
            if (isDelete && job.isOver()) {
                server.remove(job);
                done.add(new JobsAnswer.Changed(job.body.id(), "deleted"));
            } else if (isDelete) {
                String words = job.body.id() + " is still active; abort it first";
                refused.add(new ErrorBody("conflict", words, null, null));
            }
        }
        if (done.isEmpty()) {
            String message = "all jobs of array " + array + " have already ended";
            throw new FakeRefusal(ErrorCode.CONFLICT, message, null, null);
        }
        var answer = new JobsAnswer(array, done, refused);
        FakeServer.answer(exchange, 200, answer, JobsAnswer.class);
    }

    /** Leaves the first job of each array, and tells how far all of it is. */
    static List<JobPage.ArrayProgress> once(List<JobBody> found, Collection<FakeJob> all) {
        var states = new LinkedHashMap<String, Map<String, Long>>();
        found.removeIf(
                job -> job.array() != null && states.put(job.array(), new TreeMap<>()) != null);
        for (FakeJob job : all) {
            var counts = states.get(String.valueOf(job.body.array()));
            if (counts != null) counts.merge(job.body.state(), 1L, Long::sum);
        }
        var arrays = new ArrayList<JobPage.ArrayProgress>();
        states.forEach(
                (id, counts) -> arrays.add(new JobPage.ArrayProgress(id, "echo {i}", counts)));
        return arrays;
    }

    /** The end of each job that waits for a listener. */
    void events(HttpExchange exchange, Jsonb json) throws IOException {
        exchange.sendResponseHeaders(200, 0);
        for (FakeJob job : server.all()) {
            if (job.isOver() || job.afterWait == null) continue;
            job.waited();
            var end = new EventBody(job.body.id(), "", "ended", null, job.body.state());
            String event = "event: state\ndata: " + json.type(EventBody.class).toJson(end) + "\n\n";
            exchange.getResponseBody().write(event.getBytes(StandardCharsets.UTF_8));
        }
        exchange.getResponseBody().flush();
    }
}
