package fairlead.server.openpai;

import static org.junit.jupiter.api.Assertions.assertEquals;

import fairlead.server.TestEngine;
import fairlead.server.TestServer;
import fairlead.testing.Eventually;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Map;

/** Stopping and deleting jobs by OpenPAI's interface, over real HTTP. */
final class JobChangeTest {
    private static final String STOP = "{\"value\":\"STOP\"}";
    private static final String START = "{\"value\":\"START\"}";

    @TempDir Path folder;
    private TestServer server;
    private Pai ann;
    private Pai guest;
    private Pai bob;
    private Pai eve;

    @BeforeEach
    void start() throws Exception {
        server = new TestServer(folder, new TestEngine(2));
        ann = Pai.owner(server);
        guest = Pai.guest(server);
        ann.create("bob", "secret1", false);
        ann.create("eve", "secret2", false);
        bob = guest.logIn("bob", "secret1");
        eve = guest.logIn("eve", "secret2");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void awaitGone(String user, String job) throws Exception {
        Eventually.when(
                job + " is gone",
                () ->
                        guest.call("GET", "/user/" + user + "/jobs/" + job, null).statusCode()
                                == 404);
    }

    @Test
    void o65OwnersAndAdminsDeleteAndTheNameIsFreeAgain() throws Exception {
        bob.submit("bob", "one", "");
        bob.awaitState("bob", "one", "RUNNING");
        server.engine().end(bob.id("bob", "one"), 0);
        bob.awaitState("bob", "one", "SUCCEEDED");
        eve.refused(403, "ForbiddenUserError", "DELETE", "/user/bob/jobs/one", null);
        assertEquals(
                "User eve is not allowed to change job one.",
                eve.must(403, "DELETE", "/user/bob/jobs/one", null).get("message"));
        eve.refused(404, "NoJobError", "DELETE", "/user/bob/jobs/none", null);
        assertEquals(
                Map.of("message", "deleted job one successfully"),
                bob.must(202, "DELETE", "/user/bob/jobs/one", null));
        bob.refused(404, "NoJobError", "GET", "/user/bob/jobs/one", null);
        bob.submit("bob", "one", "");
        ann.must(202, "DELETE", "/user/bob/jobs/one", null);
        awaitGone("bob", "one");
    }

    @Test
    void o65AnActiveJobIsStoppedAndThenDeleted() throws Exception {
        bob.submit("bob", "one", "");
        bob.awaitState("bob", "one", "RUNNING");
        bob.must(202, "DELETE", "/user/bob/jobs/one", null);
        awaitGone("bob", "one");
        assertEquals(0, guest.list("/jobs").size());
    }

    /** Method: the engine is out of sight, so the job cannot end before the server does. */
    @Test
    void o65ADeletedJobGoesEvenIfTheServerWasRestartedInBetween() throws Exception {
        bob.submit("bob", "one", "");
        bob.awaitState("bob", "one", "RUNNING");
        server.engine().vanish("the cable is out");
        bob.must(202, "DELETE", "/user/bob/jobs/one", null);
        assertEquals("STOP", bob.status("bob", "one").get("executionType"));
        server.close();
        server = new TestServer(folder, new TestEngine(2));
        guest = Pai.guest(server);
        awaitGone("bob", "one");
    }

    @Test
    void o66AStopIsForOwnersAndAdminsAndIsAnsweredWith202() throws Exception {
        bob.submit("bob", "one", "");
        bob.awaitState("bob", "one", "RUNNING");
        eve.refused(403, "ForbiddenUserError", "PUT", "/user/bob/jobs/one/executionType", STOP);
        bob.refused(404, "NoJobError", "PUT", "/user/bob/jobs/none/executionType", STOP);
        assertEquals(
                Map.of("message", "execute job one successfully"),
                bob.must(202, "PUT", "/user/bob/jobs/one/executionType", STOP));
        bob.awaitState("bob", "one", "STOPPED");
        Map<String, Object> status = bob.status("bob", "one");
        assertEquals("STOP", status.get("executionType"));
        assertEquals(BigDecimal.valueOf(214), status.get("appExitCode"));
        bob.submit("bob", "two", "");
        ann.must(202, "PUT", "/user/bob/jobs/two/executionType", STOP);
        bob.awaitState("bob", "two", "STOPPED");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "{}", "{\"value\":\"PAUSE\"}", "{\"value\":1}", "[]"})
    void o66TheBodyIsJudgedBeforeTheToken(String body) throws Exception {
        guest.refused(
                400, "InvalidParametersError", "PUT", "/user/bob/jobs/one/executionType", body);
        guest.refused(
                401, "UnauthorizedUserError", "PUT", "/user/bob/jobs/one/executionType", STOP);
    }

    @Test
    void o52AStartAfterAStopHasNoEffect() throws Exception {
        bob.submit("bob", "one", "");
        bob.must(202, "PUT", "/user/bob/jobs/one/executionType", START);
        bob.awaitState("bob", "one", "RUNNING");
        bob.must(202, "PUT", "/user/bob/jobs/one/executionType", STOP);
        bob.awaitState("bob", "one", "STOPPED");
        bob.must(202, "PUT", "/user/bob/jobs/one/executionType", STOP);
        bob.must(202, "PUT", "/user/bob/jobs/one/executionType", START);
        assertEquals("STOPPED", bob.state("bob", "one"));
        assertEquals("STOP", bob.status("bob", "one").get("executionType"));
    }
}
