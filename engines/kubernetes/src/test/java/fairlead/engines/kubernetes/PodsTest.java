package fairlead.engines.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import fairlead.cluster.Guest;
import fairlead.cluster.Node;
import fairlead.job.Container;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.job.Share;
import fairlead.job.TaskId;
import fairlead.testing.Eventually;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** What the engine makes of jobs in the cluster, and what it sees of others there. */
@Tag("cluster")
class PodsTest extends PodCase {
    private static final Resources ONE_GPU = new Resources(1, 0, 0);
    private static final Resources NOTHING = new Resources(0, 0, 0);

    @Override
    TestCluster openCluster(TestNode... nodes) throws IOException {
        return TestCluster.open(folder, nodes);
    }

    @Test
    void aJobsWholeLifeTakesFiveCalls() throws Exception {
        assumeTrue(front != null, "nobody counts the calls to a real API server");
        Eventually.when("both watches are open", () -> front.openWatches() == 2);
        cluster.namespace("default");
        front.tally().reset();
        var spec =
                spec(
                        List.of(role(Role.MAIN, 1, NOTHING, "echo $TOKEN; sleep 3")),
                        Map.of("TOKEN", "s3cret"),
                        Container.NONE);
        var attempt = launch(effect(spec, node()));
        awaitExit(attempt);
        engine.stop(attempt, Duration.ZERO);
        engine.forget(attempt);
        engine.deleteLogs(attempt.job());
        Eventually.when("the pod is gone", () -> Pods.of(cluster, attempt).isEmpty());
        assertEquals(
                Map.of(
                        "create pods", 1L,
                        "create secrets", 1L,
                        "get pods/log", 1L,
                        "delete pods", 1L,
                        "patch pods", 1L),
                front.tally().byVerb());
    }

    @Test
    void tokensStandInASecretThatGoesWithThePodAndNotInThePod() throws Exception {
        var spec =
                spec(
                        List.of(role(Role.MAIN, 1, NOTHING, "echo $TOKEN")),
                        Map.of("TOKEN", "s3cret"),
                        Container.NONE);
        var attempt = launch(effect(spec, node()));
        awaitExit(attempt);
        assertEquals("s3cret\n", log(attempt));
        assertFalse(
                cluster.client()
                        .getKubernetesSerialization()
                        .asJson(pod(attempt))
                        .contains("s3cret"));
        var secret =
                cluster.client()
                        .secrets()
                        .inNamespace(cluster.namespace("default"))
                        .withName(Names.shared(attempt));
        assertTrue(secret.get() != null);
        engine.forget(attempt);
        Eventually.when("the secret is gone", () -> secret.get() == null);
    }

    @Test
    void whatLooksLikeAVariableOfKubernetesIsLeftAlone() throws Exception {
        var spec =
                spec(
                        List.of(
                                role(
                                        Role.MAIN,
                                        1,
                                        NOTHING,
                                        "test $$ -gt 1 && echo $(echo sub) '$(HOME)' $A '$$(B)'")),
                        Map.of("A", "$(HOME)"),
                        Container.NONE);
        var attempt = launch(effect(spec, node()));
        awaitExit(attempt);
        assertEquals("sub $(HOME) $(HOME) $$(B)\n", log(attempt));
    }

    @Test
    void claimsSharedMemoryAndAccountStandInThePod() throws Exception {
        var details =
                Container.Details.of(
                        edit -> {
                            edit.podName = Optional.of("seeded");
                            edit.shmBytes = 8L << 30;
                            edit.runAs =
                                    Optional.of(new Container.RunAs(1234, OptionalLong.of(11166)));
                            edit.pullPolicy = Optional.of(Container.PullPolicy.ALWAYS);
                            edit.pullSecrets = List.of("registry");
                            edit.service = Container.Service.NODE_PORT;
                            edit.stdin = true;
                            edit.tty = true;
                            edit.hostIpc = true;
                        });
        var mounts =
                List.of(
                        new Container.Mount(new Container.Claim("data"), "/data", true),
                        new Container.Mount(
                                new Container.NewClaim(Optional.of("fast"), 5L << 30),
                                "/scratch",
                                false));
        var container =
                new Container(
                        Optional.empty(),
                        mounts,
                        List.of(new Container.Port(30_088, 8888)),
                        details);
        var roles = List.of(role(Role.MAIN, 1, new Resources(0, 2, 1L << 30), FOREVER));
        var attempt = launch(effect(spec(roles, Map.of(), container), node()));
        Pod pod = pod(attempt);
        assertEquals("seeded", pod.getMetadata().getName());
        assertEquals("me", pod.getMetadata().getLabels().get("user"));
        assertEquals("3", pod.getMetadata().getLabels().get("priority"));
        var body = pod.getSpec();
        assertEquals("Never", body.getRestartPolicy());
        assertEquals(false, body.getAutomountServiceAccountToken());
        assertEquals(1234L, body.getSecurityContext().getRunAsUser());
        assertEquals(11166L, body.getSecurityContext().getRunAsGroup());
        assertEquals("registry", body.getImagePullSecrets().getFirst().getName());
        assertTrue(body.getHostIPC());
        var task = body.getContainers().getFirst();
        assertEquals("Always", task.getImagePullPolicy());
        assertTrue(task.getStdin() && task.getTty());
        assertEquals(8888, task.getPorts().getFirst().getContainerPort());
        assertEquals(new Quantity("2"), task.getResources().getLimits().get("cpu"));
        assertEquals(new Quantity("2"), task.getResources().getRequests().get("cpu"));
        assertEquals("1234", variable(pod, "CLUSTER_USER_ID"));
        assertEquals("11166", variable(pod, "CLUSTER_GROUP_ID"));
        assertEquals("me", variable(pod, "CLUSTER_USER"));
        assertEquals("void", variable(pod, Reservations.VISIBLE));
        assertEquals("data", body.getVolumes().get(0).getPersistentVolumeClaim().getClaimName());
        assertTrue(task.getVolumeMounts().get(0).getReadOnly());
        String made = body.getVolumes().get(1).getPersistentVolumeClaim().getClaimName();
        var claim =
                cluster.client()
                        .persistentVolumeClaims()
                        .inNamespace(cluster.namespace("default"))
                        .withName(made);
        assertEquals("fast", claim.get().getSpec().getStorageClassName());
        assertEquals("/dev/shm", task.getVolumeMounts().get(2).getMountPath());
        assertEquals("Memory", body.getVolumes().get(2).getEmptyDir().getMedium());
        var service =
                cluster.client()
                        .services()
                        .inNamespace(cluster.namespace("default"))
                        .withName(Names.ports(attempt));
        assertEquals(30_088, service.get().getSpec().getPorts().getFirst().getNodePort());
        engine.forget(attempt);
        engine.deleteLogs(attempt.job());
        Eventually.when("the claim is gone", () -> claim.get() == null);
        Eventually.when("the service is gone", () -> service.get() == null);
    }

    @Test
    void aJobThatBringsItsAccountGetsItUnchangedAndStartsAsTheImageSays() throws Exception {
        var details =
                Container.Details.of(
                        edit ->
                                edit.runAs =
                                        Optional.of(
                                                new Container.RunAs(1234, OptionalLong.empty())));
        var container = new Container(Optional.empty(), List.of(), List.of(), details);
        var roles = List.of(role(Role.MAIN, 1, NOTHING, "echo $CLUSTER_USER $CLUSTER_USER_ID"));
        var own = Map.of("CLUSTER_USER", "lis", "CLUSTER_USER_ID", "99");
        var attempt = launch(effect(spec(roles, own, container), node()));
        awaitExit(attempt);
        assertEquals("lis 99\n", log(attempt));
        var context = pod(attempt).getSpec().getSecurityContext();
        assertTrue(context == null || context.getRunAsUser() == null);
    }

    private static String variable(Pod pod, String name) {
        return pod.getSpec().getContainers().getFirst().getEnv().stream()
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .orElseThrow()
                .getValue();
    }

    @Test
    void aGangMeetsByNamesAndItsLaterPodsBelongToTheFirst() throws Exception {
        var roles =
                List.of(
                        role(
                                "worker",
                                3,
                                NOTHING,
                                "echo $RANK $MASTER_ADDR $MASTER_PORT; exit $RANK"));
        var attempt = launch(effect(spec(roles, Map.of(), Container.NONE), node()));
        for (int i = 0; i < 3; i++) {
            assertEquals(OptionalInt.of(i), awaitExit(attempt, new TaskId("worker", i)).code());
        }
        List<Pod> pods = Pods.of(cluster, attempt);
        String domain = pods.getFirst().getSpec().getSubdomain();
        String host = pods.getFirst().getSpec().getHostname();
        assertEquals(
                "2 " + host + "." + domain + " 29500\n", log(attempt, new TaskId("worker", 2)));
        var service =
                cluster.client()
                        .services()
                        .inNamespace(cluster.namespace("default"))
                        .withName(domain);
        assertEquals("None", service.get().getSpec().getClusterIP());
        assertTrue(service.get().getSpec().getPublishNotReadyAddresses());
        assertEquals(List.of(), pods.getFirst().getMetadata().getOwnerReferences());
        for (Pod pod : pods.subList(1, 3)) {
            assertEquals(
                    pods.getFirst().getMetadata().getUid(),
                    pod.getMetadata().getOwnerReferences().getFirst().getUid());
        }
        engine.forget(attempt);
        Eventually.when(
                "all is gone", () -> Pods.of(cluster, attempt).isEmpty() && service.get() == null);
    }

    @Test
    void laterAttemptsHaveNamesOfTheirOwn() throws Exception {
        var first = effect(spec("true"), node());
        var second = effect(first.job().id(), 2, first.job().spec(), node());
        awaitExit(launch(first));
        awaitExit(launch(second));
        String base = pod(first.attempt()).getMetadata().getName();
        assertEquals(base + "-a2", pod(second.attempt()).getMetadata().getName());
    }

    private String node() {
        return cluster.nodes().getFirst();
    }

    private Node first() throws Exception {
        return engine.nodes().stream()
                .filter(each -> each.name().equals(node()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void wholeGpusAreTheClustersOwnAndNoTwoTasksHaveTheSame() throws Exception {
        var roles =
                List.of(role(Role.MAIN, 1, ONE_GPU, "echo $NVIDIA_VISIBLE_DEVICES; " + FOREVER));
        var spec = spec(roles, Map.of(), Container.NONE);
        var one = launch(effect(spec, node(), Share.whole(0)));
        var other = launch(effect(spec, node(), Share.whole(1)));
        Eventually.when("both write", () -> !log(one).isEmpty() && !log(other).isEmpty());
        if (cluster.hasDevices()) assertNotEquals(log(one), log(other));
        // Half of what goes with one of the node's two GPUs.
        for (var attempt : List.of(one, other)) {
            var asked = pod(attempt).getSpec().getContainers().getFirst().getResources();
            if (front != null) {
                assertEquals(new Quantity("16.000"), asked.getRequests().get("cpu"));
                assertEquals(new Quantity("68719476736"), asked.getRequests().get("memory"));
            }
            assertEquals(List.of(TaskPods.GPU), List.copyOf(asked.getLimits().keySet()));
        }
        assertEquals(2, first().gpus().size());
    }

    @Test
    void aPodHasWhatItsJobWantsBesides() throws Exception {
        String template =
                """
                {"metadata": {"labels": {"team": "vision"}},
                 "spec": {
                   "volumes": [{"name": "code", "emptyDir": {}}],
                   "initContainers": [{"name": "fetch", "image": "%s",
                     "command": ["sh", "-c", "echo from before > /tmp/code-%s"]}],
                   "containers": [{"name": "task", "env": [{"name": "NODE",
                     "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}}]}]}}
                """
                        .formatted(cluster.image(), folder.getFileName());
        var details = Container.Details.of(edit -> edit.pod = Optional.of(template));
        var container = new Container(Optional.empty(), List.of(), List.of(), details);
        var roles = List.of(role(Role.MAIN, 1, NOTHING, "echo on $NODE"));
        var attempt = launch(effect(spec(roles, Map.of(), container), node()));
        assertEquals(OptionalInt.of(0), awaitExit(attempt).code());
        assertEquals("on " + node() + "\n", log(attempt));
        assertEquals("vision", pod(attempt).getMetadata().getLabels().get("team"));
        assertEquals(1, pod(attempt).getSpec().getInitContainers().size());
    }

    @Test
    void podsOfOthersCountAsUsedAndThoseWithAUserAreGuests() throws Exception {
        var before = first();
        assertEquals(64, before.cpus());
        assertEquals("NVIDIA-A100-SXM4-40GB", before.gpus().getFirst().type());
        assertEquals(40L << 30, before.gpus().getFirst().memoryBytes());
        var other =
                new PodBuilder()
                        .withNewMetadata()
                        .withNamespace(cluster.namespace("theirs"))
                        .withName("theirs")
                        .addToLabels("user", "kris")
                        .addToLabels("priority", "0-3")
                        .endMetadata()
                        .withNewSpec()
                        .withAffinity(Placing.on(node()))
                        .withRestartPolicy("Never")
                        .withTolerations(TaskPods.tolerations(settings(), Optional.empty()))
                        .addNewContainer()
                        .withName("c")
                        .withImage(cluster.image())
                        .withCommand("sleep", "600")
                        .withNewResources()
                        .addToLimits("nvidia.com/gpu", new Quantity("1"))
                        .addToLimits("cpu", new Quantity("1500m"))
                        .addToLimits("memory", new Quantity("256Mi"))
                        .endResources()
                        .endContainer()
                        .endSpec()
                        .build();
        cluster.client().resource(other).create();
        Eventually.when("one GPU is used", () -> first().gpus().size() == 1);
        assertEquals(0, first().gpus().getFirst().index());
        assertTrue(first().cpus() < before.cpus(), "1.5 CPUs are used");
        assertEquals(before.memoryBytes() - (256L << 20), first().memoryBytes());
        Eventually.when("it runs", () -> engine.guests().getFirst().status().equals("Running"));
        Guest guest = engine.guests().getFirst();
        assertEquals(
                List.of("theirs", cluster.namespace("theirs"), "kris", "-3", "1", node()),
                List.of(
                        guest.name(),
                        guest.namespace(),
                        guest.owner(),
                        "" + guest.priority(),
                        "" + guest.gpus(),
                        guest.node().orElseThrow()));
        cluster.client().resource(other).withGracePeriod(0).delete();
        Eventually.when("it is free again", () -> first().gpus().size() == 2);
        assertEquals(List.of(), engine.guests());
    }

    @Test
    void ourOwnPodsAreNoGuestsAndDoNotCount() throws Exception {
        var roles =
                List.of(role(Role.MAIN, 1, new Resources(1, 1, 1L << 28), "echo up; " + FOREVER));
        Node before = first();
        var attempt = launch(effect(spec(roles, Map.of(), Container.NONE), node(), Share.whole(1)));
        Eventually.when("it runs", () -> log(attempt).contains("up"));
        assertEquals(2, first().gpus().size());
        assertEquals(before, first());
        assertEquals(List.of(), engine.guests());
    }

    @Test
    void aPodThatWasForgottenIsNotTakenUpAgain() throws Exception {
        var attempt = launch("trap '' TERM; while :; do sleep 0.05; done");
        Eventually.when("it runs", () -> seen(attempt).orElseThrow().running());
        engine.forget(attempt);
        reopen();
        assertEquals(List.of(), engine.observe());
        Eventually.when("it is gone", () -> Pods.of(cluster, attempt).isEmpty());
    }

    @Test
    void podsAreTakenUpByTheirMarksWhenTheHomeHasLostThem() throws Exception {
        var attempt = launch("echo here; " + FOREVER);
        Eventually.when("it writes", () -> log(attempt).contains("here"));
        engine.close();
        try (var files = Files.newDirectoryStream(folder.resolve("home/live"))) {
            for (var file : files) Files.delete(file);
        }
        engine = KubernetesEngine.open(settings());
        assertTrue(seen(attempt).orElseThrow().running());
        assertEquals("here\n", log(attempt));
    }

    @Test
    void namesThatAreNoDnsNamesAreMadeSo() {
        var spec = effect(spec("true"), node()).job().spec();
        assertEquals("fairlead-a-b", Names.namespace("fairlead-{project}", "A_b"));
        assertTrue(engine.refuses(spec.inProject("x".repeat(63))).orElseThrow().contains("DNS"));
        assertEquals(Optional.empty(), engine.refuses(spec));
    }
}
