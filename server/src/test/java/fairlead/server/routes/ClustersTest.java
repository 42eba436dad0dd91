package fairlead.server.routes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.JobBody;
import fairlead.api.JobPage;
import fairlead.api.StatsBody;
import fairlead.api.WhyBody;
import fairlead.api.clusters.ClusterBody;
import fairlead.api.clusters.NodeBody;
import fairlead.api.clusters.NodeList;
import fairlead.api.clusters.ServerBody;
import fairlead.server.TestEngine;
import fairlead.server.TestServer;
import fairlead.testing.Eventually;
import fairlead.wire.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A server with this machine and a lab, which can go out of reach. */
final class ClustersTest {
    private static final String REFUSED =
            "the cluster lab cannot be reached: connection refused by 10.0.0.1";
    private static final Map<String, String> SETTINGS =
            Map.of("clusters", "lab, local", "lab.engine", "kubernetes");

    @TempDir Path folder;
    private final TestEngine local = new TestEngine(1);
    private final TestEngine lab = new TestEngine(2);
    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        server = new TestServer(folder, local, lab, SETTINGS);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private <T> T get(String target, Class<T> type) throws Exception {
        var response = server.get(target);
        assertEquals(200, response.statusCode(), response.body());
        return Json.read(type, response.body());
    }

    private String submit(String fields) throws Exception {
        return server.submit("{\"jobs\":[{\"command\":[\"true\"]" + fields + "}]}", 201)
                .ids()
                .getFirst();
    }

    private void loseLab() throws Exception {
        lab.vanish("connection refused by 10.0.0.1");
        Eventually.when(
                "the lab is out of reach",
                () -> server.metric("fairlead_cluster_reachable{cluster=\"lab\"}") == 0);
    }

    @Test
    void aJobThatNamesNoClusterGoesToTheFirst() throws Exception {
        assertEquals("lab", server.detail(submit("")).job().cluster());
        assertEquals("local", server.detail(submit(",\"cluster\":\"local\"")).job().cluster());
        var refused =
                server.post("/v1/jobs", "{\"jobs\":[{\"command\":[\"true\"],\"cluster\":\"x\"}]}");
        assertEquals(400, refused.statusCode());
        assertTrue(refused.body().contains("no cluster 'x'; known: lab, local"), refused.body());
    }

    @Test
    void theServerTellsItsClusters() throws Exception {
        loseLab();
        assertEquals(
                List.of(
                        new ClusterBody(
                                "lab",
                                "kubernetes",
                                false,
                                "connection refused by 10.0.0.1",
                                true,
                                "fairlead-{project}"),
                        new ClusterBody("local", "local", true, null, false, null)),
                get("/v1/server", ServerBody.class).clusters());
    }

    @Test
    void aJobForAClusterOutOfReachStaysQueuedAndSaysWhy() throws Exception {
        loseLab();
        String job = submit(",\"gpus\":1");
        WhyBody why = get("/v1/jobs/" + job + "/why", WhyBody.class);
        assertEquals("queued", why.state());
        assertEquals(List.of(REFUSED), why.obstacles());
        assertNull(why.advice());
        assertEquals(List.of(REFUSED), server.detail(job).obstacles());
        assertEquals(List.of(REFUSED), get("/v1/jobs", JobPage.class).notes());
        assertEquals(List.of(), get("/v1/jobs?cluster=local", JobPage.class).notes());
        assertEquals(REFUSED, get("/v1/nodes", NodeList.class).notes().getFirst());
        assertEquals(List.of(REFUSED), get("/v1/stats", StatsBody.class).notes());
        String here = submit(",\"cluster\":\"local\"");
        server.awaitState(here, "running");
        lab.vanish(null);
        server.awaitState(job, "running");
        assertEquals(List.of(), get("/v1/jobs", JobPage.class).notes());
        assertEquals(1, server.metric("fairlead_cluster_reachable{cluster=\"lab\"}"));
    }

    @Test
    void whatRunsOnAClusterOutOfReachGoesOn() throws Exception {
        String job = submit("");
        server.awaitState(job, "running");
        loseLab();
        assertEquals("running", server.state(job));
        lab.vanish(null);
        lab.end(job, 0);
        server.awaitState(job, "succeeded");
    }

    @Test
    void aClusterThatWasNeverSeenTakesJobsForItsGpus() throws Exception {
        server.close();
        lab.vanish("no route to host");
        server = new TestServer(folder, local, lab, SETTINGS);
        String job = submit("");
        assertEquals(1, server.detail(job).job().gpus(), "most clusters have some");
        assertEquals(
                List.of("the cluster lab cannot be reached: no route to host"),
                server.detail(job).obstacles());
        lab.vanish(null);
        server.awaitState(job, "running");
    }

    @Test
    void anImageThatCannotBePulledIsToldWhileTheJobStarts() throws Exception {
        String trouble = "image lab/torch:9 cannot be pulled: manifest unknown";
        lab.holdStarts(trouble);
        String job = submit("");
        Eventually.when(
                "the trouble is reported",
                () -> server.detail(job).obstacles().equals(List.of(trouble)));
        assertEquals(List.of(trouble), get("/v1/jobs/" + job + "/why", WhyBody.class).obstacles());
        assertEquals(
                List.of(trouble),
                get("/v1/jobs", JobPage.class).jobs().stream().map(JobBody::reason).toList());
        lab.holdStarts(null);
        server.awaitState(job, "running");
        assertEquals(List.of(), server.detail(job).obstacles());
        assertNull(server.detail(job).job().reason());
    }

    @Test
    void jobsAndNodesOfOneClusterCanBeAskedFor() throws Exception {
        String far = submit("");
        String near = submit(",\"cluster\":\"local\"");
        server.awaitState(far, "running");
        server.awaitState(near, "running");
        assertEquals(List.of(far), ids("/v1/jobs?cluster=lab"));
        lab.end(far, 0);
        server.awaitState(far, "succeeded");
        assertEquals(List.of(far), ids("/v1/jobs?cluster=lab"), "also when it has finished");
        assertEquals(List.of(near), ids("/v1/jobs?cluster=local"));
        assertEquals(
                List.of("lab"),
                get("/v1/nodes?cluster=lab", NodeList.class).nodes().stream()
                        .map(NodeBody::cluster)
                        .toList());
        for (String route : List.of("jobs", "nodes", "snapshot")) {
            var refused = server.get("/v1/" + route + "?cluster=mars");
            assertEquals(400, refused.statusCode());
            assertTrue(refused.body().contains("no cluster 'mars'; known: lab, local"));
        }
    }

    private List<String> ids(String target) throws Exception {
        return get(target, JobPage.class).jobs().stream().map(JobBody::id).toList();
    }

    @Test
    void tasksInImagesAreToldWhereOtherMachinesFindTheServer() throws Exception {
        String near = submit(",\"cluster\":\"local\"");
        String far = submit(",\"training\":{\"epochs\":2}");
        server.awaitState(near, "running");
        server.awaitState(far, "running");
        assertTrue(
                server.detail(far).notes().stream()
                        .anyMatch(note -> note.contains("set 'url' in its settings")),
                "loopback is no address for them");
        assertFalse(server.detail(near).notes().toString().contains("'url'"));
        assertFalse(lab.environment(far).containsKey("FAIRLEAD_SERVER_FILE"));
        server.close();
        var settings = new HashMap<>(SETTINGS);
        settings.put("url", "http://gpu-box:7300");
        server = new TestServer(folder, local, lab, settings);
        String told = submit(",\"training\":{\"epochs\":2}");
        server.awaitState(told, "running");
        assertEquals("http://gpu-box:7300", lab.environment(told).get("FAIRLEAD_URL"));
        assertFalse(server.detail(told).notes().toString().contains("'url'"));
        assertEquals(
                folder.resolve("address.json").toString(),
                local.environment(near).get("FAIRLEAD_SERVER_FILE"));
    }
}
