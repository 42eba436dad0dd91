package fairlead.dialects.runai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.JobBody;
import fairlead.api.spec.ContainerBody;
import fairlead.api.spec.SpecBody;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Map;

class JobWordsTest {
    private static JobBody job(String state, int gpus, String part, List<String> nodes) {
        return job(state, gpus, part, nodes, null, null);
    }

    private static JobBody job(
            String state, int gpus, String part, List<String> nodes, Integer code, String reason) {
        return new JobBody(
                "train_1_0000000a",
                "train",
                "ann",
                "lab",
                "local",
                state,
                reason,
                code,
                0,
                gpus,
                part,
                false,
                2,
                1,
                0,
                null,
                null,
                "true",
                "2025-11-15T04:00:00Z",
                null,
                null,
                null,
                null,
                null,
                null,
                nodes,
                null,
                null,
                null);
    }

    @ParameterizedTest
    @CsvSource({
        "queued,    Pending,           0 (2), 0 (2)",
        "starting,  ContainerCreating, 2 (2), 0 (2)",
        "running,   Running,           2 (2), 2 (0)",
        "stopping,  Terminating,       2 (2), 2 (0)",
        "succeeded, Succeeded,         - (2), 0 (0)",
        "failed,    Failed,            - (2), 0 (0)",
        "cancelled, Suspended,         - (2), 0 (0)",
        "newer,     Unknown,           - (2), 0 (0)"
    })
    void r19EveryStateHasItsWords(String state, String status, String gpus, String pods) {
        JobBody job = job(state, 2, null, List.of());
        assertEquals(status, JobWords.status(job));
        assertEquals(gpus, JobWords.gpus(job));
        assertEquals(pods, JobWords.pods(job));
    }

    @Test
    void aJobThatReachedItsTimeLimitIsTimedOut() {
        assertEquals(
                "TimedOut",
                JobWords.status(job("failed", 1, null, List.of(), 124, "time limit reached")));
        assertEquals(
                "Failed",
                JobWords.status(job("failed", 1, null, List.of(), 124, "task main/0 exited")));
    }

    @Test
    void partsOfGpusAreAddedUpAndMemoryIsNot() {
        assertEquals("0.5 (0.5)", JobWords.gpus(job("running", 1, "0.5", List.of("box"))));
        assertEquals("1 (1)", JobWords.gpus(job("running", 2, "0.5", List.of("box"))));
        assertEquals("8G (8G)", JobWords.gpus(job("running", 1, "8G", List.of("box"))));
    }

    @Test
    void severalNodesAreMultiple() {
        assertEquals("-", JobWords.node(job("queued", 1, null, List.of())));
        assertEquals("a", JobWords.node(job("running", 1, null, List.of("a"))));
        assertEquals("<multiple>", JobWords.node(job("running", 1, null, List.of("a", "b"))));
    }

    @Test
    void portsHaveAnAddressWhereSomethingLeadsToThem() {
        JobBody job = job("running", 1, null, List.of("box"));
        assertEquals("http://box:8888", JobWords.urls(job, spec(8_888, null), false));
        assertEquals("", JobWords.urls(job, spec(8_888, null), true));
        assertEquals(
                "", JobWords.urls(job, spec(8_888, "nodeport"), true), "one of its own choice");
        assertEquals("http://box:30080", JobWords.urls(job, spec(30_080, "nodeport"), true));
        assertEquals("", JobWords.urls(job, spec(30_080, "loadbalancer"), true));
        assertEquals("", JobWords.urls(job, null, false));
        JobBody waiting = job("queued", 1, null, List.of());
        assertEquals("", JobWords.urls(waiting, spec(8_888, null), false));
    }

    private static SpecBody spec(int port, String service) {
        var container = ContainerBody.of(around -> around.service = service);
        var spec = new SpecBody.Edit();
        spec.ports = List.of(port + ":80");
        spec.container = container;
        return spec.body();
    }

    @Test
    void r26APodIsNamedAfterItsJob() {
        assertEquals("train-1-0-0", JobWords.pod("train-1", 0));
        assertEquals("train-1", JobWords.jobOf("train-1-0-0"));
        assertEquals("train-1", JobWords.jobOf("train-1"));
        assertEquals("runai-lab", JobWords.namespace(null, "lab"));
        assertEquals("fairlead-a-b", JobWords.namespace("fairlead-{project}", "A_b"));
    }

    @Test
    void theCommandLineHasEveryOptionThatTheJobHasButItsVariables() {
        var spec = new SpecBody.Edit();
        spec.name = "train";
        spec.project = "lab";
        spec.image = "lab/torch:2";
        spec.gpus = 1;
        spec.gpuType = "a100";
        spec.cpus = 4;
        spec.memory = "8589934592";
        spec.workdir = "/work";
        spec.env = Map.of("TOKEN", "s3cret");
        spec.command = List.of("python3", "train.py");
        spec.container =
                ContainerBody.of(
                        around -> {
                            around.runAs = "1000:1000";
                            around.pullPolicy = "if-not-present";
                        });
        assertEquals(
                "runai submit train -p lab -i lab/torch:2 --gpu 1 --node-type a100 --cpu 4"
                        + " --memory 8589934592 --working-dir /work --run-as-user"
                        + " --image-pull-policy IfNotPresent --command -- python3 train.py",
                JobWords.commandLine(spec.body()));
        spec.cpus = 0;
        spec.memory = "0";
        String unsaid = JobWords.commandLine(spec.body());
        assertTrue(unsaid.contains(" --node-type a100 --working-dir /work "), unsaid);
    }
}
