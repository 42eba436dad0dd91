package fairlead.server.routes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.SubmitAnswer;
import fairlead.api.clusters.ServerBody;
import fairlead.api.spec.SpecBody;
import fairlead.server.TestServer;
import fairlead.wire.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Jobs that say something about their containers. */
final class ContainersTest {
    private static final String HERE =
            ",\"here\":{\"folder\":\"/home/ann/work\",\"env\":{\"PATH\":\"/bin\",\"A\":\"0\"}}";

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

    private SpecBody spec(String fields) throws Exception {
        String body = "{\"jobs\":[{\"command\":[\"true\"]," + fields + "}]" + HERE + "}";
        String id = server.submit(body, 201).ids().getFirst();
        return Json.read(SpecBody.class, server.get("/v1/jobs/" + id + "/spec").body());
    }

    @Test
    void withoutContainersAJobBeginsWhereItsOwnerIs() throws Exception {
        SpecBody spec = spec("\"image\":\"i\",\"env\":{\"A\":\"1\"}");
        assertEquals("/home/ann/work", spec.workdir());
        assertEquals(Map.of("PATH", "/bin", "A", "1"), spec.env());
        assertEquals("/data", spec("\"workdir\":\"/data\"").workdir());
    }

    @Test
    void insideAnImageAJobBeginsAsTheImageSays() throws Exception {
        server.engine().runningImages();
        SpecBody spec = spec("\"image\":\"i\",\"env\":{\"A\":\"1\"}");
        assertEquals("", spec.workdir());
        assertEquals(Map.of("A", "1"), spec.env());
        // In the image of the cluster nobody's folder is there either.
        assertEquals("", spec("\"gpus\":0").workdir());
    }

    @Test
    void whereOnlyImagesRunInContainersAJobWithoutOneBeginsWhereItsOwnerIs() throws Exception {
        server.engine().runningImagesHere();
        SpecBody inside = spec("\"image\":\"i\",\"env\":{\"A\":\"1\"}");
        assertEquals("", inside.workdir());
        assertEquals(Map.of("A", "1"), inside.env());
        SpecBody outside = spec("\"env\":{\"A\":\"1\"}");
        assertEquals("/home/ann/work", outside.workdir());
        assertEquals(Map.of("PATH", "/bin", "A", "1"), outside.env());
    }

    @Test
    void aSubmitIsToldThatAnImageIsNotUsed() throws Exception {
        String jobs = "{\"jobs\":[{\"command\":[\"true\"],\"gpus\":0,\"image\":\"lab/torch:2\"}]}";
        assertEquals(List.of("image lab/torch:2 is ignored"), server.submit(jobs, 201).warnings());
        server.engine().runningImages();
        assertEquals(List.of(), server.submit(jobs, 201).warnings());
    }

    @Test
    void theServerTellsWhichClustersRunImages() throws Exception {
        for (boolean images : List.of(false, true)) {
            if (images) server.engine().runningImagesHere();
            var body = Json.read(ServerBody.class, server.get("/v1/server").body());
            assertEquals(images, body.clusters().getFirst().images());
        }
    }

    @Test
    void aMistakeInTheContainerNamesItsField() throws Exception {
        var refusal =
                server.post(
                        "/v1/jobs",
                        "{\"jobs\":[{\"command\":[\"a\"],\"container\":{\"shm\":\"?\"}}]}");
        assertEquals(400, refusal.statusCode());
        assertTrue(refusal.body().contains("jobs[0].container.shm"), refusal.body());
    }

    private static String withPod(String podName) {
        return "{\"jobs\":[{\"name\":\"a\",\"command\":[\"true\"],\"gpus\":0,\"container\":{\"podName\":\""
                + podName
                + "\"}}]}";
    }

    @Test
    void aPodsNameIsFreeOnceItsJobIsDeleted() throws Exception {
        String id = server.submit(withPod("a-0-0"), 201).ids().getFirst();
        server.submit(withPod("b-0-0"), 201);
        var refusal = server.post("/v1/jobs", withPod("a-0-0"));
        assertEquals(409, refusal.statusCode());
        assertTrue(
                refusal.body()
                        .contains(
                                "the pod 'a-0-0' already exists in project 'default': it is "
                                        + id
                                        + "; delete that job to free the name"),
                refusal.body());
        server.awaitState(id, "running");
        server.engine().end(id, 0);
        server.awaitState(id, "succeeded");
        assertEquals(409, server.post("/v1/jobs", withPod("a-0-0")).statusCode(), "it is kept");
        assertEquals(204, server.delete("/v1/jobs/" + id).statusCode());
        server.submit(withPod("a-0-0"), 201);
    }

    /** Goal: of many who want a name at once, one gets it. Method: as many threads, one name. */
    @Test
    void ofManyWhoWantAPodsNameAtOnceOneGetsIt() throws Exception {
        int callers = 16;
        var made = new AtomicInteger();
        var refused = new AtomicInteger();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < callers; i++) {
                threads.submit(
                        () -> {
                            int status = server.post("/v1/jobs", withPod("a-0-0")).statusCode();
                            (status == 201 ? made : refused).incrementAndGet();
                            return status;
                        });
            }
        }
        assertEquals(1, made.get());
        assertEquals(callers - 1, refused.get());
    }

    @Test
    void theJobsOfAnArrayCannotShareAPodsName() throws Exception {
        String body = withPod("a-0-0").replaceFirst("}$", ",\"array\":{\"from\":0,\"to\":1}}");
        assertEquals(409, server.post("/v1/jobs", body).statusCode());
    }

    @Test
    void aJobSubmittedAgainLeavesItsPodsNameToTheFirst() throws Exception {
        String id = server.submit(withPod("a-0-0"), 201).ids().getFirst();
        var answer = server.post("/v1/jobs/" + id + "/resubmit", "{}");
        assertEquals(201, answer.statusCode(), answer.body());
        String again = Json.read(SubmitAnswer.class, answer.body()).ids().getFirst();
        var spec = Json.read(SpecBody.class, server.get("/v1/jobs/" + again + "/spec").body());
        assertNull(spec.container());
    }
}
