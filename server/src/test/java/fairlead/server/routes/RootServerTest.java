package fairlead.server.routes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;

/** On a server of root's nobody but its owner, ann, becomes root by a job. */
final class RootServerTest {
    private static final String NAMELESS =
            "jobs[0].user: name an account to run as ('fairlead submit --user NAME', or user in a"
                    + " job file); you ";
    private static final String WHY =
            ". This server is root's, and only its owner's jobs run as root";

    @TempDir Path folder;
    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        server = TestServer.ofRoot(folder, Map.of("accounts", "trainer"));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static String jobs(String... accounts) {
        var text = new StringBuilder();
        for (String account : accounts) {
            if (!text.isEmpty()) text.append(',');
            text.append("{\"command\":\"true\"");
            if (!account.isEmpty()) text.append(",\"user\":\"" + account + "\"");
            text.append('}');
        }
        return "{\"jobs\":[" + text + "]}";
    }

    private HttpResponse<String> submit(String token, String body) throws Exception {
        return server.call(token, "POST", "/v1/jobs", body);
    }

    private void refused(String words, HttpResponse<String> response) {
        assertEquals(403, response.statusCode(), response.body());
        assertEquals(words, Json.read(ErrorBody.class, response.body()).message());
    }

    private void submitted(HttpResponse<String> response) {
        assertEquals(201, response.statusCode(), response.body());
    }

    @Test
    void aJobWithoutAnAccountHasTheOneThatIsCalledAsItsOwner() throws Exception {
        String dora = server.person("dora", "{}");
        submitted(submit(dora, jobs("")));
        var answer = server.call(dora, "POST", "/v1/jobs?dryRun=true", jobs(""));
        assertTrue(answer.body().contains("\"user\":\"dora\""), answer.body());
    }

    @Test
    void aJobOfAnybodyElseNamesAnAccountThatTheyMayUse() throws Exception {
        String bob = server.person("bob", "{}");
        refused(NAMELESS + "may name trainer" + WHY, submit(bob, jobs("")));
        refused(
                "jobs[0].user: only an admin may run a job as the account root; you are bob; you"
                        + " may name trainer",
                submit(bob, jobs("root")));
        submitted(submit(bob, jobs("bob")));
        submitted(submit(bob, jobs("trainer")));
        assertEquals(403, submit(bob, jobs("eve")).statusCode());
    }

    @Test
    void everyJobOfARequestIsLookedAt() throws Exception {
        String bob = server.person("bob", "{}");
        refused(
                NAMELESS.replace("[0]", "[2]") + "may name trainer" + WHY,
                submit(bob, jobs("bob", "trainer", "", "bob")));
        var dry = server.call(bob, "POST", "/v1/jobs?dryRun=true", jobs("bob", ""));
        assertEquals(403, dry.statusCode(), dry.body());
        var page = Json.read(JobPage.class, server.get("/v1/jobs").body());
        assertTrue(page.jobs().isEmpty());
    }

    @Test
    void rootByAnotherNameIsRoot() throws Exception {
        assertEquals(403, submit(server.person("toor", "{}"), jobs("toor")).statusCode());
    }

    @Test
    void theOwnersJobsRunAsRootAndAnAdminsWhereTheySaySo() throws Exception {
        submitted(server.post("/v1/jobs", jobs("")));
        String eve = server.person("eve", "{\"admin\":true}");
        refused(NAMELESS + "are an admin and may name any" + WHY, submit(eve, jobs("")));
        submitted(submit(eve, jobs("root")));
        var forBob = "{\"as\":\"bob\"," + jobs("").substring(1);
        refused(NAMELESS + "are an admin and may name any" + WHY, server.post("/v1/jobs", forBob));
    }

    @Test
    void aResubmitIsASubmit() throws Exception {
        String bob = server.person("bob", "{}");
        // The admin's word was for one job.
        var forBob = "{\"as\":\"bob\"," + jobs("root").substring(1);
        String id =
                Json.read(SubmitAnswer.class, server.post("/v1/jobs", forBob).body())
                        .ids()
                        .getFirst();
        var again = server.call(bob, "POST", "/v1/jobs/" + id + "/resubmit", "{}");
        assertEquals(403, again.statusCode(), again.body());
    }

    @Test
    void aJobOfOpenPaiNamesNoAccount() throws Exception {
        String bob = server.person("bob", "{}");
        String job =
                """
                {"jobName":"train","image":"lab/torch","taskRoles":[
                {"name":"main","taskNumber":1,"cpuNumber":1,"gpuNumber":0,"memoryMB":100,"command":"true"}]}\
                """;
        var theirs = server.call(bob, "POST", "/api/v1/jobs", job);
        assertEquals(403, theirs.statusCode(), theirs.body());
        assertTrue(
                theirs.body()
                        .contains(
                                "send its file by 'fairlead submit -f FILE --user NAME'; you may"
                                        + " name trainer. This"),
                theirs.body());
        assertFalse(theirs.body().contains("(--user"), theirs.body());
        var owners = server.post("/api/v1/jobs", job);
        assertEquals(202, owners.statusCode(), owners.body());
    }

    @Test
    void aPostedScriptNamesNoAccountAndHearsWhatToDoInstead() throws Exception {
        String bob = server.person("bob", "{}");
        String script = "{\"jobName\":\"a\",\"scriptPath\":\"a.py\",\"maxEpochs\":1}";
        refused(
                "send it by 'fairlead submit --user NAME', or by POST /v1/jobs with its user; you"
                        + " may name trainer. This server is root's, and only its owner's jobs run"
                        + " as root",
                server.call(bob, "POST", "/submit", script));
    }
}
