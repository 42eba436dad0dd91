package fairlead.server.openpai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.server.TestEngine;
import fairlead.server.TestServer;
import fairlead.server.bodies.JsonTree;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What the pages of OpenPAI's portal show and do, items O83 to O86, by the calls that such pages
 * make. The pages themselves are no part of this server.
 */
class PortalItemsTest {
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

    private void stopJob(String name) throws Exception {
        ann.must(202, "PUT", "/user/ann/jobs/" + name + "/executionType", "{\"value\": \"STOP\"}");
    }

    private Map<String, Object> row(String name) throws Exception {
        return guest.list("/jobs").stream()
                .filter(job -> job.get("name").equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void o83TheListHasWhatEachColumnAndFilterNeeds() throws Exception {
        ann.must(201, "PUT", "/virtual-clusters/vc1", "{\"vcCapacity\": 50}");
        ann.submit("ann", "old", "");
        ann.submit("ann", "new", "\"virtualCluster\": \"vc1\"");
        List<Map<String, Object>> jobs = guest.list("/jobs");
        assertEquals(List.of("new", "old"), jobs.stream().map(job -> job.get("name")).toList());
        Map<String, Object> first = jobs.getFirst();
        assertEquals("ann", first.get("username"));
        assertEquals("vc1", first.get("virtualCluster"));
        assertTrue(first.get("createdTime") instanceof BigDecimal);
        assertEquals(BigDecimal.ZERO, first.get("retries"));
        assertEquals(2, guest.list("/jobs?username=ann").size());
        for (String name : List.of("old", "new")) stopJob(name);
        for (String name : List.of("old", "new")) ann.awaitState("ann", name, "STOPPED");
    }

    /** A portal calls a job Stopping when it runs or waits and its type is STOP. */
    @Test
    void o84AJobThatIsToStopIsToldAsSuchUntilItHasStopped() throws Exception {
        ann.submit("ann", "one", "");
        ann.awaitState("ann", "one", "RUNNING");
        assertEquals("START", row("one").get("executionType"));
        server.engine().vanish("the cable is out");
        stopJob("one");
        assertEquals("RUNNING", row("one").get("state"));
        assertEquals("STOP", row("one").get("executionType"));
        server.engine().vanish(null);
        ann.awaitState("ann", "one", "STOPPED");
        assertEquals("STOP", row("one").get("executionType"));
    }

    @Test
    void o85AJobHasWhatItsPageShows() throws Exception {
        ann.must(
                202,
                "POST",
                "/user/ann/jobs",
                Pai.file("one", "").replace("\"gpuNumber\": 1", "\"gpuNumber\": 2"));
        ann.awaitState("ann", "one", "RUNNING");
        Map<String, Object> task = task("one");
        assertTrue(((String) task.get("containerId")).startsWith("container_"));
        assertEquals("127.0.0.1", task.get("containerIp"));
        assertTrue(JsonTree.object(task.get("containerPorts")).containsKey("ssh"));
        // The bits 0 and 1 are the GPUs #0 and #1.
        assertEquals(BigDecimal.valueOf(3), task.get("containerGpus"));
        assertNull(task.get("containerExitCode"), "shown as ?");
        String id = ann.id("ann", "one");
        server.engine().write(id, 1, "main/0", "said".getBytes());
        String log = (String) task.get("containerLog");
        assertEquals("said", server.get(log.substring(server.url().length())).body());
        String page = (String) ann.status("ann", "one").get("appTrackingUrl");
        assertEquals(200, server.get(page.substring(server.url().length())).statusCode());
        server.engine().end(id, 7);
        ann.awaitState("ann", "one", "FAILED");
        assertEquals(BigDecimal.valueOf(7), task("one").get("containerExitCode"));
    }

    private Map<String, Object> task(String job) throws Exception {
        var body = guest.must(200, "GET", "/user/ann/jobs/" + job, null);
        var role = JsonTree.object(JsonTree.object(body.get("taskRoles")).get("main"));
        return JsonTree.object(((List<?>) role.get("taskStatuses")).getFirst());
    }

    /** A job without GPUs has none of the bits. */
    @Test
    void o85ATaskWithoutGpusHasNone() throws Exception {
        ann.must(
                202,
                "POST",
                "/user/ann/jobs",
                Pai.file("none", "").replace("\"gpuNumber\": 1", "\"gpuNumber\": 0"));
        ann.awaitState("ann", "none", "RUNNING");
        assertEquals(BigDecimal.ZERO, task("none").get("containerGpus"));
    }

    @Test
    void o86ACloneIsTheOldFileUnderANewName() throws Exception {
        ann.submit("ann", "one", "\"retryCount\": 3");
        String old = ann.call("GET", "/user/ann/jobs/one/config", null).body();
        String name = "one_" + System.currentTimeMillis();
        String file = old.replace("\"one\"", "\"" + name + "\"");
        assertFalse(file.equals(old));
        ann.must(202, "PUT", "/user/ann/jobs/" + name, file);
        assertEquals(file, ann.call("GET", "/user/ann/jobs/" + name + "/config", null).body());
    }
}
