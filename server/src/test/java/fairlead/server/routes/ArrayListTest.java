package fairlead.server.routes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import fairlead.api.JobPage;
import fairlead.api.SubmitAnswer;
import fairlead.server.TestServer;
import fairlead.wire.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Arrays as one row each, with counts that a short page does not cut. */
final class ArrayListTest {
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

    private JobPage page(String query) throws Exception {
        var response = server.get("/v1/jobs?" + query);
        assertEquals(200, response.statusCode(), response.body());
        return Json.read(JobPage.class, response.body());
    }

    private static List<String> ids(JobPage page) {
        return page.jobs().stream().map(job -> job.id()).toList();
    }

    @Test
    void oneJobStandsForItsArrayAndTheCountsAreOfAll() throws Exception {
        String older = server.submit("older");
        SubmitAnswer array =
                server.submit(
                        """
                        {"jobs":[{"name":"sweep","command":["echo","lr {i}"],"gpus":1}],
                         "array":{"from":3,"to":7}}\
                        """,
                        201);
        String newer = server.submit("newer");
        for (int gone : List.of(3, 4)) {
            server.post("/v1/jobs/" + array.ids().get(gone) + "/abort", "");
            server.awaitState(array.ids().get(gone), "cancelled");
        }
        JobPage all = page("arrays=once");
        assertEquals(3, all.jobs().size());
        assertEquals(List.of(newer, older), List.of(ids(all).getFirst(), ids(all).getLast()));
        var sweep = all.arrays().getFirst();
        assertEquals(array.array(), sweep.id());
        assertEquals("echo 'lr {i}'", sweep.command());
        assertEquals(5, sweep.states().values().stream().mapToLong(Long::longValue).sum());
        assertEquals(2, sweep.states().get("cancelled"));
        // Page by page each row once: a page that begins in an array is past all of it.
        JobPage first = page("arrays=once&limit=2");
        assertEquals(ids(all).subList(0, 2), ids(first));
        assertEquals(Map.copyOf(sweep.states()), Map.copyOf(first.arrays().getFirst().states()));
        JobPage second = page("arrays=once&limit=2&before=" + first.next());
        assertEquals(List.of(older), ids(second));
        assertNull(second.next());
        assertEquals(1, page("arrays=once&state=finished").jobs().size());
        assertEquals(7, page("").jobs().size());
        assertNull(page("").arrays());
        assertEquals(400, server.get("/v1/jobs?arrays=twice").statusCode());
    }
}
