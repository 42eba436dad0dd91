package fairlead.engines.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.cluster.Node;
import fairlead.engine.EngineException;
import fairlead.job.Container;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.job.Share;
import fairlead.job.TaskId;
import fairlead.testing.Eventually;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** What becomes of tasks whose place is none by the time their pods come. */
@Execution(ExecutionMode.CONCURRENT)
class PlacesTest extends PodCase {
    private List<String> ready() throws Exception {
        Eventually.when("the cluster is seen", () -> isSeen());
        return engine.nodes().stream().filter(Node::ready).map(Node::name).toList();
    }

    /** On a busy machine the first list of a new cluster may take longer than an engine waits. */
    private boolean isSeen() {
        try {
            engine.nodes();
            return true;
        } catch (EngineException _) {
            return false;
        }
    }

    @Test
    void aNodeThatIsCordonedMeanwhileIsLeftAtOnce() throws Exception {
        cluster.client()
                .nodes()
                .withName(NODE)
                .edit(node -> node.edit().editSpec().withUnschedulable(true).endSpec().build());
        var exit = awaitExit(launch("true"));
        assertTrue(exit.isLost());
        assertTrue(exit.note().startsWith("Unschedulable: "), exit.note());
        assertEquals(List.of(OTHER), ready());
    }

    @Test
    void aNodeWithoutRoomIsPassedOverUntilItChanges() throws Exception {
        var large = List.of(role(Role.MAIN, 1, new Resources(0, 65, 0), "true"));
        assertEquals(List.of(NODE, OTHER), ready());
        assertTrue(awaitExit(launch(effect(spec(large, Map.of(), Container.NONE), NODE))).isLost());
        assertEquals(List.of(OTHER), ready());
        var theirs =
                new PodBuilder()
                        .withNewMetadata()
                        .withNamespace(cluster.namespace("theirs"))
                        .withName("theirs")
                        .endMetadata()
                        .withNewSpec()
                        .withNodeName(NODE)
                        .addNewContainer()
                        .withName("c")
                        .withImage(cluster.image())
                        .withCommand("sleep", "600")
                        .withNewResources()
                        .addToLimits("nvidia.com/gpu", new Quantity("1"))
                        .endResources()
                        .endContainer()
                        .endSpec()
                        .build();
        cluster.client().resource(theirs).create();
        Eventually.when("it is tried again", () -> ready().equals(List.of(NODE, OTHER)));
        assertEquals(1, engine.nodes().getFirst().gpus().size());
    }

    @Test
    void aPodWaitsForAsLongAsAnotherQueueHoldsItBack() throws Exception {
        var roles = List.of(role("worker", 2, new Resources(0, 0, 0), "true"));
        var details =
                Container.Details.of(
                        edit ->
                                edit.pod =
                                        Optional.of(
                                                "{\"metadata\":{\"labels\":{\"kueue.x-k8s.io/queue-name\":\"q\"}}}"));
        var container = new Container(Optional.empty(), List.of(), List.of(), details);
        var attempt = launch(effect(spec(roles, Map.of(), container), NODE));
        Eventually.when(
                "it says what it waits for",
                () ->
                        seen(attempt)
                                .orElseThrow()
                                .trouble()
                                .orElse("")
                                .contains("kueue.x-k8s.io/admission"));
        var pods = Pods.of(cluster, attempt);
        for (Pod pod : pods) {
            var meta = pod.getMetadata();
            assertEquals(
                    Names.shared(attempt), meta.getLabels().get("kueue.x-k8s.io/pod-group-name"));
            assertEquals("2", meta.getAnnotations().get("kueue.x-k8s.io/pod-group-total-count"));
        }
        var created = PodReading.time(pods.getFirst().getMetadata().getCreationTimestamp());
        Eventually.when(
                "the patience is over",
                () -> Instant.now().isAfter(created.orElseThrow().plusSeconds(5)));
        assertEquals(Map.of(), seen(attempt).orElseThrow().exits());
        for (Pod pod : pods) {
            cluster.client()
                    .resource(pod)
                    .edit(
                            each ->
                                    new PodBuilder(each)
                                            .editSpec()
                                            .withSchedulingGates()
                                            .endSpec()
                                            .build());
        }
        for (int i = 0; i < 2; i++)
            assertEquals(OptionalInt.of(0), awaitExit(attempt, new TaskId("worker", i)).code());
    }

    @Test
    void aNodeThatAnAutoscalerWouldAddIsAskedForByAPodWithoutANode() throws Exception {
        reopen(
                "grown",
                new KubernetesSettings.Rules(
                        0,
                        Optional.empty(),
                        List.of(),
                        List.of(),
                        KubernetesSettings.Sight.CLUSTER,
                        Optional.empty(),
                        Optional.of(new KubernetesSettings.Shape(1, 4))));
        assertEquals(List.of(NODE, OTHER, "~new-1"), ready());
        var roles = List.of(role(Role.MAIN, 1, new Resources(2, 0, 0), "echo up; " + FOREVER));
        var launch =
                effect(
                        spec(roles, Map.of(), Container.NONE),
                        "~new-1",
                        Share.whole(0),
                        Share.whole(1));
        var attempt = launch(launch);
        Eventually.when("it runs", () -> log(attempt).contains("up"));
        assertNull(pod(attempt).getSpec().getAffinity());
        // What it has on the node where it came to be is no longer offered there.
        String node = pod(attempt).getSpec().getNodeName();
        var left =
                engine.nodes().stream()
                        .filter(each -> each.name().equals(node))
                        .findFirst()
                        .orElseThrow();
        assertEquals(List.of(), left.gpus());
    }
}
