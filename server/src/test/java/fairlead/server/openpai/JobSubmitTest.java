package fairlead.server.openpai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import fairlead.api.SubmitAnswer;
import fairlead.job.ImageLogin;
import fairlead.server.TestEngine;
import fairlead.server.TestServer;
import fairlead.wire.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;

/** Submitting jobs by OpenPAI's interface, over real HTTP. */
final class JobSubmitTest {
    @TempDir Path folder;
    private TestServer server;
    private Pai ann;
    private Pai guest;

    @BeforeEach
    void start() throws Exception {
        server = new TestServer(folder, new TestEngine(2));
        ann = Pai.owner(server);
        guest = Pai.guest(server);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void o62ASubmitIsAnsweredWith202AndTheNameIsTakenFromThenOn() throws Exception {
        assertEquals(
                Map.of("message", "update job one successfully"),
                ann.must(202, "POST", "/user/ann/jobs", Pai.file("one", "")));
        ann.refused(409, "ConflictJobError", "POST", "/user/ann/jobs", Pai.file("one", ""));
        ann.awaitState("ann", "one", "RUNNING");
        server.engine().end(ann.id("ann", "one"), 0);
        ann.awaitState("ann", "one", "SUCCEEDED");
        ann.refused(409, "ConflictJobError", "POST", "/user/ann/jobs", Pai.file("one", ""));
        ann.submit("bob", "one", "");
    }

    /** Whoever knows a job by OpenPAI's name finds it by that everywhere. */
    @Test
    void aJobIsFoundByItsNameOfOpenPai() throws Exception {
        ann.submit("ann", "one", "");
        ann.submit("bob", "two", "");
        ann.awaitState("ann", "one", "RUNNING");
        ann.awaitState("bob", "two", "RUNNING");
        String one = ann.id("ann", "one");
        String two = ann.id("bob", "two");
        var again = server.post("/v1/jobs/" + one + "/resubmit", "{}");
        assertEquals(201, again.statusCode(), again.body());
        String second = Json.read(SubmitAnswer.class, again.body()).ids().getFirst();
        var names = Pattern.compile("one_\\d+").matcher(ann.call("GET", "/jobs", null).body());
        assertTrue(names.find());
        String name = names.group();
        assertTrue(found("ann~one").contains("\"id\":\"" + one));
        assertTrue(found("bob~two").contains("\"id\":\"" + two));
        assertTrue(found(name).contains("\"id\":\"" + second), name);
        assertTrue(found("ann~" + name).contains("\"id\":\"" + second), name);
        assertTrue(found("two").contains("\"id\":\"" + two), "by our own name");
        server.awaitState(one, "cancelled");
        assertTrue(found("one").contains("\"id\":\"" + second), "not the one that has ended");
    }

    private String found(String word) throws Exception {
        var answer = server.get("/v1/jobs/" + word);
        assertEquals(200, answer.statusCode(), answer.body());
        return answer.body();
    }

    @Test
    void o62TheTokenComesFirstThenTheSchemaThenTheName() throws Exception {
        ann.submit("ann", "one", "");
        guest.refused(401, "UnauthorizedUserError", "POST", "/user/ann/jobs", "{");
        String taken = Pai.file("one", "\"virtualCluster\": \"none\"");
        ann.refused(400, "InvalidParametersError", "POST", "/user/ann/jobs", taken + "x");
        ann.refused(409, "ConflictJobError", "POST", "/user/ann/jobs", taken);
        ann.refused(
                404,
                "NoVirtualClusterError",
                "POST",
                "/user/ann/jobs",
                taken.replace("\"one\"", "\"two\""));
    }

    @Test
    void ofManySubmitsOfOneNameAtOnceOneIsTaken() throws Exception {
        try (var pool = Executors.newFixedThreadPool(8)) {
            Callable<Integer> submit =
                    () -> ann.call("POST", "/user/ann/jobs", Pai.file("one", "")).statusCode();
            int taken = 0;
            for (var each : pool.invokeAll(java.util.Collections.nCopies(16, submit))) {
                int status = each.get();
                assertTrue(status == 202 || status == 409, "status " + status);
                if (status == 202) taken++;
            }
            assertEquals(1, taken);
        }
    }

    @Test
    void o63APutSubmitsUnderTheNameOfThePath() throws Exception {
        ann.create("bob", "secret1", false);
        Pai bob = guest.logIn("bob", "secret1");
        bob.must(202, "PUT", "/user/bob/jobs/path", Pai.file("file", ""));
        Map<String, Object> status = guest.status("bob", "path");
        assertEquals("path", status.get("name"));
        assertEquals("bob", status.get("username"));
        guest.refused(404, "NoJobError", "GET", "/user/bob/jobs/file", null);
        bob.refused(409, "ConflictJobError", "PUT", "/user/bob/jobs/path", Pai.file("other", ""));
        assertTrue(bob.call("GET", "/user/bob/jobs/path/config", null).body().contains("\"file\""));
    }

    /** Files are opened under the name, and the tasks have it. */
    @Test
    void o63OnlyAnAdminSubmitsUnderTheNameOfSomebodyElse() throws Exception {
        ann.create("bob", "secret1", false);
        ann.create("eve", "secret2", false);
        Pai bob = guest.logIn("bob", "secret1");
        String one = Pai.file("one", "");
        bob.refused(403, "ForbiddenUserError", "POST", "/user/eve/jobs", one);
        bob.refused(403, "ForbiddenUserError", "PUT", "/user/eve/jobs/one", one);
        bob.refused(403, "ForbiddenUserError", "PUT", "/user/nobody/jobs/one", one);
        guest.refused(404, "NoJobError", "GET", "/user/eve/jobs/one", null);
        ann.submit("eve", "one", "");
        assertEquals("ann", guest.status("eve", "one").get("username"));
        bob.submit("bob", "one", "");
        bob.must(202, "POST", "/jobs", Pai.file("two", ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {".", ".."})
    void o2NoJobIsCalledAsAFolderIs(String name) throws Exception {
        ann.refused(400, "InvalidParametersError", "POST", "/user/ann/jobs", Pai.file(name, ""));
        ann.refused(400, "InvalidParametersError", "POST", "/jobs", Pai.file(name, ""));
    }

    /** A line break would begin another line of a container's file of variables. */
    @Test
    void o14ANameOfAVariableThatIsNoneIsRefusedAtEveryDoor() throws Exception {
        String bad = "A\\nSERVER_SECRET\\nB";
        ann.refused(
                400,
                "InvalidParametersError",
                "POST",
                "/user/ann/jobs",
                Pai.file("one", "\"jobEnvs\": {\"" + bad + "\": \"x\"}"));
        String file = Pai.file("one", "\"jobEnvs\": {\"A B\": \"x\"}").replace("\"", "\\\"");
        String role =
                "{\"name\":\"main\",\"command\":[\"true\"],\"ports\":[\"http:0:1\",\"ssh:0:1\"]}";
        for (String spec :
                List.of(
                        "\"command\":[\"true\"],\"env\":{\"" + bad + "\":\"x\"}",
                        "\"command\":[\"true\"],\"secrets\":{\"" + bad + "\":\"x\"}",
                        "\"command\":[\"true\"],\"image\":\"i\",\"env\":{\"A B\":\"x\"}",
                        "\"roles\":[%s],\"origin\":{\"dialect\":\"openpai\",\"key\":\"ann~one\",\"text\":\"%s\"}"
                                .formatted(role, file.replace("\n", "")))) {
            var response = server.post("/v1/jobs", "{\"jobs\":[{" + spec + "}]}");
            assertEquals(400, response.statusCode(), response.body());
            boolean isNamed =
                    response.body().contains("bad name") || response.body().contains("A B");
            assertTrue(isNamed, response.body());
        }
        var here =
                server.post(
                        "/v1/jobs",
                        "{\"here\":{\"folder\":\"/\",\"env\":{\"%s\":\"x\"}},\"jobs\":[{\"command\":[\"true\"]}]}"
                                .formatted(bad));
        assertEquals(400, here.statusCode(), here.body());
        assertEquals(List.of(), guest.list("/jobs"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a%20b", "a*b", "%C3%A9"})
    void o63ANameThatNoFileCouldHaveIsRefused(String name) throws Exception {
        ann.refused(
                400,
                "InvalidParametersError",
                "PUT",
                "/user/ann/jobs/" + name,
                Pai.file("one", ""));
        ann.refused(
                400,
                "InvalidParametersError",
                "PUT",
                "/user/" + name + "/jobs/one",
                Pai.file("one", ""));
    }

    @Test
    void o64OnlyThoseWhomAVirtualClusterAdmitsSubmitToIt() throws Exception {
        ann.create("bob", "secret1", false);
        Pai bob = guest.logIn("bob", "secret1");
        ann.must(201, "PUT", "/virtual-clusters/vision", "{\"vcCapacity\":50}");
        String vision = "\"virtualCluster\": \"vision\"";
        bob.refused(403, "ForbiddenUserError", "POST", "/user/bob/jobs", Pai.file("one", vision));
        bob.refused(
                404,
                "NoVirtualClusterError",
                "POST",
                "/user/bob/jobs",
                Pai.file("one", "\"virtualCluster\": \"none\""));
        bob.submit("bob", "open", "");
        bob.submit("bob", "empty", "\"virtualCluster\": \"\"");
        ann.submit("ann", "admin", vision);
        assertEquals("vision", ann.status("ann", "admin").get("virtualCluster"));
        assertEquals("default", ann.status("bob", "empty").get("virtualCluster"));
        ann.must(201, "PUT", "/user/bob/virtualClusters", "{\"virtualClusters\":\"vision\"}");
        bob.submit("bob", "member", vision);
        ann.must(201, "PUT", "/virtual-clusters/vision/status", "{\"vcStatus\":\"stopped\"}");
        bob.refused(403, "ForbiddenUserError", "POST", "/user/bob/jobs", Pai.file("late", vision));
    }

    @Test
    void o64AnAdminMayUseAProjectThatDoesNotNameThem() throws Exception {
        var made = server.put("/v1/projects/closed?create=true", "{\"add\":[\"bob\"]}");
        assertEquals(201, made.statusCode(), made.body());
        ann.submit("ann", "one", "\"virtualCluster\": \"closed\"");
        assertEquals("closed", ann.status("ann", "one").get("virtualCluster"));
    }

    @Test
    void o64AnAdminWhoseJobIsRefusedJoinsNothing() throws Exception {
        var made = server.put("/v1/projects/closed?create=true", "{\"add\":[\"bob\"]}");
        assertEquals(201, made.statusCode(), made.body());
        server.engine().refuseSpecs("no such thing here");
        ann.refused(
                400,
                "InvalidParametersError",
                "POST",
                "/user/ann/jobs",
                Pai.file("one", "\"virtualCluster\": \"closed\""));
        String projects = server.get("/v1/projects").body();
        assertTrue(projects.contains("[\"bob\"]"), projects);
    }

    @Test
    void o13AndO16ObsoleteFieldsWarnAndCommentsAreRefused() throws Exception {
        var response =
                ann.call(
                        "POST",
                        "/user/ann/jobs",
                        Pai.file("old", "\"killAllOnCompletedTaskNumber\": 1"));
        assertEquals(202, response.statusCode(), response.body());
        String warning = response.headers().firstValue("X-Warning").orElse("");
        assertTrue(warning.contains("killAllOnCompletedTaskNumber"), warning);
        String file = Pai.file("one", "");
        ann.refused(400, "InvalidParametersError", "POST", "/user/ann/jobs", "// one\n" + file);
        ann.refused(400, "InvalidParametersError", "POST", "/user/ann/jobs", "");
        ann.refused(400, "InvalidParametersError", "POST", "/user/ann/jobs", null);
        ann.refused(
                400,
                "InvalidParametersError",
                "POST",
                "/user/ann/jobs",
                Pai.file("one", "\"foo\": 1"));
        ann.refused(
                413,
                "InvalidParametersError",
                "POST",
                "/user/ann/jobs",
                Pai.file("one", "\"dataDir\": \"" + "x".repeat(2 << 20) + "\""));
    }

    @Test
    void o34AnImageThatIsNotUsedIsAWarning() throws Exception {
        var response = ann.call("POST", "/user/ann/jobs", Pai.file("one", ""));
        assertEquals(202, response.statusCode(), response.body());
        String warning = response.headers().firstValue("X-Warning").orElse("");
        assertTrue(warning.contains("image busybox is ignored"), warning);
    }

    /** The engine gets the login, and nothing that can be read has it. */
    @Test
    void o17TheLoginOfAnAuthFileReachesTheEngineAndNobodyElse() throws Exception {
        server.close();
        server = new TestServer(folder, new TestEngine(2).runningImages());
        ann = Pai.owner(server);
        Path files = Files.createDirectories(folder.resolve("files/ann"));
        Files.writeString(files.resolve("auth"), "registry.lab:5000\nme\ns3cretWord\n");
        ann.submit("ann", "one", "\"authFile\": \"$PAI_DEFAULT_FS_URI/$PAI_USER_NAME/auth\"");
        ann.awaitState("ann", "one", "RUNNING");
        String id = ann.id("ann", "one");
        assertEquals(
                new ImageLogin("registry.lab:5000", "me", "s3cretWord"),
                server.engine().login(id).orElseThrow());
        for (String path : List.of("/v1/jobs/" + id, "/v1/jobs"))
            assertFalse(server.get(path).body().contains("s3cretWord"), path);
        assertFalse(ann.call("GET", "/user/ann/jobs/one", null).body().contains("s3cretWord"));
        try (var kept = Files.list(folder)) {
            for (Path file : kept.filter(Files::isRegularFile).toList())
                assertFalse(
                        new String(Files.readAllBytes(file), ISO_8859_1).contains("s3cretWord"),
                        file.toString());
        }
    }

    @Test
    void o69JobsWithoutAUserAreLegacyOnes() throws Exception {
        ann.must(202, "POST", "/jobs", Pai.file("posted", ""));
        ann.must(202, "PUT", "/jobs/put", Pai.file("file", ""));
        ann.refused(409, "ConflictJobError", "PUT", "/jobs/put", Pai.file("file", ""));
        ann.must(202, "PUT", "/jobs/bob~x", Pai.file("file", ""));
        guest.refused(404, "NoJobError", "GET", "/user/bob/jobs/x", null);
        assertEquals("posted", guest.must(200, "GET", "/jobs/posted", null).get("name"));
        assertTrue(ann.call("GET", "/jobs/put/config", null).body().contains("\"file\""));
        assertEquals(true, guest.list("/jobs").getFirst().get("legacy"));
        guest.refused(404, "NoJobError", "GET", "/user/ann/jobs/put", null);
        ann.must(202, "PUT", "/jobs/put/executionType", "{\"value\":\"STOP\"}");
        ann.must(202, "DELETE", "/jobs/put", null);
    }

    @Test
    void whatTheEngineRefusesIsToldAsAMistake() throws Exception {
        server.engine().refuseSpecs("no such thing here");
        ann.refused(400, "InvalidParametersError", "POST", "/user/ann/jobs", Pai.file("one", ""));
        guest.refused(404, "NoJobError", "GET", "/user/ann/jobs/one", null);
    }
}
