package fairlead.server.openpai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.server.TestEngine;
import fairlead.server.TestServer;
import fairlead.server.bodies.JsonTree;
import fairlead.testing.Eventually;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** How jobs end and are tried again, items O36 to O51, by the engine's exits over the server. */
class CompletionItemsTest {
    @TempDir Path folder;
    private TestServer server;
    private Pai ann;

    @BeforeEach
    void start() throws Exception {
        server = new TestServer(folder, new TestEngine(2));
        ann = Pai.owner(server);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** Three workers without GPUs, and one task of another role that never ends by itself. */
    private String submit(String name, String rule, int retryCount) throws Exception {
        ann.must(
                202,
                "POST",
                "/user/ann/jobs",
                """
                {"jobName": "%s", "image": "i", "retryCount": %d, "taskRoles": [
                 {"name": "worker", "taskNumber": 3, "cpuNumber": 1, "memoryMB": 100,
                  "gpuNumber": 0, "command": "true"%s},
                 {"name": "ps", "taskNumber": 1, "cpuNumber": 1, "memoryMB": 100, "gpuNumber": 0,
                  "command": "true", "minFailedTaskCount": null}]}
                """
                        .formatted(name, retryCount, rule.isEmpty() ? "" : ", " + rule));
        ann.awaitState("ann", name, "RUNNING");
        return ann.id("ann", name);
    }

    private void end(String id, String... exits) {
        for (String each : exits) {
            String[] words = each.split("=");
            server.engine().end(id, words[0], Integer.parseInt(words[1]));
        }
    }

    private Map<String, Object> status(String name) throws Exception {
        return ann.status("ann", name);
    }

    /** Ends one attempt of a job of one task, and waits until it is judged. */
    private void attempt(String name, int code, int retries) throws Exception {
        server.engine().end(ann.id("ann", name), code);
        Eventually.when(
                "retry " + retries,
                () -> BigDecimal.valueOf(retries).equals(status(name).get("retries")));
        ann.awaitState("ann", name, "RUNNING");
    }

    @Test
    void o36AllTasksOfAJobGetTheirPlacesTogetherOrNone() throws Exception {
        ann.submit("ann", "one", "");
        ann.awaitState("ann", "one", "RUNNING");
        String two = Pai.file("two", "").replace("\"taskNumber\": 1", "\"taskNumber\": 2");
        ann.must(202, "POST", "/user/ann/jobs", two);
        ann.submit("ann", "three", "");
        assertEquals("WAITING", ann.state("ann", "two"));
        assertEquals(null, status("two").get("appId"));
        server.engine().end(ann.id("ann", "one"), 0);
        ann.awaitState("ann", "two", "RUNNING");
    }

    @Test
    void o37MinusTwoTriesAgainEvenAfterASuccess() throws Exception {
        ann.submit("ann", "always", "\"retryCount\": -2");
        ann.awaitState("ann", "always", "RUNNING");
        attempt("always", 0, 1);
        attempt("always", 206, 2);
        ann.must(202, "PUT", "/user/ann/jobs/always/executionType", "{\"value\": \"STOP\"}");
        ann.awaitState("ann", "always", "STOPPED");
    }

    @Test
    void o37MinusOneTriesEveryFailureAgainAndASuccessEndsIt() throws Exception {
        ann.submit("ann", "stubborn", "\"retryCount\": -1");
        ann.awaitState("ann", "stubborn", "RUNNING");
        attempt("stubborn", 1, 1);
        attempt("stubborn", 2, 2);
        server.engine().end(ann.id("ann", "stubborn"), 0);
        ann.awaitState("ann", "stubborn", "SUCCEEDED");
    }

    @Test
    void o37NTriesSoManyUnknownFailuresAgain() throws Exception {
        ann.submit("ann", "once", "\"retryCount\": 1");
        ann.awaitState("ann", "once", "RUNNING");
        attempt("once", 1, 1);
        server.engine().end(ann.id("ann", "once"), 1);
        ann.awaitState("ann", "once", "FAILED");
    }

    @Test
    void o38TransientFailuresUseNothingUpAndOthersAreNeverTriedAgain() throws Exception {
        ann.submit("ann", "mixed", "\"retryCount\": 0");
        ann.awaitState("ann", "mixed", "RUNNING");
        attempt("mixed", 205, 1);
        attempt("mixed", 137, 2);
        server.engine().end(ann.id("ann", "mixed"), 206);
        ann.awaitState("ann", "mixed", "FAILED");
        assertEquals("NON_TRANSIENT", status("mixed").get("appExitType"));
    }

    /** No attempt of OpenPAI's ends so here, but a job of ours may say that an exit means it. */
    @Test
    void o39AfterAConflictAJobWaitsForAtLeastTenMinutes() throws Exception {
        String id =
                server.submit(
                                """
                                {"jobs": [{"name": "shy", "command": ["true"],
                                 "retry": {"limit": 0, "exits": {"7": "conflict"}}}]}
                                """,
                                201)
                        .ids()
                        .getFirst();
        server.awaitState(id, "running");
        server.engine().end(id, 7);
        server.awaitState(id, "queued");
        var shown = ann.must(200, "GET", "/jobs/" + id, null);
        assertEquals("WAITING", JsonTree.object(shown.get("jobStatus")).get("state"));
        assertEquals(BigDecimal.ONE, JsonTree.object(shown.get("jobStatus")).get("retries"));
        String why = server.detail(id).obstacles().getFirst();
        String words = "pauses after a failed attempt until ";
        assertTrue(why.startsWith(words), why);
        Instant until = Instant.parse(why.substring(words.length()));
        assertTrue(until.isAfter(Instant.now().plusSeconds(500)), why);
    }

    @ParameterizedTest
    @CsvSource({
        "0,   SUCCEEDED, 0,   SUCCEEDED",
        "206, FAILED,    206, NON_TRANSIENT",
        "1,   FAILED,    177, UNKNOWN",
        "196, FAILED,    177, UNKNOWN",
        "214, FAILED,    177, UNKNOWN",
        "255, FAILED,    177, UNKNOWN",
    })
    void o40AnExitHasAType(int code, String state, int told, String type) throws Exception {
        ann.submit("ann", "one", "");
        ann.awaitState("ann", "one", "RUNNING");
        server.engine().end(ann.id("ann", "one"), code);
        ann.awaitState("ann", "one", state);
        assertEquals(BigDecimal.valueOf(told), status("one").get("appExitCode"));
        assertEquals(type, status("one").get("appExitType"));
    }

    @ParameterizedTest
    @ValueSource(ints = {143, 154})
    void o40TransientExitsAreTriedAgain(int code) throws Exception {
        ann.submit("ann", "one", "");
        ann.awaitState("ann", "one", "RUNNING");
        attempt("one", code, 1);
    }

    @Test
    void o41OnlyTheWholeJobIsTriedAgain() throws Exception {
        String id = submit("gang", "\"minFailedTaskCount\": 2", 1);
        end(id, "worker/0=1");
        Eventually.when("the exit is reported", () -> progress("gang") > 0);
        assertEquals("RUNNING", ann.state("ann", "gang"));
        assertEquals(BigDecimal.ZERO, status("gang").get("retries"));
        end(id, "worker/1=1");
        Eventually.when(
                "all start anew", () -> BigDecimal.ONE.equals(status("gang").get("retries")));
        ann.awaitState("ann", "gang", "RUNNING");
        assertEquals(0, progress("gang"));
    }

    private double progress(String name) throws Exception {
        return ((BigDecimal) status(name).get("appProgress")).doubleValue();
    }

    /**
     * A row has the rule of the workers, the exits in their order, and how the job ends with what
     * reason. The task that is not named still runs, and is stopped.
     */
    @ParameterizedTest(name = "{0}: {1} and {2} is {3}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    O42 |                             | worker/1=3                 | FAILED    | [worker]: FailedTaskCount 1 has reached MinFailedTaskCount 1.
                    O42 | "minFailedTaskCount": 2     | worker/0=0 worker/1=3 worker/2=4 | FAILED | [worker]: FailedTaskCount 2 has reached MinFailedTaskCount 2.
                    O43 | "minSucceededTaskCount": 1  | worker/2=0                 | SUCCEEDED | [worker]: SucceededTaskCount 1 has reached MinSucceededTaskCount 1.
                    O43 | "minSucceededTaskCount": 3  | worker/0=0 worker/1=0 worker/2=0 | SUCCEEDED | [worker]: SucceededTaskCount 3 has reached MinSucceededTaskCount 3.
                    O44 | "minFailedTaskCount": null  | worker/0=9 worker/1=0 worker/2=9 ps/0=7 | SUCCEEDED | TotalTaskCount: 4, FailedTaskCount: 3.
                    """)
    void o42ToO44ARuleEndsTheAttemptAtOnce(
            String item, String rule, String exits, String state, String reason) throws Exception {
        String id = submit("rule", rule == null ? "" : rule, 0);
        end(id, exits.split(" "));
        ann.awaitState("ann", "rule", state);
        String diagnostics = (String) status("rule").get("appExitDiagnostics");
        assertTrue(diagnostics.contains(reason), item + " " + diagnostics);
        assertTrue(server.engine().running(id).isEmpty(), "what was left is stopped");
    }

    @Test
    void o42TheExitIsThatOfTheTaskWhichFailedLast() throws Exception {
        String id = submit("last", "\"minFailedTaskCount\": 2", 0);
        end(id, "worker/0=1");
        Eventually.when("it is reported", () -> progress("last") > 0);
        end(id, "worker/1=206");
        ann.awaitState("ann", "last", "FAILED");
        assertEquals(BigDecimal.valueOf(206), status("last").get("appExitCode"));
    }

    @Test
    void o47TheStatusIsThatOfTheLastAttemptAndStaysAfterARestart() throws Exception {
        ann.submit("ann", "one", "\"retryCount\": 1");
        ann.awaitState("ann", "one", "RUNNING");
        attempt("one", 1, 1);
        server.engine().end(ann.id("ann", "one"), 0);
        ann.awaitState("ann", "one", "SUCCEEDED");
        assertEquals(BigDecimal.ZERO, status("one").get("appExitCode"));
        server.close();
        server = new TestServer(folder, new TestEngine(2));
        ann = Pai.owner(server);
        assertEquals("SUCCEEDED", ann.state("ann", "one"));
        assertEquals(BigDecimal.ONE, status("one").get("retries"));
    }

    @Test
    void o48AJobPassesThroughTheStatesOfAFramework() throws Exception {
        ann.submit("ann", "first", "");
        ann.submit("ann", "second", "");
        ann.awaitState("ann", "second", "RUNNING");
        ann.submit("ann", "third", "");
        assertEquals("FRAMEWORK_WAITING", status("third").get("subState"));
        server.engine().holdStarts("slow");
        server.engine().end(ann.id("ann", "first"), 0);
        Eventually.when(
                "it is launched",
                () -> status("third").get("subState").equals("APPLICATION_LAUNCHED"));
        assertEquals("WAITING", ann.state("ann", "third"));
        server.engine().holdStarts(null);
        ann.awaitState("ann", "third", "RUNNING");
        assertEquals("APPLICATION_RUNNING", status("third").get("subState"));
        ann.must(202, "PUT", "/user/ann/jobs/third/executionType", "{\"value\": \"STOP\"}");
        ann.awaitState("ann", "third", "STOPPED");
        assertEquals("FRAMEWORK_COMPLETED", status("third").get("subState"));
        assertEquals(BigDecimal.valueOf(214), status("third").get("appExitCode"));
    }

    /** The states of a task, as what is known of its container. */
    @Test
    void o51ATaskHasAContainerOnceItIsPlacedAndAnExitCodeOnceItIsCompleted() throws Exception {
        server.engine().holdStarts("slow");
        ann.submit("ann", "one", "");
        Eventually.when("it is placed", () -> task("one").get("containerId") != null);
        assertEquals("WAITING", ann.state("ann", "one"));
        server.engine().holdStarts(null);
        ann.awaitState("ann", "one", "RUNNING");
        assertEquals(null, task("one").get("containerExitCode"));
        server.engine().end(ann.id("ann", "one"), 3);
        ann.awaitState("ann", "one", "FAILED");
        assertEquals(BigDecimal.valueOf(3), task("one").get("containerExitCode"));
    }

    private Map<String, Object> task(String job) throws Exception {
        var body = ann.must(200, "GET", "/user/ann/jobs/" + job, null);
        var role = JsonTree.object(JsonTree.object(body.get("taskRoles")).get("main"));
        return JsonTree.object(((List<?>) role.get("taskStatuses")).getFirst());
    }

    private String reason(String name) throws Exception {
        String text = (String) status(name).get("appExitDiagnostics");
        String mark = "[ApplicationCompletionReason]: ";
        return text.substring(text.indexOf(mark) + mark.length()).strip();
    }

    @Test
    void o45AJobThatWasStoppedSaysSo() throws Exception {
        submit("halted", "", 0);
        ann.must(202, "PUT", "/user/ann/jobs/halted/executionType", "{\"value\": \"STOP\"}");
        ann.awaitState("ann", "halted", "STOPPED");
        assertEquals("cancelled by ann", reason("halted"));
    }

    @Test
    void o43AJobThatHasSucceededEndsInNoWordsOfFailure() throws Exception {
        String id = submit("enough", "\"minSucceededTaskCount\": 1", 0);
        end(id, "worker/0=0");
        ann.awaitState("ann", "enough", "SUCCEEDED");
        String detail = server.get("/v1/jobs/" + id).body();
        assertTrue(detail.contains("\"ended\""), detail);
        assertFalse(detail.contains("failed:"), detail);
    }
}
