package fairlead.server.routes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.ErrorBody;
import fairlead.api.JobPage;
import fairlead.api.SubmitAnswer;
import fairlead.server.TestServer;
import fairlead.wire.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.http.HttpResponse;
import java.nio.file.Path;

/** A request with several specs: each is checked, and one that is refused refuses them all. */
final class SubmitManyTest {
    @TempDir Path folder;
    private TestServer server;
    private String bob;

    @BeforeEach
    void start() throws Exception {
        server = new TestServer(folder);
        bob = server.person("bob", "{}");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /**
     * @param last what the last of three specs says beside its command
     */
    private HttpResponse<String> submit(String token, String target, String last) throws Exception {
        String good = "{\"command\":\"true\"}";
        String body = "{\"jobs\":[%s,%s,{\"command\":\"true\",%s}]}".formatted(good, good, last);
        return server.call(token, "POST", target, body);
    }

    private void assertNothingSubmitted() throws Exception {
        assertEquals(0, Json.read(JobPage.class, server.get("/v1/jobs").body()).jobs().size());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"user\":\"root\" | 403 | jobs[2].user: only an admin may run a job as the account"
                        + " root; you are bob; there is none that you may name, so ask an admin",
                "\"user\":\"ann\" | 403 | jobs[2].user: only an admin may run a job as the account"
                        + " ann; you are bob; there is none that you may name, so ask an admin",
                "\"project\":\"none\" | 404 | jobs[2].project: no project 'none'; known: default",
                "\"cluster\":\"none\" | 400 | jobs[2].cluster: no cluster 'none'; known: local",
            })
    void theLastSpecIsCheckedAsTheFirst(String last, int status, String words) throws Exception {
        for (String target : new String[] {"/v1/jobs", "/v1/jobs?dryRun=true"}) {
            var response = submit(bob, target, last);
            assertEquals(status, response.statusCode(), response.body());
            assertEquals(words, Json.read(ErrorBody.class, response.body()).message());
        }
        assertNothingSubmitted();
    }

    @Test
    void onesOwnAccountMayBeNamed() throws Exception {
        var response = submit(bob, "/v1/jobs", "\"user\":\"bob\"");
        assertEquals(201, response.statusCode(), response.body());
        assertEquals(3, Json.read(SubmitAnswer.class, response.body()).ids().size());
    }

    @Test
    void anAdminMayNameAnyAccount() throws Exception {
        var response = submit(TestServer.TOKEN, "/v1/jobs", "\"user\":\"bob\"");
        assertEquals(201, response.statusCode(), response.body());
    }

    @Test
    void whatNeverFitsIsWarnedOfWhicheverSpecItIs() throws Exception {
        var response = submit(bob, "/v1/jobs", "\"name\":\"big\",\"gpus\":9");
        var answer = Json.read(SubmitAnswer.class, response.body());
        assertEquals(1, answer.warnings().size(), response.body());
        assertTrue(answer.warnings().getFirst().startsWith("job 'big' "), response.body());
    }

    @Test
    void anArrayIsCountedWithBothItsEnds() throws Exception {
        String body = "{\"jobs\":[{\"command\":\"true\"}],\"array\":{\"from\":1,\"to\":%d}}";
        var tooMany = server.post("/v1/jobs", body.formatted(10_001));
        assertEquals(400, tooMany.statusCode(), tooMany.body());
        assertEquals(
                "array: asks for 10001 jobs; the limit is 10000",
                Json.read(ErrorBody.class, tooMany.body()).message());
        assertNothingSubmitted();
    }
}
