package fairlead.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.SpecBody;
import fairlead.server.TestServer;
import fairlead.server.wire.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Map;

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
        assertEquals("/home/ann/work", spec("\"gpus\":0").workdir());
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
}
