package fairlead.server.openpai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.job.Project;
import fairlead.server.TestEngine;
import fairlead.server.TestServer;
import fairlead.server.bodies.JsonTree;

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
import java.util.OptionalInt;

/** Virtual clusters by OpenPAI's interface, over real HTTP, on a cluster of eight GPUs. */
final class VirtualClustersTest {
    @TempDir Path folder;
    private TestServer server;
    private Pai ann;
    private Pai guest;

    @BeforeEach
    void start() throws Exception {
        server = new TestServer(folder, new TestEngine(8));
        ann = Pai.owner(server);
        guest = Pai.guest(server);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String capacity(String name) throws Exception {
        var body = guest.must(200, "GET", "/virtual-clusters/" + name, null);
        return new BigDecimal(body.get("capacity").toString()).stripTrailingZeros().toPlainString();
    }

    private void set(String name, String percent) throws Exception {
        ann.must(201, "PUT", "/virtual-clusters/" + name, "{\"vcCapacity\":%s}".formatted(percent));
    }

    @Test
    void o70TheFirstVirtualClusterHasEverything() throws Exception {
        Map<String, Object> all = guest.must(200, "GET", "/virtual-clusters", null);
        assertEquals(java.util.Set.of("default"), all.keySet());
        String text = guest.call("GET", "/virtual-clusters", null).body();
        assertEquals(
                "{\"default\":{\"capacity\":100.0,\"maxCapacity\":100,\"usedCapacity\":0.0,"
                        + "\"numActiveJobs\":0,\"numJobs\":0,\"numPendingJobs\":0,"
                        + "\"resourcesUsed\":{\"memory\":0,\"vCores\":0,\"GPUs\":0.0},"
                        + "\"status\":\"RUNNING\"}}",
                text);
        guest.refused(404, "NoVirtualClusterError", "GET", "/virtual-clusters/no", null);
    }

    @Test
    void o70WhatJobsHoldIsCounted() throws Exception {
        set("vision", "50");
        String job = "{\"jobs\":[{\"command\":[\"true\"],\"gpus\":6,\"project\":\"vision\"}]}";
        String first = server.submit(job, 201).ids().getFirst();
        server.submit(job, 201);
        server.awaitState(first, "running");
        Map<String, Object> vision = guest.must(200, "GET", "/virtual-clusters/vision", null);
        assertEquals("1", vision.get("numActiveJobs").toString());
        assertEquals("1", vision.get("numPendingJobs").toString());
        assertEquals("2", vision.get("numJobs").toString());
        assertEquals(75.0, Double.parseDouble(vision.get("usedCapacity").toString()));
        Object gpus = JsonTree.object(vision.get("resourcesUsed")).get("GPUs");
        assertEquals(6.0, Double.parseDouble(gpus.toString()));
    }

    @Test
    void o71CapacityIsTakenFromDefaultAndReturnedToIt() throws Exception {
        set("vision", "50");
        assertEquals("50", capacity("vision"));
        assertEquals("50", capacity("default"));
        set("audio", "25");
        assertEquals("25", capacity("default"));
        set("vision", "62.5");
        assertEquals("12.5", capacity("default"));
        ann.refused(
                403, "NoEnoughQuotaError", "PUT", "/virtual-clusters/audio", "{\"vcCapacity\":50}");
        assertEquals("25", capacity("audio"));
        set("vision", "0");
        assertEquals("75", capacity("default"));
        String projects = server.get("/v1/projects").body();
        assertEquals(
                List.of("2", "6"),
                JsonTree.object(JsonTree.read(projects)).get("projects") instanceof List<?> list
                        ? list.stream()
                                .map(JsonTree::object)
                                .filter(each -> each.containsKey("quota"))
                                .map(each -> each.get("quota").toString())
                                .toList()
                        : List.of());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            textBlock =
                    """
                    {"vcCapacity":101}                    | 400 | InvalidParametersError
                    {"vcCapacity":-1}                     | 400 | InvalidParametersError
                    {"vcCapacity":"half"}                 | 400 | InvalidParametersError
                    {"vcCapacity":1e-999999999}           | 400 | InvalidParametersError
                    {"vcCapacity":1e99999999999999999999} | 400 | InvalidParametersError
                    {"vcCapacity":50,"vcMaxCapacity":49}  | 400 | InvalidParametersError
                    {"vcCapacity":50,"vcMaxCapacity":101} | 400 | InvalidParametersError
                    {}                                    | 400 | InvalidParametersError
                    {"vcCapacity":50,"more":1}            | 400 | InvalidParametersError
                    """)
    void o71WhatIsNoShareIsRefused(String body, int status, String code) throws Exception {
        ann.refused(status, code, "PUT", "/virtual-clusters/vision", body);
    }

    @Test
    void o71AShareThatIsNoWholeNumberOfGpusSaysWhatItBecame() throws Exception {
        var made = ann.call("PUT", "/virtual-clusters/vision", "{\"vcCapacity\":30}");
        assertEquals(201, made.statusCode(), made.body());
        String warning = made.headers().firstValue("X-Warning").orElse("");
        Object got = guest.must(200, "GET", "/virtual-clusters/vision", null).get("capacity");
        assertTrue(warning.contains("a GPU is not divided: vision has "), warning);
        assertTrue(warning.endsWith(" which is 25 %"), warning);
        assertEquals("25.0", got.toString());
    }

    @Test
    void o71OnlyAnAdminChangesVirtualClusters() throws Exception {
        ann.create("bob", "correct horse", false);
        Pai bob = guest.logIn("bob", "correct horse");
        String body = "{\"vcCapacity\":\"10\",\"vcMaxCapacity\":\"20\"}";
        String target = "/virtual-clusters/vision";
        bob.refused(403, "ForbiddenUserError", "PUT", target, body);
        guest.refused(401, "UnauthorizedUserError", "PUT", target, body);
        assertEquals(
                "create vc: vision to capacity: 10 successfully",
                ann.must(201, "PUT", target, body).get("message"));
        assertEquals(
                "update vc: vision to capacity: 10 successfully",
                ann.must(201, "PUT", target, body).get("message"));
        bob.refused(403, "ForbiddenUserError", "DELETE", target, null);
        String status = "{\"vcStatus\":\"stopped\"}";
        bob.refused(403, "ForbiddenUserError", "PUT", target + "/status", status);
        String job = "{\"jobs\":[{\"command\":[\"true\"],\"project\":\"vision\"}]}";
        assertEquals(403, server.call(bob.token(), "POST", "/v1/jobs", job).statusCode());
        assertEquals(201, server.post("/v1/jobs", job).statusCode(), "admins may use all");
    }

    @Test
    void o72AVirtualClusterIsRemovedOnceItHasNoJobs() throws Exception {
        set("vision", "50");
        server.person("bob", "{\"project\":\"vision\"}");
        String job = "{\"jobs\":[{\"command\":[\"true\"],\"gpus\":1,\"project\":\"vision\"}]}";
        String id = server.submit(job, 201).ids().getFirst();
        ann.refused(403, "RemoveRunningVcError", "DELETE", "/virtual-clusters/vision", null);
        server.post("/v1/jobs/" + id + "/abort", "");
        server.awaitState(id, "cancelled");
        ann.must(201, "DELETE", "/virtual-clusters/vision", null);
        assertEquals("100", capacity("default"));
        ann.refused(404, "NoVirtualClusterError", "DELETE", "/virtual-clusters/vision", null);
        assertFalse(server.get("/v1/people").body().contains("vision"), "bob's go to default");
    }

    @Test
    void o73AStoppedVirtualClusterTakesNoNewJobs() throws Exception {
        set("vision", "50");
        String job = "{\"jobs\":[{\"command\":[\"true\"],\"gpus\":1,\"project\":\"vision\"}]}";
        String id = server.submit(job, 201).ids().getFirst();
        String target = "/virtual-clusters/vision/status";
        assertEquals(
                "stop vc vision successfully",
                ann.must(201, "PUT", target, "{\"vcStatus\":\"stopped\"}").get("message"));
        Map<String, Object> vision = guest.must(200, "GET", "/virtual-clusters/vision", null);
        assertEquals("STOPPED", vision.get("status"));
        assertEquals(409, server.post("/v1/jobs", job).statusCode());
        server.awaitState(id, "running");
        server.put("/v1/projects/vision", "{\"quota\":3}");
        set("vision", "50");
        assertEquals(409, server.post("/v1/jobs", job).statusCode(), "other changes let it be");
        server.close();
        server = new TestServer(folder, new TestEngine(8));
        ann = Pai.owner(server);
        assertEquals(409, server.post("/v1/jobs", job).statusCode(), "and so does a restart");
        ann.must(201, "PUT", target, "{\"vcStatus\":\"running\"}");
        assertEquals(201, server.post("/v1/jobs", job).statusCode());
        ann.refused(400, "InvalidParametersError", "PUT", target, "{\"vcStatus\":\"asleep\"}");
        ann.refused(
                404,
                "NoVirtualClusterError",
                "PUT",
                "/virtual-clusters/no/status",
                "{\"vcStatus\":\"running\"}");
    }

    @Test
    void o74DefaultIsNotChangedAndNamesAreChecked() throws Exception {
        String body = "{\"vcCapacity\":10}";
        for (Pai who : List.of(ann, guest)) {
            who.refused(403, "ForbiddenUserError", "PUT", "/virtual-clusters/default", body);
            who.refused(403, "ForbiddenUserError", "DELETE", "/virtual-clusters/default", null);
            who.refused(
                    403,
                    "ForbiddenUserError",
                    "PUT",
                    "/virtual-clusters/default/status",
                    "{\"vcStatus\":\"stopped\"}");
            for (String name : List.of("a-b", "a.b", "a%20b", "%C3%A9"))
                who.refused(
                        400, "InvalidParametersError", "PUT", "/virtual-clusters/" + name, body);
            who.refused(400, "InvalidParametersError", "GET", "/virtual-clusters/a-b", null);
        }
        ann.refused(400, "InvalidParametersError", "PUT", "/virtual-clusters/_a", body);
        server.put("/v1/projects/our-own?create=true", "{}");
        guest.must(200, "GET", "/virtual-clusters/our-own", null);
    }

    @Test
    void o71WhileNoGpuIsSeenDefaultKeepsWhatItHas() {
        var byName =
                Map.of(
                        "default",
                        Project.named("default").withQuota(OptionalInt.of(5)),
                        "audio",
                        Project.named("audio").withQuota(OptionalInt.of(2)),
                        "vision",
                        Project.named("vision").withQuota(OptionalInt.of(1)));
        assertEquals(
                OptionalInt.of(5),
                new VirtualClusters(0, byName).rest("vision", OptionalInt.empty()));
        assertEquals(
                OptionalInt.of(6),
                new VirtualClusters(8, byName).rest("vision", OptionalInt.empty()));
    }

    @Test
    void o71OnAMachineWithoutGpusAShareIsTakenAndPromisesNothing() throws Exception {
        server.close();
        server = new TestServer(folder.resolve("bare"), new TestEngine(0));
        ann = Pai.owner(server);
        var made = ann.call("PUT", "/virtual-clusters/vision", "{\"vcCapacity\":50}");
        assertEquals(201, made.statusCode(), made.body());
        String warning = made.headers().firstValue("X-Warning").orElse("");
        assertTrue(warning.contains("no GPUs"), warning);
        var vision = ann.must(200, "GET", "/virtual-clusters/vision", null);
        assertEquals(0, ((BigDecimal) vision.get("capacity")).signum());
        ann.submit("ann", "cpus", "\"virtualCluster\": \"vision\"");
    }

    @ParameterizedTest(name = "{0} % of {1} GPUs, {2} taken: {3}")
    @CsvSource({
        "50, 8, 0, 4",
        "30, 8, 0, 2",
        "33, 3, 0, 1",
        "33.33, 3, 0, 1",
        "50, 3, 0, 1",
        "100, 3, 0, 3",
        "5, 8, 0, 0",
        "7, 8, 0, 1",
        "0, 8, 8, 0",
        "0, 0, 0, 0",
        "34, 4, 3, 1",
        "99.5, 2, 1, refused",
        "1, 8, 8, refused",
        "1, 0, 0, 0",
        "100, 0, 4, 0",
        "51, 4, 2, 2",
        "75, 4, 2, refused"
    })
    void o71AShareIsRoundedToTheNearestGpu(String percent, int gpus, int taken, String expected) {
        var other = taken == 0 ? OptionalInt.empty() : OptionalInt.of(taken);
        var clusters =
                new VirtualClusters(
                        gpus,
                        Map.of(
                                "default",
                                Project.named("default"),
                                "other",
                                Project.named("other").withQuota(other)));
        if (expected.equals("refused")) {
            var problem =
                    assertThrows(
                            PaiProblem.class,
                            () -> clusters.quota("vision", new BigDecimal(percent)));
            assertEquals(PaiCode.NO_ENOUGH_QUOTA, problem.code());
            return;
        }
        OptionalInt quota = clusters.quota("vision", new BigDecimal(percent));
        assertEquals(Integer.parseInt(expected), quota.orElse(0));
        double told = clusters.capacity(Project.named("vision").withQuota(quota));
        assertEquals(
                quota, clusters.quota("vision", BigDecimal.valueOf(told)), "what is read is kept");
    }
}
