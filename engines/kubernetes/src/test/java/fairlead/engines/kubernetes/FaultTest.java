package fairlead.engines.kubernetes;

import static fairlead.engines.kubernetes.Faults.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.engine.EngineException;
import fairlead.job.Container;
import fairlead.job.JobSpec;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.job.TaskId;
import fairlead.testing.Eventually;

import io.fabric8.kubernetes.api.model.PodBuilder;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What becomes of tasks when the cluster, or somebody in it, does what nobody has asked for. Each
 * test has a cluster of its own and mostly waits, so some run at once.
 */
@Execution(ExecutionMode.CONCURRENT)
class FaultTest extends PodCase {
    private static final Duration GRACE = Duration.ofSeconds(20);

    @Test
    void aLostWatchIsRenewedAndMissesNothing() throws Exception {
        var attempt =
                launchAndAwait(
                        "echo ready; until [ -e " + go() + " ]; do sleep 0.05; done; exit 4",
                        "ready");
        front.cutWatches();
        launchAndAwait("touch " + go() + "; echo done", "done");
        assertEquals(OptionalInt.of(4), awaitExit(attempt).code());
    }

    private String go() {
        return folder.resolve("go").toString();
    }

    @Test
    void aClusterThatIsAwayIsToldInOneLineAndItsPodsGoOn() throws Exception {
        var attempt =
                launchAndAwait(
                        "echo ready; until [ -e " + go() + " ]; do sleep 0.05; done; exit 4",
                        "ready");
        front.away();
        var unseen = new EngineException[1];
        Eventually.when(
                "the outage is noticed",
                () -> {
                    try {
                        engine.observe();
                        return false;
                    } catch (EngineException e) {
                        unseen[0] = e;
                        return true;
                    }
                });
        String line = unseen[0].getMessage();
        assertTrue(
                line.startsWith("the cluster lab cannot be reached: connection refused (http"),
                line);
        assertEquals(1, line.lines().count());
        assertThrows(EngineException.class, engine::nodes);
        assertThrows(EngineException.class, () -> launch("true"));
        assertThrows(EngineException.class, () -> engine.forget(attempt));
        front.back();
        Eventually.when(
                "it is seen again",
                () -> {
                    try {
                        return seen(attempt).isPresent();
                    } catch (EngineException _) {
                        return false;
                    }
                });
        assertEquals(Map.of(), seen(attempt).orElseThrow().exits());
        launchAndAwait("touch " + go() + "; echo done", "done");
        assertEquals(OptionalInt.of(4), awaitExit(attempt).code());
    }

    @Test
    void anEngineOpensWhileItsClusterIsAwayAndTakesUpItsPodsLater() throws Exception {
        var attempt = launchAndAwait("echo ready; " + FOREVER, "ready");
        engine.close();
        front.away();
        engine = KubernetesEngine.open(settings());
        assertThrows(EngineException.class, engine::observe);
        front.back();
        Eventually.when(
                "its pod is seen",
                () -> {
                    try {
                        return seen(attempt).orElseThrow().running();
                    } catch (EngineException _) {
                        return false;
                    }
                });
        assertEquals(Map.of(), seen(attempt).orElseThrow().exits());
    }

    @Test
    void aStopWhileTheClusterIsAwayIsCarriedOutLater() throws Exception {
        var attempt =
                launchAndAwait(
                        "trap 'exit 9' TERM; echo ready; while :; do sleep 0.05; done", "ready");
        front.away();
        assertThrows(EngineException.class, () -> engine.stop(attempt, GRACE));
        front.back();
        Eventually.when(
                "it ends",
                () -> {
                    try {
                        return !seen(attempt).orElseThrow().exits().isEmpty();
                    } catch (EngineException _) {
                        return false;
                    }
                });
        var exit = awaitExit(attempt);
        assertEquals(OptionalInt.of(9), exit.code());
        assertTrue(exit.stopped());
    }

    @Test
    void aBusyApiServerIsAskedAgain() throws Exception {
        front.faults().next(2, calls("create", "pods"), Faults.tooMany(1));
        front.faults().next(1, calls("create", "pods"), Faults.broken());
        assertEquals(OptionalInt.of(0), awaitExit(launch("true")).code());
        assertEquals(0, front.faults().left());
    }

    @Test
    void aLostAnswerDoesNotRunATaskTwice() throws Exception {
        front.faults().next(1, calls("create", "pods"), Faults.lostAnswer());
        var launch = effect(spec("echo once"), NODE);
        try {
            engine.launch(launch);
        } catch (EngineException _) {
            engine.launch(launch);
        }
        awaitExit(launch.attempt());
        assertEquals("once\n", log(launch.attempt()));
        assertEquals(1, Pods.of(cluster, launch.attempt()).size());
    }

    @Test
    void aNameInUseIsToldWithTheWayToFreeIt() throws Exception {
        var named = named("mine");
        var other =
                new PodBuilder()
                        .withNewMetadata()
                        .withNamespace(cluster.namespace("default"))
                        .withName("mine")
                        .endMetadata()
                        .withNewSpec()
                        .addNewContainer()
                        .withName("c")
                        .withImage(cluster.image())
                        .withCommand("sleep", "600")
                        .endContainer()
                        .endSpec()
                        .build();
        cluster.client().resource(other).create();
        var launch = effect(named, NODE);
        var refusal = assertThrows(EngineException.class, () -> engine.launch(launch));
        assertTrue(
                refusal.getMessage().contains("kubectl delete pod mine -n fairlead-default"),
                refusal.getMessage());
        cluster.client().resource(other).withGracePeriod(0).delete();
        Eventually.when("the name is free", () -> cluster.client().resource(other).get() == null);
        engine.launch(launch);
        assertEquals(OptionalInt.of(0), awaitExit(launch.attempt()).code());
        assertEquals("mine", pod(launch.attempt()).getMetadata().getName());
    }

    private static JobSpec named(String pod) {
        var details = Container.Details.of(edit -> edit.podName = Optional.of(pod));
        return spec(
                List.of(role(Role.MAIN, 1, new Resources(0, 0, 0), "true")),
                Map.of(),
                new Container(Optional.empty(), List.of(), List.of(), details));
    }

    @Test
    void aTaskOnADrainedNodeIsLost() throws Exception {
        var attempt = launchAndAwait("echo ready; " + FOREVER, "ready");
        cluster.drain(NODE);
        var exit = awaitExit(attempt);
        assertTrue(exit.isLost());
        assertFalse(exit.stopped());
        assertEquals("its node node-a was drained", exit.note());
        assertFalse(engine.nodes().getFirst().ready());
        assertTrue(engine.nodes().getLast().ready());
    }

    @Test
    void aTaskOnADeletedNodeIsLostAndItsPodGoes() throws Exception {
        var attempt = launchAndAwait("echo ready; " + FOREVER, "ready");
        cluster.vanish(NODE);
        var exit = awaitExit(attempt);
        assertTrue(exit.isLost());
        assertEquals("its node node-a is gone", exit.note());
        assertEquals(List.of(OTHER), engine.nodes().stream().map(node -> node.name()).toList());
        engine.forget(attempt);
        Eventually.when("its pod is gone", () -> Pods.of(cluster, attempt).isEmpty());
        assertTrue(log(attempt).startsWith("ready\n"), log(attempt));
    }

    @Test
    void aTaskOnANodeThatIsCutOffRunsOnUntilTheClusterGivesItUp() throws Exception {
        var attempt = launchAndAwait("echo ready; " + FOREVER, "ready");
        cluster.cutOff(NODE);
        Eventually.when("the node is not ready", () -> !engine.nodes().getFirst().ready());
        assertEquals(Map.of(), seen(attempt).orElseThrow().exits());
        cluster.client().resource(pod(attempt)).delete();
        var exit = awaitExit(attempt);
        assertTrue(exit.isLost());
        assertEquals("its node node-a does not answer", exit.note());
        Eventually.when(
                "its pod is deleted by force",
                () -> pod(attempt).getMetadata().getDeletionGracePeriodSeconds() == 0);
    }

    @Test
    void aClaimThatIsMissingEndsTheTaskWhenThePatienceIsOver() throws Exception {
        var mount = new Container.Mount(new Container.Claim("no-such"), "/data", false);
        var container = new Container(Optional.empty(), List.of(mount), List.of());
        var roles = List.of(role(Role.MAIN, 1, new Resources(0, 0, 0), "true"));
        var exit = awaitExit(launch(effect(spec(roles, Map.of(), container), NODE)));
        assertEquals(OptionalInt.of(125), exit.code());
        assertTrue(exit.note().contains("\"no-such\" not found"), exit.note());
    }

    @Test
    void aCommandThatIsNotFoundHasTheCodeOfAShell() throws Exception {
        var words =
                new Role(
                        Role.MAIN,
                        1,
                        List.of("pyhton3", "train.py"),
                        new Resources(0, 0, 0),
                        OptionalInt.empty(),
                        OptionalInt.empty());
        var exit = awaitExit(launch(effect(spec(List.of(words), Map.of(), Container.NONE), NODE)));
        assertEquals(OptionalInt.of(127), exit.code());
        assertTrue(exit.note().contains("pyhton3"), exit.note());
    }

    @Test
    void anEvictedTaskIsLostWithTheNodesReason() throws Exception {
        var attempt = launchAndAwait("echo ready; " + FOREVER, "ready");
        var meta = pod(attempt).getMetadata();
        cluster.kubelet().orElseThrow().evict(meta.getNamespace(), meta.getName());
        var exit = awaitExit(attempt);
        assertTrue(exit.isLost());
        assertTrue(exit.note().contains("The node was low on resource: memory"), exit.note());
    }

    @Test
    void aTaskKilledForItsMemoryHasItsCodeAndTheLimitInItsNote() throws Exception {
        var roles =
                List.of(
                        role(
                                Role.MAIN,
                                1,
                                new Resources(0, 0, 1L << 30),
                                "echo ready; " + FOREVER));
        var attempt = launch(effect(spec(roles, Map.of(), Container.NONE), NODE));
        Eventually.when("it runs", () -> log(attempt).contains("ready"));
        var meta = pod(attempt).getMetadata();
        cluster.kubelet().orElseThrow().killForMemory(meta.getNamespace(), meta.getName());
        var exit = awaitExit(attempt);
        assertEquals(OptionalInt.of(137), exit.code());
        assertEquals(
                "it was killed because it needed more than its memory of 1073741824", exit.note());
    }

    @Test
    void anImageThatCannotBeFetchedIsToldAtOnceAndEndsTheTaskLater() throws Exception {
        var container = new Container(Optional.of("missing/image:1"), List.of(), List.of());
        var roles = List.of(role(Role.MAIN, 1, new Resources(0, 0, 0), "true"));
        var attempt = launch(effect(spec(roles, Map.of(), container), NODE));
        Eventually.when(
                "the trouble is reported", () -> seen(attempt).orElseThrow().trouble().isPresent());
        String trouble = seen(attempt).orElseThrow().trouble().orElseThrow();
        assertTrue(trouble.contains("missing/image:1"), trouble);
        assertTrue(trouble.startsWith("ErrImagePull"), trouble);
        assertFalse(seen(attempt).orElseThrow().running());
        var exit = awaitExit(attempt);
        assertEquals(OptionalInt.of(125), exit.code());
        // Also when the kubelet only paused at last: the registry's words are kept.
        assertEquals(trouble, exit.note());
        assertTrue(log(attempt).contains("missing/image:1"), log(attempt));
    }

    @Test
    void anImageNameThatIsNoneEndsTheTaskAtOnce() throws Exception {
        var container = new Container(Optional.of("Not An Image"), List.of(), List.of());
        var roles = List.of(role(Role.MAIN, 1, new Resources(0, 0, 0), "true"));
        var attempt = launch(effect(spec(roles, Map.of(), container), NODE));
        var exit = awaitExit(attempt);
        assertEquals(OptionalInt.of(125), exit.code());
        assertTrue(exit.note().startsWith("InvalidImageName"), exit.note());
    }

    @Test
    void aTaskThatDoesNotFitIsToldAndLostLater() throws Exception {
        var roles = List.of(role(Role.MAIN, 1, new Resources(0, 65, 0), "true"));
        var attempt = launch(effect(spec(roles, Map.of(), Container.NONE), NODE));
        Eventually.when(
                "the trouble is reported", () -> seen(attempt).orElseThrow().trouble().isPresent());
        String trouble = seen(attempt).orElseThrow().trouble().orElseThrow();
        assertTrue(trouble.startsWith("Unschedulable: "), trouble);
        assertTrue(awaitExit(attempt).isLost());
    }

    @Test
    void aTaskBesideAnInjectedContainerHasItsOwnCodeAndTheOtherIsEnded() throws Exception {
        cluster.client()
                .namespaces()
                .withName(cluster.namespace("default"))
                .edit(
                        each ->
                                each.edit()
                                        .editMetadata()
                                        .addToLabels(TestAdmission.INJECTION, "enabled")
                                        .endMetadata()
                                        .build());
        var attempt = launch("echo mine; exit 3");
        assertEquals(OptionalInt.of(3), awaitExit(attempt).code());
        assertEquals(2, pod(attempt).getSpec().getContainers().size());
        assertEquals("mine\n", log(attempt));
        Eventually.when("the pod has ended", () -> Capacity.isEnded(pod(attempt)));
        assertEquals(OptionalInt.of(3), awaitExit(attempt).code());
        engine.forget(attempt);
        Eventually.when("it is gone", () -> Pods.of(cluster, attempt).isEmpty());
    }

    @Test
    void aPodDeletedByHandIsLostWhateverItsCode() throws Exception {
        var attempt =
                launchAndAwait(
                        "trap 'exit 0' TERM; echo ready; while :; do sleep 0.05; done", "ready");
        cluster.client().resource(pod(attempt)).delete();
        var exit = awaitExit(attempt);
        assertTrue(exit.isLost());
        assertTrue(exit.note().startsWith("somebody else deleted its pod train-"), exit.note());
    }

    @Test
    void aPodDeletedAfterItsEndKeepsItsCode() throws Exception {
        var attempt = launch("exit 6");
        Instant over = awaitExit(attempt).at();
        engine.close();
        // The exit is reported again, from the pod alone.
        Files.delete(folder.resolve("home/attempts/" + attempt.job() + "/1.exits"));
        Eventually.when(
                "clocks agree on the order", () -> Instant.now().isAfter(over.plusSeconds(4)));
        cluster.client().resource(pod(attempt)).delete();
        engine = KubernetesEngine.open(settings());
        assertEquals(OptionalInt.of(6), awaitExit(attempt).code());
    }

    @Test
    void aPodRemovedWithItsFinalizerIsLostButItsSiblingIsNot() throws Exception {
        var roles = List.of(role("worker", 2, new Resources(0, 0, 0), "echo ready; " + FOREVER));
        var attempt = launch(effect(spec(roles, Map.of(), Container.NONE), NODE));
        Eventually.when("both run", () -> seen(attempt).orElseThrow().running());
        var last = Pods.of(cluster, attempt).getLast();
        cluster.client()
                .resource(last)
                .edit(
                        pod ->
                                new PodBuilder(pod)
                                        .editMetadata()
                                        .withFinalizers()
                                        .endMetadata()
                                        .build());
        cluster.client().resource(last).withGracePeriod(0).delete();
        assertTrue(awaitExit(attempt, new TaskId("worker", 1)).isLost());
        assertEquals(1, seen(attempt).orElseThrow().exits().size());
    }

    @Test
    void aFinalizerThatSomebodyElseHasMovedIsFound() throws Exception {
        var attempt = launch("true");
        awaitExit(attempt);
        cluster.client()
                .resource(pod(attempt))
                .edit(
                        pod ->
                                new PodBuilder(pod)
                                        .editMetadata()
                                        .withFinalizers("example.com/first", Marks.FINALIZER)
                                        .endMetadata()
                                        .build());
        engine.forget(attempt);
        Eventually.when(
                "ours is gone",
                () ->
                        pod(attempt)
                                .getMetadata()
                                .getFinalizers()
                                .equals(List.of("example.com/first")));
        cluster.client()
                .resource(pod(attempt))
                .edit(
                        pod ->
                                new PodBuilder(pod)
                                        .editMetadata()
                                        .withFinalizers()
                                        .endMetadata()
                                        .build());
        Eventually.when("the pod is gone", () -> Pods.of(cluster, attempt).isEmpty());
    }

    @Test
    void logsAreKeptAfterThePodIsGoneAndOverABrokenStream() throws Exception {
        var attempt =
                launchAndAwait(
                        "i=0; while [ $i -lt 400 ]; do echo line $i; i=$((i+1)); sleep 0.005; done;"
                                + " printf end",
                        "line 20\n");
        front.away();
        front.back();
        Eventually.when("more has come", () -> log(attempt).contains("line 100\n"));
        reopen();
        awaitExit(attempt);
        engine.forget(attempt);
        Eventually.when("the pod is gone", () -> Pods.of(cluster, attempt).isEmpty());
        var expected = new StringBuilder();
        for (int i = 0; i < 400; i++) expected.append("line ").append(i).append('\n');
        assertEquals(expected + "end", log(attempt));
    }

    @Test
    void aNoteStandsInTheLogOnALineOfItsOwn() throws Exception {
        var attempt =
                launchAndAwait(
                        "printf begun; until [ -e " + go() + " ]; do sleep 0.05; done; echo over",
                        "begun");
        engine.note(attempt, "a note");
        reopen();
        launchAndAwait("touch " + go() + "; echo done", "done");
        awaitExit(attempt);
        assertEquals("begun\na note\nover\n", log(attempt));
    }
}
