package fairlead.engines.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.PodResource;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** What the test cluster must be for the engine's tests to mean something, mock or real. */
class TestClusterTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir Path folder;
    private TestCluster cluster;
    private String namespace;

    @BeforeEach
    void open() throws Exception {
        cluster = TestCluster.mock(folder, TestNode.withGpus("node-a", 2));
        namespace = cluster.namespace("own");
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void aPodRunsAndItsExitCodeIsSeen() {
        create(shell("p", "echo hello; exit 3"));
        var end = awaitEnd("p");
        assertEquals(3, end.getExitCode());
        assertEquals("Error", end.getReason());
        assertEquals("Failed", pod("p").get().getStatus().getPhase());
        assertEquals("hello\n", pod("p").getLog());
    }

    @Test
    void aLogIsFollowedWhileItIsWritten() throws Exception {
        create(shell("p", "echo one; until [ -e go ]; do sleep 0.05; done; echo two"));
        awaitPhase("p", "Running");
        try (var watch = pod("p").watchLog()) {
            var out = watch.getOutput();
            byte[] line = out.readNBytes(4);
            assertEquals("one\n", new String(line));
            cluster.kubelet()
                    .orElseThrow()
                    .life(namespace, "p")
                    .orElseThrow()
                    .process()
                    .orElseThrow()
                    .exec(List.of("touch", "go"), false);
            assertEquals("two\n", new String(out.readAllBytes()));
        }
        assertEquals("two\n", pod("p").tailingLines(1).getLog());
        assertTrue(pod("p").usingTimestamps().getLog().matches("(?s)\\d{4}-.*Z one\n.*Z two\n"));
    }

    @Test
    void aDeletedPodIsAskedFirstAndKilledAfterItsGrace() {
        create(shell("polite", "trap 'echo bye; exit 0' TERM; while :; do sleep 0.05; done"));
        create(shell("deaf", "trap '' TERM; echo deaf; while :; do sleep 0.05; done"));
        awaitLog("deaf", "deaf\n");
        awaitPhase("polite", "Running");
        pod("polite").withGracePeriod(600).delete();
        pod("deaf").withGracePeriod(2).delete();
        Pod ending = pod("deaf").get();
        assertEquals(2L, ending.getMetadata().getDeletionGracePeriodSeconds());
        await("both are gone", () -> pod("deaf").get() == null && pod("polite").get() == null);
        assertEquals(0, cluster.kubelet().orElseThrow().running());
    }

    @Test
    void aFinalizerHoldsAPodThatHasEnded() {
        var held = shell("p", "sleep 600");
        held.getMetadata().setFinalizers(List.of("fairlead/seen"));
        create(held);
        awaitPhase("p", "Running");
        pod("p").withGracePeriod(1).delete();
        assertEquals(143, awaitEnd("p").getExitCode());
        await(
                "its grace is over",
                () -> {
                    Long grace = pod("p").get().getMetadata().getDeletionGracePeriodSeconds();
                    return grace != null && grace == 0;
                });
        pod("p").edit(pod -> pod.edit().editMetadata().withFinalizers().endMetadata().build());
        await("it is gone", () -> pod("p").get() == null);
    }

    @Test
    void whatAPodOwnsGoesWithIt() {
        create(shell("owner", "sleep 600"));
        Pod owner = pod("owner").get();
        var secret =
                new SecretBuilder()
                        .withNewMetadata()
                        .withName("owned")
                        .addNewOwnerReference()
                        .withApiVersion("v1")
                        .withKind("Pod")
                        .withName("owner")
                        .withUid(owner.getMetadata().getUid())
                        .endOwnerReference()
                        .endMetadata()
                        .build();
        cluster.client().secrets().inNamespace(namespace).resource(secret).create();
        pod("owner").withGracePeriod(0).delete();
        await(
                "the secret is gone",
                () ->
                        cluster.client().secrets().inNamespace(namespace).withName("owned").get()
                                == null);
    }

    @Test
    void gpusAreHandedOutWholeAndOnce() {
        assumeTrue(cluster.kubelet().isPresent(), "real kubelets have the devices that they have");
        for (String name : List.of("a", "b", "c")) {
            create(withGpu(shell(name, "echo $NVIDIA_VISIBLE_DEVICES; sleep 600")));
        }
        await(
                "two run",
                () ->
                        Stream.of("a", "b", "c")
                                        .map(name -> pod(name).get().getStatus().getPhase())
                                        .filter("Running"::equals)
                                        .count()
                                == 2);
        var seen = new ArrayList<String>();
        for (String name : List.of("a", "b", "c")) {
            if ("Running".equals(pod(name).get().getStatus().getPhase())) {
                await("it has written", () -> !pod(name).getLog().isEmpty());
                seen.add(pod(name).getLog().strip());
            } else {
                await(
                        "the third waits for a GPU",
                        () ->
                                pod(name).get().getStatus().getConditions().stream()
                                        .anyMatch(
                                                each ->
                                                        each.getMessage() != null
                                                                && each.getMessage()
                                                                        .contains(
                                                                                "Insufficient"
                                                                                    + " nvidia.com/gpu")));
            }
        }
        assertEquals(2, seen.stream().distinct().count(), seen.toString());
        assertTrue(seen.stream().allMatch(each -> each.startsWith("GPU-")), seen.toString());
    }

    @Test
    void anImageThatCannotBePulledIsTold() {
        assumeTrue(cluster.kubelet().isPresent(), "real kubelets ask real registries");
        var pod = shell("p", "true");
        pod.getSpec().getContainers().getFirst().setImage("missing/thing:1");
        create(pod);
        await(
                "it is told",
                () -> {
                    var states = pod("p").get().getStatus().getContainerStatuses();
                    if (states.isEmpty() || states.getFirst().getState().getWaiting() == null) {
                        return false;
                    }
                    return "ErrImagePull"
                            .equals(states.getFirst().getState().getWaiting().getReason());
                });
    }

    @Test
    void namesAndNamespacesAreChecked() {
        var bad =
                assertThrows(
                        KubernetesClientException.class, () -> create(shell("Not_A_Name", "true")));
        assertEquals(422, bad.getCode());
        namespace = "nowhere-at-all";
        var nowhere =
                assertThrows(KubernetesClientException.class, () -> create(shell("p", "true")));
        assertEquals(404, nowhere.getCode());
        assertTrue(nowhere.getMessage().contains("namespaces \"nowhere-at-all\" not found"));
    }

    @Test
    void aChangeOfAnOldVersionIsAConflict() {
        create(shell("p", "sleep 600"));
        awaitPhase("p", "Running");
        Pod old = pod("p").get();
        pod("p").edit(
                        each ->
                                each.edit()
                                        .editMetadata()
                                        .addToLabels("a", "b")
                                        .endMetadata()
                                        .build());
        old.getMetadata().getAnnotations().put("c", "d");
        var refused =
                assertThrows(
                        KubernetesClientException.class,
                        () -> cluster.client().resource(old).update());
        assertEquals(409, refused.getCode());
    }

    static void await(String what, BooleanSupplier condition) {
        Instant end = Instant.now().plus(PATIENCE);
        while (!condition.getAsBoolean()) {
            assertTrue(Instant.now().isBefore(end), "in vain: " + what);
            LockSupport.parkNanos(10_000_000);
        }
    }

    private PodResource pod(String name) {
        return cluster.client().pods().inNamespace(namespace).withName(name);
    }

    private void create(Pod pod) {
        cluster.client().pods().inNamespace(namespace).resource(pod).create();
    }

    private void awaitPhase(String name, String phase) {
        await(name + " is " + phase, () -> phase.equals(pod(name).get().getStatus().getPhase()));
    }

    private void awaitLog(String name, String text) {
        awaitPhase(name, "Running");
        await(name + " writes", () -> pod(name).getLog().equals(text));
    }

    private ContainerStateTerminated awaitEnd(String name) {
        await(
                name + " ends",
                () -> {
                    var states = pod(name).get().getStatus().getContainerStatuses();
                    return !states.isEmpty()
                            && states.getFirst().getState().getTerminated() != null;
                });
        return pod(name)
                .get()
                .getStatus()
                .getContainerStatuses()
                .getFirst()
                .getState()
                .getTerminated();
    }

    private Pod shell(String name, String script) {
        var builder =
                new PodBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withNewSpec()
                        .withRestartPolicy("Never")
                        .addNewContainer()
                        .withName("main")
                        .withImage(cluster.image())
                        .withCommand("sh", "-c", script)
                        .endContainer();
        for (String each : cluster.tolerations()) {
            String[] parts = each.split(":");
            builder.addNewToleration()
                    .withKey(parts[0])
                    .withOperator("Exists")
                    .withEffect(parts[1])
                    .endToleration();
        }
        return builder.endSpec().build();
    }

    private static Pod withGpu(Pod pod) {
        return pod.edit()
                .editSpec()
                .editFirstContainer()
                .withNewResources()
                .addToLimits("nvidia.com/gpu", new Quantity("1"))
                .endResources()
                .endContainer()
                .endSpec()
                .build();
    }
}
