package fairlead.engines.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import fairlead.testing.Eventually;
import fairlead.testing.Root;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What the test cluster must be for the engine's tests to mean something, mock or real. */
@Tag("cluster")
class TestClusterTest {
    @TempDir Path folder;
    private TestCluster cluster;
    private PodTrial pods;

    @BeforeEach
    void open() throws Exception {
        cluster = TestCluster.open(folder, TestNode.withGpus("node-a", 2));
        assumeTrue(
                cluster.kubelet().isPresent(),
                "this is about the test kubelet, and the nodes have real ones");
        pods = new PodTrial(cluster, "own");
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void aPodRunsAndItsExitCodeIsSeen() {
        pods.create(pods.shell("p", "echo hello; exit 3"));
        var end = pods.awaitEnd("p");
        assertEquals(3, end.getExitCode());
        assertEquals("Error", end.getReason());
        assertEquals("Failed", pods.pod("p").get().getStatus().getPhase());
        assertEquals("hello\n", pods.pod("p").getLog());
    }

    @Test
    void aLogIsFollowedWhileItIsWritten() throws Exception {
        pods.create(pods.shell("p", "echo one; until [ -e go ]; do sleep 0.05; done; echo two"));
        pods.awaitPhase("p", "Running");
        try (var watch = pods.pod("p").watchLog()) {
            var out = watch.getOutput();
            byte[] line = out.readNBytes(4);
            assertEquals("one\n", new String(line));
            cluster.kubelet()
                    .orElseThrow()
                    .life(pods.namespace(), "p")
                    .orElseThrow()
                    .process()
                    .orElseThrow()
                    .exec(List.of("touch", "go"), false);
            assertEquals("two\n", new String(out.readAllBytes()));
        }
        assertEquals("two\n", pods.pod("p").tailingLines(1).getLog());
        assertTrue(
                pods.pod("p").usingTimestamps().getLog().matches("(?s)\\d{4}-.*Z one\n.*Z two\n"));
    }

    @Test
    void aDeletedPodIsAskedFirstAndKilledAfterItsGrace() {
        pods.create(
                pods.shell("polite", "trap 'echo bye; exit 0' TERM; while :; do sleep 0.05; done"));
        pods.create(pods.shell("deaf", "trap '' TERM; echo deaf; while :; do sleep 0.05; done"));
        awaitLog("deaf", "deaf\n");
        pods.awaitPhase("polite", "Running");
        pods.pod("polite").withGracePeriod(600).delete();
        pods.pod("deaf").withGracePeriod(2).delete();
        Pod ending = pods.pod("deaf").get();
        assertEquals(2L, ending.getMetadata().getDeletionGracePeriodSeconds());
        Eventually.when(
                "both are gone",
                () -> pods.pod("deaf").get() == null && pods.pod("polite").get() == null);
        assertEquals(0, cluster.kubelet().orElseThrow().running());
    }

    @Test
    void aFinalizerHoldsAPodThatHasEnded() {
        var held = pods.shell("p", "sleep 600");
        held.getMetadata().setFinalizers(List.of("fairlead/seen"));
        pods.create(held);
        pods.awaitPhase("p", "Running");
        pods.pod("p").withGracePeriod(1).delete();
        assertEquals(143, pods.awaitEnd("p").getExitCode());
        Eventually.when(
                "its grace is over",
                () -> {
                    Long grace = pods.pod("p").get().getMetadata().getDeletionGracePeriodSeconds();
                    return grace != null && grace == 0;
                });
        pods.pod("p").edit(pod -> pod.edit().editMetadata().withFinalizers().endMetadata().build());
        Eventually.when("it is gone", () -> pods.pod("p").get() == null);
    }

    @Test
    void whatAPodOwnsGoesWithIt() {
        pods.create(pods.shell("owner", "sleep 600"));
        Pod owner = pods.pod("owner").get();
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
        cluster.client().secrets().inNamespace(pods.namespace()).resource(secret).create();
        pods.pod("owner").withGracePeriod(0).delete();
        Eventually.when(
                "the secret is gone",
                () ->
                        cluster.client()
                                        .secrets()
                                        .inNamespace(pods.namespace())
                                        .withName("owned")
                                        .get()
                                == null);
    }

    @Test
    void gpusAreHandedOutWholeAndOnce() {
        assumeTrue(cluster.kubelet().isPresent(), "real kubelets have the devices that they have");
        for (String name : List.of("a", "b", "c")) {
            pods.create(withGpu(pods.shell(name, "echo $NVIDIA_VISIBLE_DEVICES; sleep 600")));
        }
        Eventually.when(
                "two run",
                () ->
                        Stream.of("a", "b", "c")
                                        .map(name -> pods.pod(name).get().getStatus().getPhase())
                                        .filter("Running"::equals)
                                        .count()
                                == 2);
        var seen = new ArrayList<String>();
        for (String name : List.of("a", "b", "c")) {
            if ("Running".equals(pods.pod(name).get().getStatus().getPhase())) {
                Eventually.when("it has written", () -> !pods.pod(name).getLog().isEmpty());
                seen.add(pods.pod(name).getLog().strip());
            } else {
                Eventually.when(
                        "the third waits for a GPU",
                        () ->
                                pods.pod(name).get().getStatus().getConditions().stream()
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
        var pod = pods.shell("p", "true");
        pod.getSpec().getContainers().getFirst().setImage("missing/thing:1");
        pods.create(pod);
        Eventually.when("it is reported", () -> "ErrImagePull".equals(pods.waitingReason("p")));
        Eventually.when(
                "it waits to try again", () -> "ImagePullBackOff".equals(pods.waitingReason("p")));
    }

    @Test
    void namesAndNamespacesAreChecked() {
        var bad =
                assertThrows(
                        KubernetesClientException.class,
                        () -> pods.create(pods.shell("Not_A_Name", "true")));
        assertEquals(422, bad.getCode());
        var nowhere =
                assertThrows(
                        KubernetesClientException.class,
                        () ->
                                cluster.client()
                                        .pods()
                                        .inNamespace("nowhere-at-all")
                                        .resource(pods.shell("p", "true"))
                                        .create());
        assertEquals(404, nowhere.getCode());
        assertTrue(nowhere.getMessage().contains("namespaces \"nowhere-at-all\" not found"));
    }

    @Test
    void aChangeOfAnOldVersionIsAConflict() {
        pods.create(pods.shell("p", "sleep 600"));
        pods.awaitPhase("p", "Running");
        Pod old = pods.pod("p").get();
        pods.pod("p")
                .edit(
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

    @Test
    void aPodGetsItsVariablesFromASecretWhichMayComeLater() {
        var pod = pods.shell("p", "echo $TOKEN $NAME");
        pod =
                pod.edit()
                        .editSpec()
                        .editFirstContainer()
                        .addNewEnvFrom()
                        .withNewSecretRef("later", false)
                        .endEnvFrom()
                        .addNewEnv()
                        .withName("NAME")
                        .withValue("$(TOKEN)-too")
                        .endEnv()
                        .endContainer()
                        .endSpec()
                        .build();
        pods.create(pod);
        Eventually.when(
                "it is reported",
                () -> "CreateContainerConfigError".equals(pods.waitingReason("p")));
        var secret =
                new SecretBuilder()
                        .withNewMetadata()
                        .withName("later")
                        .endMetadata()
                        .addToStringData("TOKEN", "hush")
                        .build();
        cluster.client().secrets().inNamespace(pods.namespace()).resource(secret).create();
        assertEquals(0, pods.awaitEnd("p").getExitCode());
        assertEquals("hush hush-too\n", pods.pod("p").getLog());
    }

    @Test
    void foldersAreMountedWhereThePodSays() throws Exception {
        assumeTrue(cluster.kubelet().isPresent(), "the folder is on this machine");
        Root.neededToMount();
        Path data = Files.createDirectories(folder.resolve("data"));
        Files.writeString(data.resolve("in"), "within");
        var pod =
                pods.shell(
                                "p",
                                "cat in; echo out >out; echo x >/scratch/y; ls /scratch; touch"
                                        + " /ro/z || exit 9")
                        .edit()
                        .editSpec()
                        .editFirstContainer()
                        .withWorkingDir("/trial/data")
                        .addNewVolumeMount()
                        .withName("data")
                        .withMountPath("/trial/data")
                        .endVolumeMount()
                        .addNewVolumeMount()
                        .withName("data")
                        .withMountPath("/ro")
                        .withReadOnly(true)
                        .endVolumeMount()
                        .addNewVolumeMount()
                        .withName("scratch")
                        .withMountPath("/scratch")
                        .endVolumeMount()
                        .endContainer()
                        .addNewVolume()
                        .withName("data")
                        .withNewHostPath(data.toString(), "Directory")
                        .endVolume()
                        .addNewVolume()
                        .withName("scratch")
                        .withNewEmptyDir()
                        .endEmptyDir()
                        .endVolume()
                        .endSpec()
                        .build();
        pods.create(pod);
        assertEquals(9, pods.awaitEnd("p").getExitCode(), () -> pods.pod("p").getLog());
        assertTrue(pods.pod("p").getLog().startsWith("withiny\n"), pods.pod("p").getLog());
        assertEquals("out\n", Files.readString(data.resolve("out")));
        assertFalse(Files.exists(Path.of("/trial")));
    }

    @Test
    void aProgramThatDoesNotExistIsAStartError() {
        assumeTrue(cluster.kubelet().isPresent(), "runtimes have words of their own");
        pods.create(pods.command("p", "no-such-program"));
        var end = pods.awaitEnd("p");
        assertEquals("StartError", end.getReason());
        assertEquals(128, end.getExitCode());
        assertTrue(
                end.getMessage().contains("executable file not found in $PATH"), end.getMessage());
    }

    @Test
    void evictedAndKilledForMemoryAreToldApart() {
        assumeTrue(cluster.kubelet().isPresent(), "a real node does it when it must");
        for (String name : List.of("evicted", "greedy")) {
            pods.create(pods.shell(name, "sleep 600"));
            pods.awaitPhase(name, "Running");
        }
        cluster.kubelet().orElseThrow().evict(pods.namespace(), "evicted");
        cluster.kubelet().orElseThrow().killForMemory(pods.namespace(), "greedy");
        assertEquals("OOMKilled", pods.awaitEnd("greedy").getReason());
        Eventually.when(
                "it is evicted",
                () -> "Evicted".equals(pods.pod("evicted").get().getStatus().getReason()));
        assertEquals("Failed", pods.pod("evicted").get().getStatus().getPhase());
    }

    @Test
    void nothingThatAPodHasStartedOutlivesIt() {
        assumeTrue(cluster.kubelet().isPresent(), "real containers are not seen from here");
        pods.create(pods.shell("p", "setsid sleep 611 >/dev/null 2>&1 & exec sleep 612"));
        pods.awaitPhase("p", "Running");
        String uid = pods.pod("p").get().getMetadata().getUid();
        Eventually.when("both run", () -> processes(uid) == 2);
        pods.pod("p").withGracePeriod(1).delete();
        Eventually.when("it is gone", () -> pods.pod("p").get() == null);
        assertEquals(0, processes(uid));
    }

    private static long processes(String pod) {
        return ProcessHandle.allProcesses()
                .filter(
                        each -> {
                            Path environment = Path.of("/proc", each.pid() + "", "environ");
                            try {
                                return Files.readString(environment, ISO_8859_1)
                                        .contains(PodProcess.MARK + "=" + pod);
                            } catch (IOException _) {
                                // It has ended meanwhile.
                                return false;
                            }
                        })
                .count();
    }

    @Test
    void aPodOfALostNodeIsRemoved() {
        assumeTrue(cluster.front().isPresent(), "a real control plane takes minutes for it");
        pods.create(pods.shell("p", "sleep 600"));
        pods.awaitPhase("p", "Running");
        cluster.vanish(cluster.nodes().getFirst());
        Eventually.when("it is gone", () -> pods.pod("p").get() == null);
        assertEquals(0, cluster.kubelet().orElseThrow().running());
    }

    private void awaitLog(String name, String text) {
        pods.awaitPhase(name, "Running");
        Eventually.when(name + " writes", () -> pods.pod(name).getLog().equals(text));
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
