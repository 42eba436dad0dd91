package fairlead.server.openpai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.SubmitRequest;
import fairlead.api.TaskBody;
import fairlead.api.spec.SpecBody;
import fairlead.dialects.openpai.JobFile;
import fairlead.dialects.openpai.PaiSpec;
import fairlead.server.TestEngine;
import fairlead.server.TestServer;
import fairlead.testing.Eventually;
import fairlead.wire.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Jobs of OpenPAI in a whole server, over its own interface. */
final class OpenPaiJobsTest {
    private static final Path FILES =
            Path.of("../dialects/openpai/src/test/resources/openpai-jobs");

    /** As many as the largest of the files asks for. */
    private static final int GPUS = 16;

    @TempDir Path folder;
    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        server = new TestServer(folder, new TestEngine(GPUS));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    static List<Path> realFiles() throws IOException {
        try (Stream<Path> files = Files.walk(FILES)) {
            return files.filter(file -> file.toString().endsWith(".json")).sorted().toList();
        }
    }

    private static SpecBody spec(String text, String user) throws Exception {
        return PaiSpec.of(JobFile.ofFile(text), user);
    }

    private static String request(SpecBody spec) {
        return Json.write(new SubmitRequest(null, List.of(spec), null, null, null, null));
    }

    private String running(SpecBody spec) throws Exception {
        String id = server.submit(request(spec), 201).ids().getFirst();
        Eventually.when(
                spec.name() + " runs", () -> server.detail(id).job().state().equals("running"));
        return id;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("realFiles")
    void o67RealFilesArePlacedAndComeBackUnchanged(Path file) throws Exception {
        JobFile read = JobFile.ofFile(Files.readString(file));
        String id = running(spec(Files.readString(file), "ann"));
        SpecBody stored = Json.read(SpecBody.class, server.get("/v1/jobs/" + id + "/spec").body());
        assertEquals(read.submitted(), stored.origin().text());
        assertEquals(read.job().tasks(), server.detail(id).tasks().size());
    }

    @Test
    void o28EveryRunningTaskHasItsPorts() throws Exception {
        String id = running(spec(Files.readString(FILES.resolve("kafka/kafka.json")), "ann"));
        for (TaskBody task : server.detail(id).tasks()) {
            assertTrue(task.ports().containsKey("http"), task.toString());
            assertTrue(task.ports().containsKey("ssh"), task.toString());
        }
    }

    @Test
    void o62AnotherJobByTheNameIsRefusedUntilTheFirstIsDeleted() throws Exception {
        String text = Files.readString(FILES.resolve("pytorch/pytorch.mnist.json"));
        String id = running(spec(text, "ann"));
        var taken = server.post("/v1/jobs", request(spec(text, "ann")));
        assertEquals(409, taken.statusCode(), taken.body());
        assertTrue(
                taken.body().contains("the job 'ann~pytorch-mnist' already exists"), taken.body());
        running(spec(text, "bob"));
        server.post("/v1/jobs/" + id + "/abort", "");
        Eventually.when("it ends", () -> server.detail(id).job().finished() != null);
        assertEquals(409, server.post("/v1/jobs", request(spec(text, "ann"))).statusCode());
        server.delete("/v1/jobs/" + id);
        running(spec(text, "ann"));
    }

    @Test
    void aFileThatIsNotOfItsJobIsRefused() throws Exception {
        String text = Files.readString(FILES.resolve("pytorch/pytorch.mnist.json"));
        String other = Files.readString(FILES.resolve("kafka/kafka.json"));
        String wrong =
                request(spec(text, "ann"))
                        .replace(
                                Json.write(spec(text, "ann").origin()),
                                Json.write(spec(other, "ann").origin()));
        var refusal = server.post("/v1/jobs", wrong);
        assertEquals(400, refusal.statusCode());
        assertTrue(refusal.body().contains("jobs[0].origin.text"), refusal.body());
    }
}
