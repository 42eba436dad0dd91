package fairlead.server.openpai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
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

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What OpenPAI's interface tells of one job, over real HTTP. */
final class JobReadTest {
    private static final String TWO_ROLES =
            """
            {"jobName": "duo", "image": "busybox", "taskRoles": [
              {"name": "ps", "taskNumber": 1, "cpuNumber": 1, "memoryMB": 100, "gpuNumber": 0,
               "portList": [{"label": "rpc", "beginAt": 21000, "portNumber": 2}],
               "command": "serve"},
              {"name": "worker", "taskNumber": 2, "cpuNumber": 1, "memoryMB": 100, "gpuNumber": 1,
               "minSucceededTaskCount": 2, "command": "train"}]}\
            """;

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

    private List<Map<String, Object>> tasks(String job, String role) throws Exception {
        var body = guest.must(200, "GET", "/user/ann/jobs/" + job, null);
        var roles = JsonTree.object(body.get("taskRoles"));
        var one = JsonTree.object(roles.get(role));
        assertEquals(Map.of("name", role), one.get("taskRoleStatus"));
        return ((List<?>) one.get("taskStatuses")).stream().map(JsonTree::object).toList();
    }

    @Test
    void o60AJobIsToldWithExactlyTheseFields() throws Exception {
        ann.submit("ann", "one", "");
        Map<String, Object> body = guest.must(200, "GET", "/user/ann/jobs/one", null);
        assertEquals(List.of("name", "jobStatus", "taskRoles"), List.copyOf(body.keySet()));
        assertEquals("one", body.get("name"));
        assertEquals(
                List.of(
                        "name",
                        "username",
                        "state",
                        "subState",
                        "executionType",
                        "retries",
                        "createdTime",
                        "completedTime",
                        "appId",
                        "appProgress",
                        "appTrackingUrl",
                        "appLaunchedTime",
                        "appCompletedTime",
                        "appExitCode",
                        "appExitDiagnostics",
                        "appExitType",
                        "virtualCluster"),
                List.copyOf(JsonTree.object(body.get("jobStatus")).keySet()));
        guest.refused(404, "NoJobError", "GET", "/user/ann/jobs/other", null);
        guest.refused(404, "NoJobError", "GET", "/user/bob/jobs/one", null);
        guest.refused(404, "NoJobError", "GET", "/jobs/one", null);
        assertEquals("ann~one", guest.must(200, "GET", "/jobs/ann~one", null).get("name"));
        guest.refused(404, "NoJobError", "GET", "/jobs/bob~one", null);
    }

    @Test
    void o61TasksAreAListWithTheirPlacesGpusAndExitCodes() throws Exception {
        server.engine().holdStarts("slow");
        ann.must(202, "POST", "/user/ann/jobs", TWO_ROLES);
        server.engine().holdStarts(null);
        ann.awaitState("ann", "duo", "RUNNING");
        List<Map<String, Object>> workers = tasks("duo", "worker");
        assertEquals(
                List.of(
                        "taskIndex",
                        "containerId",
                        "containerIp",
                        "containerPorts",
                        "containerGpus",
                        "containerLog",
                        "containerExitCode"),
                List.copyOf(workers.getFirst().keySet()));
        assertEquals(BigDecimal.valueOf(0), workers.getFirst().get("taskIndex"));
        assertEquals(BigDecimal.valueOf(1), workers.getFirst().get("containerGpus"));
        assertEquals(BigDecimal.valueOf(2), workers.get(1).get("containerGpus"));
        assertNull(workers.getFirst().get("containerExitCode"));
        Map<String, Object> ps = tasks("duo", "ps").getFirst();
        assertEquals(BigDecimal.ZERO, ps.get("containerGpus"));
        assertEquals("21000,21001", JsonTree.object(ps.get("containerPorts")).get("rpc"));
        String id = ann.id("ann", "duo");
        server.engine().write(id, 1, "worker/1", "hello".getBytes());
        String log = (String) workers.get(1).get("containerLog");
        assertTrue(log.startsWith(server.url()), log);
        assertEquals("hello", server.get(log.substring(server.url().length())).body());
        server.engine().end(id, "worker/0", 0);
        Eventually.when(
                "the exit is reported",
                () ->
                        BigDecimal.ZERO.equals(
                                tasks("duo", "worker").getFirst().get("containerExitCode")));
        assertEquals(
                0, new BigDecimal("0.3").compareTo(progress().round(new java.math.MathContext(1))));
    }

    @Test
    void o61PortsStayReadableAfterTheEndAndARestart() throws Exception {
        ann.must(202, "POST", "/user/ann/jobs", TWO_ROLES);
        ann.awaitState("ann", "duo", "RUNNING");
        Object ofPs = tasks("duo", "ps").getFirst().get("containerPorts");
        assertEquals(Set.of("rpc", "http", "ssh"), JsonTree.object(ofPs).keySet());
        Object ofWorker = tasks("duo", "worker").get(1).get("containerPorts");
        String id = ann.id("ann", "duo");
        server.engine().end(id, "worker/0", 0);
        server.engine().end(id, "worker/1", 0);
        ann.awaitState("ann", "duo", "SUCCEEDED");
        server.close();
        server = new TestServer(folder, new TestEngine(2));
        guest = Pai.guest(server);
        assertEquals(ofPs, tasks("duo", "ps").getFirst().get("containerPorts"));
        assertEquals(ofWorker, tasks("duo", "worker").get(1).get("containerPorts"));
        String detail = server.get("/v1/jobs/" + id).body();
        String http = (String) JsonTree.object(ofWorker).get("http");
        assertTrue(detail.contains("\"http\":[" + http + "]"), detail);
    }

    @Test
    void o61ATaskOfAnotherMachineIsAtTheAddressThatItsEngineTells() throws Exception {
        server.close();
        server = new TestServer(folder, new TestEngine(2).runningImages());
        ann = Pai.owner(server);
        guest = Pai.guest(server);
        ann.must(202, "POST", "/user/ann/jobs", TWO_ROLES);
        ann.awaitState("ann", "duo", "RUNNING");
        assertEquals("10.1.0.1", tasks("duo", "ps").getFirst().get("containerIp"));
        assertEquals("10.1.0.3", tasks("duo", "worker").get(1).get("containerIp"));
        ann.must(202, "PUT", "/user/ann/jobs/duo/executionType", "{\"value\": \"STOP\"}");
        ann.awaitState("ann", "duo", "STOPPED");
        assertEquals("10.1.0.3", tasks("duo", "worker").get(1).get("containerIp"));
    }

    private BigDecimal progress() throws Exception {
        return (BigDecimal) ann.status("ann", "duo").get("appProgress");
    }

    @Test
    void o61TasksOfAJobThatWaitsHaveNoContainersYet() throws Exception {
        ann.submit("ann", "first", "\"retryCount\": 0");
        ann.must(
                202,
                "POST",
                "/user/ann/jobs",
                TWO_ROLES.replace("\"gpuNumber\": 1", "\"gpuNumber\": 2"));
        Map<String, Object> waits = tasks("duo", "worker").getFirst();
        assertEquals(BigDecimal.ZERO, waits.get("taskIndex"));
        waits.forEach((field, value) -> assertTrue(field.equals("taskIndex") || value == null));
        assertEquals("WAITING", ann.state("ann", "duo"));
        assertEquals("FRAMEWORK_WAITING", ann.status("ann", "duo").get("subState"));
    }

    @ParameterizedTest
    @CsvSource({
        "0,   SUCCEEDED, 0,   SUCCEEDED",
        "1,   FAILED,    177, UNKNOWN",
        "206, FAILED,    206, NON_TRANSIENT"
    })
    void o49AnEndIsToldByItsExitCode(int code, String state, int told, String type)
            throws Exception {
        ann.submit("ann", "one", "");
        ann.awaitState("ann", "one", "RUNNING");
        server.engine().end(ann.id("ann", "one"), code);
        ann.awaitState("ann", "one", state);
        Map<String, Object> status = ann.status("ann", "one");
        assertEquals(BigDecimal.valueOf(told), status.get("appExitCode"));
        assertEquals(type, status.get("appExitType"));
        assertEquals("FRAMEWORK_COMPLETED", status.get("subState"));
        assertEquals(status.get("completedTime"), status.get("appCompletedTime"));
    }

    @Test
    void o50BetweenTwoAttemptsAJobWaitsAgainAndO46CountsItsRetries() throws Exception {
        ann.submit("ann", "again", "\"retryCount\": 1");
        ann.awaitState("ann", "again", "RUNNING");
        String id = ann.id("ann", "again");
        server.engine().holdStarts("slow");
        server.engine().end(id, 1);
        ann.awaitState("ann", "again", "WAITING");
        server.engine().holdStarts(null);
        ann.awaitState("ann", "again", "RUNNING");
        assertEquals(BigDecimal.ONE, ann.status("ann", "again").get("retries"));
        server.engine().end(id, 205);
        Eventually.when(
                "a transient failure is tried again without limit",
                () -> BigDecimal.TWO.equals(ann.status("ann", "again").get("retries")));
        ann.awaitState("ann", "again", "RUNNING");
        server.engine().end(id, 1);
        ann.awaitState("ann", "again", "FAILED");
    }

    @Test
    void o45AndO81TheDiagnosticsSayWhichRuleEndedTheAttempt() throws Exception {
        ann.must(202, "POST", "/user/ann/jobs", TWO_ROLES);
        ann.awaitState("ann", "duo", "RUNNING");
        String id = ann.id("ann", "duo");
        server.engine().end(id, "worker/0", 0);
        server.engine().end(id, "worker/1", 0);
        ann.awaitState("ann", "duo", "SUCCEEDED");
        String good = (String) ann.status("ann", "duo").get("appExitDiagnostics");
        assertTrue(
                good.contains("[worker]: SucceededTaskCount 2 has reached MinSucceededTaskCount 2"),
                good);
        ann.submit("ann", "bad", "");
        ann.awaitState("ann", "bad", "RUNNING");
        server.engine().end(ann.id("ann", "bad"), 3);
        ann.awaitState("ann", "bad", "FAILED");
        String bad = (String) ann.status("ann", "bad").get("appExitDiagnostics");
        for (String part :
                List.of(
                        "[ExitStatus]: LAUNCHER_EXIT_STATUS_UNDEFINED",
                        "[ExitCode]: 177",
                        "[ExitDiagnostics]:",
                        "[ExitType]: UNKNOWN",
                        "[ExitCode]: 3",
                        "[main]: [LastCompletedTask]",
                        "[ApplicationCompletionReason]: [main]: FailedTaskCount 1 has reached"
                                + " MinFailedTaskCount 1."))
            assertTrue(bad.contains(part), part + " is missing in " + bad);
    }

    @Test
    void o67TheConfigComesBackExactlyAsItWasSubmitted() throws Exception {
        String odd = "  " + Pai.file("odd", "\"retryCount\": \"0\",\n\t\"jobEnvs\": {\"A\": 1.50}");
        ann.must(202, "POST", "/user/ann/jobs", odd);
        var response = ann.call("GET", "/user/ann/jobs/odd/config", null);
        assertEquals(200, response.statusCode());
        assertEquals(odd, response.body());
        guest.refused(401, "UnauthorizedUserError", "GET", "/user/ann/jobs/odd/config", null);
        ann.create("bob", "secret1", false);
        guest.logIn("bob", "secret1")
                .refused(403, "ForbiddenUserError", "GET", "/user/ann/jobs/odd/config", null);
        ann.refused(404, "NoJobError", "GET", "/user/ann/jobs/none/config", null);
        String ours = server.submit("ours");
        ann.refused(404, "NoJobConfigError", "GET", "/jobs/" + ours + "/config", null);
    }
}
