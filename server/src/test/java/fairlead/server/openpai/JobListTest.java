package fairlead.server.openpai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.server.TestEngine;
import fairlead.server.TestServer;
import fairlead.testing.Eventually;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** OpenPAI's list of jobs over real HTTP. */
final class JobListTest {
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

    private static List<Object> names(List<Map<String, Object>> jobs) {
        return jobs.stream().map(job -> job.get("name")).toList();
    }

    @Test
    void o59JobsAreListedNewestFirstToEveryoneWithExactlyTheseFields() throws Exception {
        assertEquals(List.of(), guest.list("/jobs"));
        for (String name : List.of("a", "b", "c")) ann.submit("ann", name, "");
        ann.awaitState("ann", "a", "RUNNING");
        server.engine().end(ann.id("ann", "a"), 0);
        ann.awaitState("ann", "a", "SUCCEEDED");
        List<Map<String, Object>> jobs = guest.list("/jobs");
        assertEquals(List.of("c", "b", "a"), names(jobs));
        assertEquals(
                List.of(
                        "name",
                        "namespace",
                        "username",
                        "state",
                        "subState",
                        "executionType",
                        "retries",
                        "createdTime",
                        "completedTime",
                        "appExitCode",
                        "virtualCluster"),
                List.copyOf(jobs.getFirst().keySet()));
        Map<String, Object> done = jobs.getLast();
        assertEquals("ann", done.get("username"));
        assertEquals("SUCCEEDED", done.get("state"));
        assertEquals("FRAMEWORK_COMPLETED", done.get("subState"));
        assertEquals("START", done.get("executionType"));
        assertEquals(BigDecimal.ZERO, done.get("retries"));
        assertEquals(BigDecimal.ZERO, done.get("appExitCode"));
        assertEquals("default", done.get("virtualCluster"));
        var created = (BigDecimal) done.get("createdTime");
        assertTrue(created.compareTo((BigDecimal) done.get("completedTime")) <= 0);
        assertTrue(created.compareTo(BigDecimal.valueOf(1_600_000_000_000L)) > 0, "milliseconds");
        assertNull(jobs.getFirst().get("completedTime"));
        assertNull(jobs.getFirst().get("appExitCode"));
    }

    @Test
    void o59AListIsOfOneOwnerOrOfOneUsersName() throws Exception {
        ann.create("bob", "secret1", false);
        Pai bob = guest.logIn("bob", "secret1");
        bob.submit("bob", "his", "");
        ann.submit("bob", "underHisName", "");
        ann.submit("ann", "hers", "");
        assertEquals(List.of("his"), names(guest.list("/jobs?username=bob")));
        assertEquals(List.of("hers", "underHisName"), names(guest.list("/jobs?username=ann")));
        assertEquals(List.of("underHisName", "his"), names(guest.list("/user/bob/jobs")));
        assertEquals(List.of(), guest.list("/user/nobody/jobs"));
        assertEquals(List.of(), guest.list("/jobs?username=nobody"));
    }

    @Test
    void o59OurOwnJobsAreListedByTheirIdsAsLegacyOnes() throws Exception {
        ann.submit("ann", "new", "");
        String id = server.submit("ours");
        List<Map<String, Object>> jobs = guest.list("/jobs");
        assertEquals(List.of(id, "new"), names(jobs));
        assertEquals(true, jobs.getFirst().get("legacy"));
        assertTrue(!jobs.getLast().containsKey("legacy"));
        assertEquals(List.of("new"), names(guest.list("/user/ann/jobs")));
        guest.refused(404, "NoJobError", "GET", "/user/ann/jobs/" + id, null);
        assertEquals(id, guest.must(200, "GET", "/jobs/" + id, null).get("name"));
    }

    /** The rows of finished jobs are read once, and must follow what happens from then on. */
    @Test
    void aJobThatEndsOrIsDeletedLeavesItsPlaceInTheListAsItShould() throws Exception {
        server.engine().endingAtOnce();
        for (String name : List.of("a", "b")) {
            ann.submit("ann", name, "");
            ann.awaitState("ann", name, "SUCCEEDED");
        }
        assertEquals(List.of("b", "a"), names(guest.list("/jobs")));
        ann.submit("ann", "c", "");
        ann.awaitState("ann", "c", "SUCCEEDED");
        assertEquals(List.of("c", "b", "a"), names(guest.list("/jobs")));
        ann.must(202, "DELETE", "/user/ann/jobs/b", null);
        Eventually.when("b is gone", () -> names(guest.list("/jobs")).equals(List.of("c", "a")));
        server.close();
        server = new TestServer(folder, new TestEngine(2));
        assertEquals(List.of("c", "a"), names(Pai.guest(server).list("/jobs")));
    }
}
