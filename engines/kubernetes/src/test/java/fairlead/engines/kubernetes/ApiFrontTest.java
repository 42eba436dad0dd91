package fairlead.engines.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.testing.Eventually;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Counting and failing by order, which only the mock's front can do. */
class ApiFrontTest {
    @TempDir Path folder;
    private TestCluster cluster;
    private ApiFront front;
    private PodTrial pods;
    private KubernetesClient client;

    @BeforeEach
    void open() throws Exception {
        cluster = TestCluster.mock(folder, TestNode.withGpus("node-a", 2));
        front = cluster.front().orElseThrow();
        pods = new PodTrial(cluster, "front");
        Config config = Config.fromKubeconfig(cluster.kubeconfig().toFile());
        config.setRequestRetryBackoffLimit(0);
        // On the JDK's WebSocket one watch of ten stays as it is when its connection is cut.
        config.setOnlyHttpWatches(true);
        client = new KubernetesClientBuilder().withConfig(config).build();
    }

    @AfterEach
    void close() {
        client.close();
        cluster.close();
    }

    private Pod create(String name) {
        var pod = pods.shell(name, "sleep 600");
        return client.pods().inNamespace(pods.namespace()).resource(pod).create();
    }

    @Test
    void callsAreCountedByVerbAndResource() {
        create("p");
        client.pods().inNamespace(pods.namespace()).withName("p").get();
        client.pods().inNamespace(pods.namespace()).list();
        client.nodes().list();
        assertEquals(
                Map.of("create pods", 1L, "get pods", 1L, "list pods", 1L, "list nodes", 1L),
                front.tally().byVerb());
    }

    @Test
    void orderedFaultsHappenOnceEach() {
        front.faults().next(1, Faults.calls("create", "pods"), Faults.conflict());
        front.faults().next(1, Faults.calls("create", "pods"), Faults.tooMany(1));
        front.faults().next(1, Faults.calls("create", "pods"), Faults.broken());
        front.faults().next(1, Faults.calls("create", "pods"), Faults.cut());
        for (int code : new int[] {409, 429, 500}) {
            assertEquals(code, refusal("p").getCode());
        }
        assertTrue(refusal("p").getCode() <= 0);
        create("p");
        front.faults().next(1, Faults.calls("create", "pods"), Faults.lostAnswer());
        assertTrue(refusal("q").getCode() <= 0);
        assertNotNull(pods.pod("q").get());
    }

    private KubernetesClientException refusal(String name) {
        return assertThrows(KubernetesClientException.class, () -> create(name));
    }

    @Test
    void aWatchLosesNothingWhenItIsCut() {
        Map<String, String> seen = new ConcurrentHashMap<>();
        try (var _ = watch(seen)) {
            create("a");
            create("b");
            Eventually.when("both are seen", () -> seen.size() == 2);
            front.cutWatches();
            pods.pod("a").withGracePeriod(0).delete();
            create("c");
            Eventually.when("the changes are seen", () -> seen.keySet().equals(Set.of("b", "c")));
            front.away();
            pods.pod("b").withGracePeriod(0).delete();
            front.back();
            Eventually.when("the deletion is seen", () -> seen.keySet().equals(Set.of("c")));
        }
    }

    private SharedIndexInformer<Pod> watch(Map<String, String> seen) {
        return client.pods()
                .inNamespace(pods.namespace())
                .inform(
                        new ResourceEventHandler<>() {
                            @Override
                            public void onAdd(Pod pod) {
                                seen.put(pod.getMetadata().getName(), "");
                            }

                            @Override
                            public void onUpdate(Pod before, Pod pod) {
                                seen.put(pod.getMetadata().getName(), "");
                            }

                            @Override
                            public void onDelete(Pod pod, boolean unknown) {
                                seen.remove(pod.getMetadata().getName());
                            }
                        });
    }

    @Test
    void whileItIsAwayNobodyIsAnswered() {
        front.away();
        assertTrue(refusal("p").getCode() <= 0);
        front.back();
        create("p");
    }
}
