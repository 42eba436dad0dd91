package fairlead.server.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.SubmitAnswer;
import fairlead.cluster.Gpu;
import fairlead.server.TestEngine;
import fairlead.server.TestServer;
import fairlead.wire.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What tasks find in their environment, whatever engine runs them. */
final class JobEnvironmentTest {
    @TempDir Path folder;

    @Test
    void everyJobKnowsItsServerAndItsToken() throws Exception {
        try (var server = new TestServer(folder)) {
            String job = server.submit("plain");
            server.awaitState(job, "running");
            var environment = server.engine().environment(job);
            assertEquals(server.url(), environment.get("FAIRLEAD_URL"));
            assertTrue(environment.get("FAIRLEAD_JOB_TOKEN").startsWith(job + ":"));
            assertEquals(
                    folder.resolve("address.json").toString(),
                    environment.get("FAIRLEAD_SERVER_FILE"));
            assertFalse(environment.containsKey("JOB_UUID"));
        }
    }

    @Test
    void d12ATrainingJobKnowsHowFarItIs() throws Exception {
        try (var server = new TestServer(folder)) {
            String job = server.train(20, 1, "");
            Map<String, String> ours = new TreeMap<>(server.engine().environment(job));
            assertTrue(
                    ours.remove("JOB_UUID").matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"));
            ours.keySet().removeIf(name -> name.startsWith("FAIRLEAD_"));
            assertEquals(
                    Map.of(
                            "JOB_RESTARTED", "FALSE",
                            "EPOCHS_DONE", "0",
                            "EPOCHS_TO_BE_DONE", "20",
                            "BATCH_SIZE", "32",
                            "TRAINING_SET_SIZE", "640",
                            "HEARTBEAT_FREQ", "10",
                            "RESERVED_MEM", "0",
                            "PL_TORCH_DISTRIBUTED_BACKEND", "nccl"),
                    ours);
        }
    }

    @Test
    void theUserChoosesWhatConcernsOnlyTheScript() throws Exception {
        try (var server = new TestServer(folder)) {
            String job =
                    server.train(
                            20,
                            1,
                            """
                            ,"env":{"BATCH_SIZE":"64","PL_TORCH_DISTRIBUTED_BACKEND":"gloo",\
                            "JOB_UUID":"mine","FAIRLEAD_JOB_TOKEN":"mine","EPOCHS_DONE":"9",\
                            "EPOCHS_TO_BE_DONE":"9","JOB_RESTARTED":"9","FAIRLEAD_URL":"mine",\
                            "OWN":"1"}\
                            """);
            var environment = server.engine().environment(job);
            assertEquals("64", environment.get("BATCH_SIZE"));
            assertEquals("gloo", environment.get("PL_TORCH_DISTRIBUTED_BACKEND"));
            assertEquals("1", environment.get("OWN"));
            assertEquals("0", environment.get("EPOCHS_DONE"));
            assertEquals("20", environment.get("EPOCHS_TO_BE_DONE"));
            assertEquals("FALSE", environment.get("JOB_RESTARTED"));
            assertEquals(server.url(), environment.get("FAIRLEAD_URL"));
            assertFalse(environment.containsValue("mine"));
            String spec = server.get("/v1/jobs/" + job + "/spec").body();
            assertTrue(spec.contains("\"EPOCHS_DONE\":\"9\""), "the spec stays the user's");
            assertFalse(spec.contains("HEARTBEAT_FREQ"));
        }
    }

    @Test
    void d5ReservedMemoryIsTheShareOfAGpuOrWhatTheOwnerEstimates() throws Exception {
        var gpu = new Gpu(0, "a100", 40L << 30);
        try (var server = new TestServer(folder, new TestEngine(List.of(gpu)))) {
            String alone = reserving(server, "\"sharing\":false,\"estimatedMemory\":\"9G\"");
            assertEquals("9216", server.engine().environment(alone).get("RESERVED_MEM"));
            server.engine().end(alone, 0);
            server.awaitState(alone, "succeeded");
            String sharing = reserving(server, "\"estimatedMemory\":\"8G\"");
            long share = server.detail(sharing).tasks().getFirst().gpuMemoryBytes();
            assertEquals(
                    Long.toString(share >> 20),
                    server.engine().environment(sharing).get("RESERVED_MEM"));
        }
    }

    @Test
    void whoEstimatesMoreMemoryThanAnyGpuHasIsWarned() throws Exception {
        String body =
                """
                {"jobs":[{"command":["true"],"training":{"epochs":2,"estimatedMemory":"%s"}}]}\
                """;
        var gpu = new Gpu(0, "a100", 40L << 30);
        try (var server = new TestServer(folder, new TestEngine(List.of(gpu)))) {
            assertEquals(
                    List.of("the estimated memory of 41G is more than the 40G of the largest GPU"),
                    server.submit(body.formatted("41G"), 201).warnings());
            assertEquals(List.of(), server.submit(body.formatted("40G"), 201).warnings());
        }
    }

    private static String reserving(TestServer server, String training) throws Exception {
        String body =
                """
                {"jobs":[{"command":["true"],"gpus":1,"training":{"epochs":2,%s}}]}\
                """;
        String job = server.submit(body.formatted(training), 201).ids().getFirst();
        server.awaitState(job, "running");
        return job;
    }

    @Test
    void aJobThatSharesAGpuKeepsTheSpecThatItsOwnerWrote() throws Exception {
        var gpu = new Gpu(0, "a100", 40L << 30);
        var engine = new TestEngine(List.of(gpu));
        String job;
        try (var server = new TestServer(folder, engine)) {
            job = reserving(server, "\"estimatedMemory\":\"8G\"");
        }
        try (var server = new TestServer(folder, engine)) {
            assertEquals("running", server.state(job), "it can be read again");
            var spec = server.detail(job).spec();
            assertEquals(1, spec.gpus());
            assertNull(spec.gpuMemory());
            var response = server.post("/v1/jobs/" + job + "/resubmit", "{\"gpus\":0}");
            var again = Json.read(SubmitAnswer.class, response.body()).ids().getFirst();
            assertEquals(0, server.detail(again).spec().gpus());
        }
    }

    @Test
    void aJobThatLeavesNoRoomForOurVariablesIsRefusedAtOnce() throws Exception {
        var variables = new StringBuilder();
        for (int i = 0; i < 1_000; i++)
            variables.append(i == 0 ? "" : ",").append("\"V%d\":\"\"".formatted(i));
        try (var server = new TestServer(folder)) {
            var response =
                    server.post(
                            "/v1/jobs",
                            "{\"jobs\":[{\"command\":[\"true\"],\"env\":{%s}}]}"
                                    .formatted(variables));
            assertEquals(400, response.statusCode());
            assertTrue(response.body().contains("Fairlead's own variables"), response.body());
        }
    }

    @Test
    void aJobThatWasPlacedByAnEarlierServerIsToldTheNewAddress() throws Exception {
        var engine = new TestEngine(2);
        engine.failLaunches("the disk is full");
        String job;
        String before;
        try (var server = new TestServer(folder, engine)) {
            job = server.submit("late");
            server.awaitState(job, "starting");
            before = server.url();
        }
        engine.failLaunches(null);
        try (var server = new TestServer(folder, engine)) {
            server.awaitState(job, "running");
            assertEquals(server.url(), engine.environment(job).get("FAIRLEAD_URL"));
            assertFalse(before.isEmpty());
        }
    }
}
