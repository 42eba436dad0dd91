package fairlead.server.routes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.ErrorBody;
import fairlead.api.JobDetail;
import fairlead.api.JobPage;
import fairlead.api.people.PersonBody;
import fairlead.api.people.PersonList;
import fairlead.api.people.TokenAnswer;
import fairlead.server.TestEngine;
import fairlead.server.TestServer;
import fairlead.server.auth.Token;
import fairlead.wire.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Who may do what, over real HTTP. The server's owner is ann. */
final class PeopleTest {
    private static final String JOB = "{\"jobs\":[{\"command\":[\"true\"],\"gpus\":1}]}";

    @TempDir Path folder;
    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        server = new TestServer(folder);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static void assertForbidden(String words, HttpResponse<String> response) {
        assertEquals(403, response.statusCode(), response.body());
        var error = Json.read(ErrorBody.class, response.body());
        assertEquals("forbidden", error.code());
        assertEquals(words, error.message());
    }

    private String submitted(String token) throws Exception {
        var response = server.call(token, "POST", "/v1/jobs", JOB);
        assertEquals(201, response.statusCode(), response.body());
        return Json.read(fairlead.api.SubmitAnswer.class, response.body()).ids().getFirst();
    }

    @Test
    void aTokenTellsWhoCalls() throws Exception {
        String token = server.person("bob", "{}");
        assertEquals(64, token.length());
        var me = Json.read(PersonBody.class, server.call(token, "GET", "/v1/me", "").body());
        assertEquals(new PersonBody("bob", false, "default", null, null), me);
        var owner = Json.read(PersonBody.class, server.get("/v1/me").body());
        assertEquals(new PersonBody("ann", true, "default", null, null), owner);
        var all = Json.read(PersonList.class, server.get("/v1/people").body());
        assertEquals(List.of("ann", "bob"), all.people().stream().map(PersonBody::name).toList());
    }

    @Test
    void onlyTheHashOfATokenReachesTheDisk() throws Exception {
        String token = server.person("bob", "{}");
        String disk = "";
        for (String name : List.of("journal.db", "journal.db-wal")) {
            byte[] bytes = Files.readAllBytes(folder.resolve(name));
            disk += new String(bytes, StandardCharsets.ISO_8859_1);
        }
        assertFalse(disk.contains(token));
        assertTrue(disk.contains(Token.hash(token)));
    }

    @Test
    void aNewTokenReplacesTheOldOne() throws Exception {
        String old = server.person("bob", "{}");
        var response = server.call(old, "POST", "/v1/people/bob/token", "");
        String fresh = Json.read(TokenAnswer.class, response.body()).token();
        assertNotEquals(old, fresh);
        assertEquals(401, server.call(old, "GET", "/v1/me", "").statusCode());
        assertEquals(200, server.call(fresh, "GET", "/v1/me", "").statusCode());
    }

    @Test
    void aNameIsGivenOnce() throws Exception {
        server.person("bob", "{}");
        assertEquals(409, server.put("/v1/people/bob", "{}").statusCode());
        assertEquals(400, server.put("/v1/people/b%20b", "{}").statusCode());
        assertEquals(404, server.put("/v1/people/eve", "{\"project\":\"none\"}").statusCode());
        assertEquals(404, server.post("/v1/people/eve/token", "").statusCode());
    }

    @Test
    void onlyAnAdminMakesPeopleKnown() throws Exception {
        String bob = server.person("bob", "{}");
        assertForbidden(
                "only an admin may make users known; you are bob",
                server.call(bob, "PUT", "/v1/people/eve", "{}"));
        assertForbidden(
                "only an admin may change the token of others; you are bob",
                server.call(bob, "POST", "/v1/people/ann/token", ""));
        String eve = server.person("eve", "{\"admin\":true}");
        assertEquals(201, server.call(eve, "PUT", "/v1/people/dan", "{}").statusCode());
    }

    private PersonBody me(String token) throws Exception {
        return Json.read(PersonBody.class, server.call(token, "GET", "/v1/me", "").body());
    }

    private static void assertConflict(String words, HttpResponse<String> response) {
        assertEquals(409, response.statusCode(), response.body());
        assertEquals(words, Json.read(ErrorBody.class, response.body()).message());
    }

    @Test
    void whatIsKnownOfSomebodyIsChangedAndTheirTokenStays() throws Exception {
        server.put("/v1/projects/vision?create=true", "{}");
        String bob = server.person("bob", "{}");
        var changed = server.patch("/v1/people/bob", "{\"admin\":true}");
        assertEquals(
                new PersonBody("bob", true, "default", null, null),
                Json.read(PersonBody.class, changed.body()));
        server.patch("/v1/people/bob", "{\"project\":\"vision\"}");
        assertEquals(new PersonBody("bob", true, "vision", null, null), me(bob));
        assertEquals(200, server.call(bob, "PATCH", "/v1/people/bob", "{}").statusCode());
        server.patch("/v1/people/bob", "{\"admin\":false}");
        assertEquals(new PersonBody("bob", false, "vision", null, null), me(bob));
        assertForbidden(
                "only an admin may change users; you are bob",
                server.call(bob, "PATCH", "/v1/people/bob", "{\"admin\":true}"));
        assertEquals(404, server.patch("/v1/people/eve", "{}").statusCode());
        assertEquals(404, server.patch("/v1/people/bob", "{\"project\":\"no\"}").statusCode());
        server.close();
        server = new TestServer(folder, new TestEngine(2));
        assertEquals(new PersonBody("bob", false, "vision", null, null), me(bob));
    }

    @Test
    void theOwnerChangesTheirProjectAndStaysAnAdmin() throws Exception {
        server.put("/v1/projects/vision?create=true", "{}");
        assertEquals(200, server.patch("/v1/people/ann", "{\"project\":\"vision\"}").statusCode());
        var owner = Json.read(PersonBody.class, server.get("/v1/me").body());
        assertEquals(new PersonBody("ann", true, "vision", null, null), owner);
        assertConflict(
                "ann owns the server and is always an admin",
                server.patch("/v1/people/ann", "{\"admin\":false}"));
        assertConflict(
                "ann owns the server and cannot be deleted", server.delete("/v1/people/ann"));
    }

    @Test
    void whoIsDeletedIsStrangeAtOnceAndTheirJobsStay() throws Exception {
        String bob = server.person("bob", "{}");
        String job = submitted(bob);
        server.awaitState(job, "running");
        assertEquals(204, server.delete("/v1/people/bob").statusCode());
        assertEquals(401, server.call(bob, "GET", "/v1/me", "").statusCode());
        assertFalse(server.get("/v1/people").body().contains("bob"));
        assertEquals("running", server.state(job));
        assertEquals(404, server.delete("/v1/people/bob").statusCode());
        server.close();
        server = new TestServer(folder, new TestEngine(2));
        assertEquals(401, server.call(bob, "GET", "/v1/me", "").statusCode());
        String again = server.person("bob", "{}");
        assertEquals(401, server.call(bob, "GET", "/v1/me", "").statusCode());
        String spec = "/v1/jobs/" + job + "/spec";
        assertEquals(200, server.call(again, "GET", spec, "").statusCode(), "the name's jobs");
    }

    @Test
    void nobodyDeletesThemselvesAndOnlyAdminsDelete() throws Exception {
        String bob = server.person("bob", "{}");
        String eve = server.person("eve", "{\"admin\":true}");
        assertForbidden(
                "only an admin may delete users; you are bob",
                server.call(bob, "DELETE", "/v1/people/eve", ""));
        assertConflict(
                "you are eve and cannot delete yourself; another admin can",
                server.call(eve, "DELETE", "/v1/people/eve", ""));
        assertConflict(
                "ann owns the server and cannot be deleted",
                server.call(eve, "DELETE", "/v1/people/ann", ""));
        assertEquals(204, server.call(eve, "DELETE", "/v1/people/bob", "").statusCode());
    }

    @Test
    void everyoneElseSpeaksForThemselvesAlone() throws Exception {
        String bob = server.person("bob", "{}");
        String job = submitted(bob);
        var detail = Json.read(JobDetail.class, server.get("/v1/jobs/" + job).body());
        assertEquals("bob", detail.job().owner());
        assertForbidden(
                "only an admin may submit for others; you are bob",
                server.call(
                        bob, "POST", "/v1/jobs", JOB.replace("{\"jobs", "{\"as\":\"ann\",\"jobs")));
        assertForbidden(
                "jobs[0].user: only an admin may run a job as the account root; you are bob;"
                        + " there is none that you may name, so ask an admin",
                server.call(
                        bob,
                        "POST",
                        "/v1/jobs",
                        "{\"jobs\":[{\"command\":\"true\",\"user\":\"root\"}]}"));
        var forBob = server.submit(JOB.replace("{\"jobs", "{\"as\":\"bob\",\"jobs"), 201);
        detail =
                Json.read(
                        JobDetail.class, server.get("/v1/jobs/" + forBob.ids().getFirst()).body());
        assertEquals("bob", detail.job().owner());
        assertEquals(
                400,
                server.post("/v1/jobs", JOB.replace("{\"jobs", "{\"as\":\"b b\",\"jobs"))
                        .statusCode());
    }

    @Test
    void othersMayLookAtTheQueueButNotIntoAJob() throws Exception {
        String bob = server.person("bob", "{}");
        String job = server.submit("mine");
        for (String target : List.of("/v1/jobs", "/v1/nodes", "/v1/stats", "/v1/projects")) {
            assertEquals(200, server.call(bob, "GET", target, "").statusCode(), target);
        }
        assertEquals(200, server.call(bob, "GET", "/v1/jobs/" + job + "/why", "").statusCode());
        var page = Json.read(JobPage.class, server.call(bob, "GET", "/v1/jobs", "").body());
        assertNull(page.jobs().getFirst().command());
        String path = "/v1/jobs/" + job;
        var detail = Json.read(JobDetail.class, server.call(bob, "GET", path, "").body());
        assertNull(detail.spec());
        assertNull(detail.job().command());
        assertForbidden(
                "only ann and admins may see the spec of " + job + "; you are bob",
                server.call(bob, "GET", path + "/spec", ""));
        assertForbidden(
                "only ann and admins may see the logs of " + job + "; you are bob",
                server.call(bob, "GET", path + "/logs", ""));
    }

    @Test
    void onlyTheOwnerAndAdminsChangeAJob() throws Exception {
        String bob = server.person("bob", "{}");
        String path = "/v1/jobs/" + server.submit("mine");
        for (String call : List.of("abort", "resubmit", "priority")) {
            var response = server.call(bob, "POST", path + "/" + call, "{\"change\":1}");
            assertEquals(403, response.statusCode(), call);
        }
        assertEquals(403, server.call(bob, "DELETE", path, "").statusCode());
        assertEquals(403, server.call(bob, "POST", "/v1/server/stop", "").statusCode());
        assertEquals(403, server.call(bob, "POST", "/v1/server/backup", "{}").statusCode());
        String bobs = submitted(bob);
        assertEquals(200, server.post("/v1/jobs/" + bobs + "/abort", "").statusCode());
        var again = server.post("/v1/jobs/" + bobs + "/resubmit", "{}");
        String id = Json.read(fairlead.api.SubmitAnswer.class, again.body()).ids().getFirst();
        var detail = Json.read(JobDetail.class, server.get("/v1/jobs/" + id).body());
        assertEquals("bob", detail.job().owner());
    }

    @Test
    void peopleAreKnownAgainAfterARestart() throws Exception {
        String bob = server.person("bob", "{}");
        server.put("/v1/projects/vision?create=true", "{\"quota\":1}");
        server.close();
        server = new TestServer(folder, new TestEngine(2));
        assertEquals(200, server.call(bob, "GET", "/v1/me", "").statusCode());
        assertTrue(server.get("/v1/projects").body().contains("\"vision\""));
    }
}
