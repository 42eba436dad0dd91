package fairlead.server.routes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.ErrorBody;
import fairlead.api.JobDetail;
import fairlead.api.JobsAnswer;
import fairlead.api.SubmitAnswer;
import fairlead.server.TestServer;
import fairlead.wire.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

/** Calls that change several jobs: one message, and so one commit. */
final class ManyJobsTest {
    @TempDir Path folder;
    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        server = new TestServer(folder);
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    /** Five jobs, of which the first runs. */
    private SubmitAnswer sweep() throws Exception {
        var answer =
                server.submit(
                        """
                        {"jobs":[{"name":"sweep","command":["echo","lr {i}"],"gpus":1}],
                         "array":{"from":3,"to":7}}\
                        """,
                        201);
        server.awaitState(answer.ids().getFirst(), "running");
        return answer;
    }

    private static List<String> ids(JobsAnswer answer) {
        return answer.jobs().stream().map(JobsAnswer.Changed::id).toList();
    }

    private static List<String> messages(JobsAnswer answer) {
        return answer.refused().stream().map(ErrorBody::message).toList();
    }

    private JobDetail detail(String id) throws Exception {
        return Json.read(JobDetail.class, server.get("/v1/jobs/" + id).body());
    }

    @Test
    void jobsAndArraysAreAbortedTogether() throws Exception {
        SubmitAnswer array = sweep();
        String named = server.submit("named");
        String ended = server.submit("ended");
        server.post("/v1/jobs/" + ended + "/abort", "");
        server.awaitState(ended, "cancelled");
        String body =
                "{\"jobs\":[\"named\",\"nope\",\"%s\",\"%s\",\"%s\"]}"
                        .formatted(array.array(), ended, array.ids().getFirst());
        var response = server.post("/v1/abort", body);
        assertEquals(200, response.statusCode(), response.body());
        var answer = Json.read(JobsAnswer.class, response.body());
        assertEquals(named, ids(answer).getFirst());
        assertEquals(array.ids(), ids(answer).subList(1, 6));
        assertEquals(List.of("no job 'nope'", ended + " has already ended"), messages(answer));
        for (String id : array.ids()) server.awaitState(id, "cancelled");
    }

    @Test
    void othersJobsAreLeftAlone() throws Exception {
        String mine = server.submit("mine");
        String bob = server.person("bob", "{}");
        var response = server.call(bob, "POST", "/v1/abort", "{\"jobs\":[\"" + mine + "\"]}");
        var answer = Json.read(JobsAnswer.class, response.body());
        assertEquals(List.of(), answer.jobs());
        assertEquals("forbidden", answer.refused().getFirst().code());
        String array = sweep().array();
        assertEquals(403, server.call(bob, "DELETE", "/v1/arrays/" + array, "").statusCode());
        String again = "/v1/arrays/" + array + "/resubmit";
        assertEquals(403, server.call(bob, "POST", again, "{}").statusCode());
        for (String body : List.of("{}", "{\"jobs\":[]}"))
            assertEquals(400, server.post("/v1/abort", body).statusCode(), body);
    }

    @Test
    void theEndedJobsOfAnArrayAreDeletedTogether() throws Exception {
        SubmitAnswer array = sweep();
        String path = "/v1/arrays/" + array.array();
        var early = server.delete(path);
        assertEquals(409, early.statusCode(), early.body());
        for (String id : array.ids().subList(1, 5)) server.post("/v1/jobs/" + id + "/abort", "");
        for (String id : array.ids().subList(1, 5)) server.awaitState(id, "cancelled");
        var answer = Json.read(JobsAnswer.class, server.delete(path).body());
        assertEquals(array.ids().subList(1, 5), ids(answer));
        assertTrue(answer.jobs().stream().allMatch(job -> job.state().equals("deleted")));
        String left = array.ids().getFirst();
        assertEquals(List.of(left + " is still active; abort it first"), messages(answer));
        for (String id : array.ids().subList(1, 5))
            assertEquals(404, server.get("/v1/jobs/" + id).statusCode());
        assertEquals("running", server.state(left));
        assertEquals(404, server.delete("/v1/arrays/00000000").statusCode());
    }

    @Test
    void anArraySubmittedAgainIsAnArrayAndReplacesTheOldOne() throws Exception {
        SubmitAnswer old = sweep();
        String path = "/v1/arrays/" + old.array() + "/resubmit";
        String body = "{\"request\":\"again\",\"gpus\":2}";
        var response = server.post(path, body);
        assertEquals(201, response.statusCode(), response.body());
        var made = Json.read(SubmitAnswer.class, response.body());
        assertEquals(5, made.ids().size());
        JobDetail last = detail(made.ids().getLast());
        assertEquals(made.array(), last.job().array());
        assertEquals(7, last.job().arrayIndex());
        assertEquals(List.of("echo", "lr 7"), last.spec().command());
        assertEquals(2, last.job().gpus());
        for (String id : old.ids()) server.awaitState(id, "cancelled");
        var repeat = server.post(path, body);
        assertEquals(200, repeat.statusCode());
        assertEquals(made.ids(), Json.read(SubmitAnswer.class, repeat.body()).ids());
        assertEquals(404, server.post("/v1/arrays/00000000/resubmit", "{}").statusCode());
    }

    @Test
    void whatIsLeftOfAnArrayIsSubmittedAgainAsJobs() throws Exception {
        SubmitAnswer old = sweep();
        String gone = old.ids().get(3);
        server.post("/v1/jobs/" + gone + "/abort", "");
        server.awaitState(gone, "cancelled");
        assertEquals(204, server.delete("/v1/jobs/" + gone).statusCode());
        var response = server.post("/v1/arrays/" + old.array() + "/resubmit", "{}");
        var made = Json.read(SubmitAnswer.class, response.body());
        assertEquals(null, made.array());
        assertEquals(4, made.ids().size());
        JobDetail last = detail(made.ids().getLast());
        assertEquals(List.of("echo", "lr 7"), last.spec().command());
    }
}
