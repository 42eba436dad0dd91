package fairlead.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.engines.kubernetes.TestCluster;
import fairlead.engines.kubernetes.TestNode;
import fairlead.testing.Eventually;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The lab's guide, typed as it stands there, on a Kubernetes cluster of two nodes. */
class KubernetesTest {
    @TempDir static Path folder;
    private static TestCluster cluster;
    private static Installation fairlead;
    private static Path ann;

    @BeforeAll
    static void start() throws IOException {
        cluster =
                TestCluster.mock(
                        Files.createDirectories(folder.resolve("cluster")),
                        TestNode.withGpus("n1", 2),
                        TestNode.withGpus("n2", 2));
        fairlead =
                Installation.withSettings(
                        folder.resolve("home"),
                        "clusters = lab",
                        "stop-grace = 1s",
                        "lab.engine = kubernetes",
                        "lab.kubeconfig = " + cluster.kubeconfig(),
                        "lab.namespace = runai-{project}",
                        "lab.start-patience = 2s");
        ann = Files.createDirectories(folder.resolve("ann"));
        type("fairlead project create cvlab --quota 4").expect(0);
        type("runai config project cvlab").expect(0);
    }

    @AfterAll
    static void stop() {
        fairlead.close();
        cluster.close();
    }

    private static Installation.Result type(String line) {
        return fairlead.type(
                "HOME='%s' PATH=\"%s:$PATH\"; export HOME PATH; cd; %s"
                        .formatted(ann, Installation.root().resolve("bin"), line));
    }

    private static Pod pod(String name) {
        return cluster.client().pods().inNamespace("runai-cvlab").withName(name).get();
    }

    private static void awaitStatus(String job, String status) {
        Eventually.when(
                job + " " + status,
                () ->
                        type("runai list jobs")
                                .out()
                                .matches("(?s).*\n" + job + " +" + status + " .*"));
    }

    @Test
    void aCommandRunsInAPodWithItsOutputAndExitCodeHere() {
        var run =
                type("fairlead -n 0 run --image lab/base sh -c 'echo from $FAIRLEAD_NODE; exit 3'");
        assertEquals(3, run.code());
        assertTrue(run.out().matches("from n[12]\n"), run.out());
    }

    @Test
    void r30r34TheLabsScriptMakesThePodThatItMadeOfOld() throws IOException {
        String script;
        try (var resource = KubernetesTest.class.getResourceAsStream("runai_one.sh")) {
            script = new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        }
        script = script.replace("MY_WORK_DIR=\n", "MY_WORK_DIR=/cvlabdata2/home/ann\n");
        script = script.replace("CLUSTER_USER=\n", "CLUSTER_USER=ann\n");
        script = script.replace("CLUSTER_USER_ID=\n", "CLUSTER_USER_ID=123456\n");
        Files.writeString(ann.resolve("runai_one.sh"), script);
        type("bash runai_one.sh ann-hello-2 0.5 'python hello_half.py'").expect(0);
        Eventually.when("the pod", () -> pod("ann-hello-2-0-0") != null);
        var container = pod("ann-hello-2-0-0").getSpec().getContainers().getFirst();
        assertEquals(
                List.of(
                        "/opt/lab/setup_and_run_command.sh",
                        "cd /cvlabdata2/home/ann && python hello_half.py"),
                container.getCommand());
        assertEquals("lab-python-ml:cuda10", container.getImage());
        Map<String, String> claims =
                pod("ann-hello-2-0-0").getSpec().getVolumes().stream()
                        .filter(volume -> volume.getPersistentVolumeClaim() != null)
                        .collect(
                                Collectors.toMap(
                                        volume -> path(container, volume.getName()),
                                        volume ->
                                                volume.getPersistentVolumeClaim().getClaimName()));
        assertEquals(
                Map.of(
                        "/cvlabdata1", "runai-pv-cvlabdata1",
                        "/cvlabdata2", "runai-pv-cvlabdata2",
                        "/cvlabsrc1", "runai-pv-cvlabsrc1"),
                claims);
        assertTrue(
                container.getVolumeMounts().stream()
                        .anyMatch(mount -> mount.getMountPath().equals("/dev/shm")));
        var visible =
                container.getEnv().stream()
                        .filter(each -> each.getName().equals("NVIDIA_VISIBLE_DEVICES"))
                        .findFirst()
                        .orElseThrow();
        assertTrue(visible.getValue().startsWith("GPU-"), "half of a reserved GPU");
        type("runai delete ann-hello-2").expect(0);
        Eventually.when("nothing is left", () -> pod("ann-hello-2-0-0") == null);
    }

    private static String path(Container container, String volume) {
        return container.getVolumeMounts().stream()
                .filter(mount -> mount.getName().equals(volume))
                .findFirst()
                .orElseThrow()
                .getMountPath();
    }

    @Test
    void r40r52AJobIsListedReadEnteredAndDeleted() {
        type("runai submit talk -i lab/base -e GREETING=hello --command -- sh -c 'echo $GREETING;"
                        + " sleep 600'")
                .expect(0);
        awaitStatus("talk", "Running");
        Eventually.when("its log", () -> type("runai logs talk").out().equals("hello\n"));
        assertEquals("hello\n", type("runai exec talk -- sh -c 'echo $GREETING'").expect(0).out());
        String described = type("runai describe job talk").expect(0).out();
        assertTrue(described.contains("runai-cvlab") && described.contains("talk-0-0"), described);
        var again = type("runai submit talk -i lab/base --command -- true");
        assertEquals(1, again.code());
        assertTrue(again.err().contains("already exists") && again.err().contains("runai delete"));
        type("runai delete talk").expect(0);
        Eventually.when("nothing is left", () -> pod("talk-0-0") == null);
    }

    @Test
    void aJobOfADrainedNodeGoesOnAnother() {
        String id =
                fairlead.submit(
                        "-n", "1", "submit", "--image", "lab/base", "sh", "-c", "sleep 600");
        Eventually.when("it runs", () -> !runsOn(id).isEmpty());
        String first = runsOn(id);
        cluster.drain(first);
        try {
            Eventually.when(
                    "it runs elsewhere", () -> !runsOn(id).isEmpty() && !runsOn(id).equals(first));
            assertTrue(fairlead.run("describe", id).out().contains("was drained"));
        } finally {
            cluster.client()
                    .nodes()
                    .withName(first)
                    .edit(
                            node ->
                                    node.edit()
                                            .editSpec()
                                            .withUnschedulable(false)
                                            .endSpec()
                                            .build());
            fairlead.run("abort", id).expect(0);
            fairlead.run("wait", id);
        }
    }

    /** The node of the job's pod; empty while it has none that runs. */
    private static String runsOn(String job) {
        return cluster.client().pods().inAnyNamespace().list().getItems().stream()
                .filter(pod -> job.equals(pod.getMetadata().getAnnotations().get("fairlead/job")))
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .filter(pod -> "Running".equals(pod.getStatus().getPhase()))
                .map(pod -> pod.getSpec().getNodeName())
                .findFirst()
                .orElse("");
    }

    @Test
    void anImageThatCannotBePulledIsToldWithTheRegistrysWords() {
        String id = fairlead.submit("-n", "0", "submit", "--image", "missing/torch:9", "true");
        Eventually.when(
                "the reason",
                () -> fairlead.run("why", id).out().contains("failed to resolve reference"));
        assertEquals(1, fairlead.run("wait", id).code());
        assertTrue(fairlead.run("logs", id).out().contains("missing/torch:9"));
    }

    @Test
    void aPodFileIsSubmittedAndAStrangersPodStandsInTheQueue() throws IOException {
        Files.writeString(
                ann.resolve("pod.yaml"),
                """
                apiVersion: v1
                kind: Pod
                metadata:
                  name: ann-example-test
                  labels: {user: ann, priority: "1"}
                spec:
                  restartPolicy: Never
                  containers:
                    - name: base-test
                      image: lab/base:cpu
                      command: ["sh", "-c", "echo $WORD; sleep 600 & wait"]
                      env: [{name: WORD, value: "from a file"}]
                      resources: {limits: {nvidia.com/gpu: 1}}
                """);
        String id = type("fairlead submit -f pod.yaml").expect(0).out().strip();
        Eventually.when("its log", () -> fairlead.run("logs", id).out().equals("from a file\n"));
        var stranger =
                new PodBuilder()
                        .withNewMetadata()
                        .withName("bob-by-hand")
                        .addToLabels(Map.of("user", "bob", "priority", "0-3"))
                        .endMetadata()
                        .withNewSpec()
                        .withNodeName("n2")
                        .withRestartPolicy("Never")
                        .addNewContainer()
                        .withName("main")
                        .withImage("lab/base")
                        .withCommand("sleep", "600")
                        .withNewResources()
                        .addToLimits("nvidia.com/gpu", new Quantity("1"))
                        .endResources()
                        .endContainer()
                        .endSpec()
                        .build();
        cluster.client().pods().inNamespace("default").resource(stranger).create();
        Eventually.when(
                "the queue shows both",
                () ->
                        fairlead.run("queue")
                                .out()
                                .matches(
                                        "(?s).*ann-example-test.* 1 +\\+1 +1st .*bob-by-hand"
                                                + " +bob.*-3 +1st .*|(?s).*bob-by-hand +bob.*-3"
                                                + " +1st.*ann-example-test.*\\+1 +1st .*"));
        assertFalse(fairlead.run("nodes").out().contains("4 of 4"));
        fairlead.run("abort", id).expect(0);
        fairlead.run("wait", id);
        cluster.client().pods().inNamespace("default").withName("bob-by-hand").delete();
    }

    @Test
    void aClusterThatIsAwayKeepsItsJobsQueued() throws Exception {
        cluster.front().orElseThrow().away();
        try {
            Eventually.when(
                    "it is noticed",
                    () -> fairlead.run("server", "status").out().contains("cannot be reached"));
            String id = fairlead.submit("-n", "0", "submit", "--image", "lab/base", "true");
            Eventually.when(
                    "the reason",
                    () -> fairlead.run("why", id).out().contains("lab cannot be reached"));
            assertTrue(fairlead.run("why", id).out().startsWith(id + ": queued"));
            assertFalse(
                    Files.readString(fairlead.home().resolve("logs/server.log")).contains("\tat "));
            cluster.front().orElseThrow().back();
            assertEquals(0, fairlead.run("wait", id).code());
        } finally {
            cluster.front().orElseThrow().back();
        }
    }
}
