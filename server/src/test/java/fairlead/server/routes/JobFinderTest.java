package fairlead.server.routes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.ErrorBody;
import fairlead.api.JobDetail;
import fairlead.api.JobPage;
import fairlead.server.TestServer;
import fairlead.wire.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

class JobFinderTest {
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

    @Test
    void theEndOfOneIdThatIsAnotherJobsNameIsRefused() throws Exception {
        String first = server.submit("first");
        String end = first.substring(first.length() - 8);
        String called = server.submit(end);
        for (String call : List.of("/abort", "/resubmit", "/exec")) {
            var refused = server.post("/v1/jobs/" + end + call, "{\"command\":[\"true\"]}");
            assertEquals(409, refused.statusCode(), call + refused.body());
            var error = Json.read(ErrorBody.class, refused.body());
            assertEquals("ambiguous", error.code());
            assertTrue(
                    error.message().startsWith("'" + end + "' could be any of 2 jobs ("),
                    error.message());
            assertEquals(Set.of(called, first), Set.copyOf(error.matches()));
        }
        assertEquals(409, server.get("/v1/jobs/" + end).statusCode());
        assertEquals(200, server.post("/v1/jobs/" + first + "/abort", "").statusCode());
        server.awaitState(first, "cancelled");
        var other = Json.read(JobDetail.class, server.get("/v1/jobs/" + called).body());
        assertNotEquals("cancelled", other.job().state());
    }

    @Test
    void aNameGoesBeforeTheEndOfAnIdOnesOwnBeforeOthersAndUnfinishedBeforeEnded() throws Exception {
        server.person("bob", "{}");
        String bobs = "{\"as\":\"bob\",\"jobs\":[{\"name\":\"%s\",\"command\":[\"true\"]}]}";
        String end = server.submit(bobs.formatted("other"), 201).ids().getFirst();
        end = end.substring(end.length() - 2);
        String ended = server.submit(end);
        assertEquals(ended, found(end), "not bob's, whose id ends so");
        server.submit(bobs.formatted(end), 201);
        assertEquals(ended, found(end), "not bob's of the same name");
        assertEquals(200, server.post("/v1/jobs/" + end + "/abort", "").statusCode());
        server.awaitState(ended, "cancelled");
        assertEquals(ended, found(end), "also when it has ended");
        String next = server.submit(end);
        assertEquals(next, found(end), "not the one that has ended");
        assertEquals(200, server.post("/v1/jobs/" + end + "/abort", "").statusCode());
        server.awaitState(next, "cancelled");
        var error = Json.read(ErrorBody.class, server.get("/v1/jobs/" + end).body());
        assertEquals("'" + end + "' could be any of 2 jobs (2 aborted)", error.message());
        assertEquals(List.of(next, ended), error.matches());
    }

    private String found(String text) throws Exception {
        var answer = server.get("/v1/jobs/" + text);
        assertEquals(200, answer.statusCode(), answer.body());
        return Json.read(JobDetail.class, answer.body()).job().id();
    }

    @Test
    void anArrayIsMeantByItsNameAndByLast() throws Exception {
        String sweep =
                "{\"jobs\":[{\"name\":\"sweep\",\"command\":\"true\",\"gpus\":99}],"
                        + "\"array\":{\"from\":3,\"to\":5}}";
        var made = server.submit(sweep, 201);
        for (String word : List.of("sweep", "@last", made.array())) {
            assertEquals(made.ids().get(1), found(word + "%5B4%5D"), word);
            var listed = server.get("/v1/jobs?array=" + word).body();
            assertEquals(3, Json.read(JobPage.class, listed).jobs().size(), word);
        }
        for (String word : List.of("sweep", made.array())) {
            var refused = server.get("/v1/jobs/" + word);
            assertEquals(409, refused.statusCode());
            assertEquals(
                    "'%1$s' is an array of 3 jobs; name one of them, such as '%1$s[3]'"
                            .formatted(word),
                    Json.read(ErrorBody.class, refused.body()).message());
        }
        assertEquals(200, server.post("/v1/arrays/sweep/abort", "").statusCode());
        server.awaitState(made.ids().getLast(), "cancelled");
        String next = server.submit(sweep, 201).ids().getFirst();
        assertEquals(next, found("sweep%5B3%5D"), "the one that waits");
        server.submit(sweep, 201);
        assertEquals(404, server.get("/v1/jobs/sweep%5B3%5D").statusCode(), "two wait");
        assertEquals(404, server.post("/v1/arrays/sweep/abort", "").statusCode());
        String alone = server.submit("alone");
        assertEquals(404, server.post("/v1/arrays/alone/abort", "").statusCode());
        assertEquals(alone, found("alone"));
    }

    @Test
    void aWholeIdGoesBeforeAName() throws Exception {
        String first = server.submit("first");
        server.submit(first);
        var found = Json.read(JobDetail.class, server.get("/v1/jobs/" + first).body());
        assertEquals(first, found.job().id());
    }
}
