package fairlead.engines.kubernetes;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.utils.Serialization;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/**
 * The kubelets of some nodes: they watch the API for pods that are bound to their nodes, really run
 * their commands as processes of this machine, and report. Talks to the API as any kubelet would.
 */
public final class TestKubelet implements Closeable {
    static final String GPU = "nvidia.com/gpu";
    private static final long TRY_AGAIN_MILLIS = 200;
    private static final Set<TestKubelet> OPEN = ConcurrentHashMap.newKeySet();

    static {
        // A run that is stopped in its middle closes nothing, and leaves no process either.
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(
                                () ->
                                        OPEN.forEach(
                                                each ->
                                                        each.lives
                                                                .values()
                                                                .forEach(PodLife::abandon))));
    }

    private final KubernetesClient client;
    private final Path folder;
    private final Map<String, Devices> nodes = new ConcurrentHashMap<>();
    private final Map<String, PodLife> lives = new ConcurrentHashMap<>();
    private final Set<String> silent = ConcurrentHashMap.newKeySet();
    private final SharedIndexInformer<Pod> informer;
    private volatile boolean closed;

    /**
     * @param nodes whose kubelets these are, with the ids of their GPUs
     * @param folder for the files of pods and claims
     */
    TestKubelet(KubernetesClient client, Map<String, List<String>> nodes, Path folder) {
        this.client = client;
        this.folder = folder;
        OPEN.add(this);
        nodes.forEach((name, uuids) -> this.nodes.put(name, new Devices(uuids)));
        this.informer =
                client.pods()
                        .inAnyNamespace()
                        .inform(
                                new ResourceEventHandler<>() {
                                    @Override
                                    public void onAdd(Pod pod) {
                                        see(pod);
                                    }

                                    @Override
                                    public void onUpdate(Pod before, Pod pod) {
                                        see(pod);
                                    }

                                    @Override
                                    public void onDelete(Pod pod, boolean unknown) {
                                        drop(pod);
                                    }
                                });
    }

    private void see(Pod pod) {
        String node = pod.getSpec().getNodeName();
        if (closed || node == null || !nodes.containsKey(node) || silent.contains(node)) return;
        String uid = pod.getMetadata().getUid();
        String phase = pod.getStatus() == null ? "" : pod.getStatus().getPhase();
        PodLife life = lives.get(uid);
        if (life == null && !List.of("Succeeded", "Failed").contains(phase)) {
            life = begin(pod);
        }
        Long grace = pod.getMetadata().getDeletionGracePeriodSeconds();
        if (pod.getMetadata().getDeletionTimestamp() == null || life == null) return;
        life.delete(Duration.ofSeconds(grace == null ? 0 : grace));
    }

    private PodLife begin(Pod pod) {
        try {
            String uid = pod.getMetadata().getUid();
            var life =
                    new PodLife(
                            this,
                            pod,
                            nodes.get(pod.getSpec().getNodeName()),
                            folder.resolve("pods").resolve(uid));
            lives.put(uid, life);
            life.start();
            return life;
        } catch (IOException e) {
            throw new UncheckedIOException("the test kubelet's files", e);
        }
    }

    /** It is gone from the API, so it must not run here. */
    private void drop(Pod pod) {
        PodLife life = lives.remove(pod.getMetadata().getUid());
        if (life != null) life.abandon();
    }

    PodPlan plan(Pod pod, Container container, Path ofPod) {
        return new PodPlan(client, pod, container, ofPod, folder.resolve("claims"));
    }

    /** The container that a pod is for: the engine's, or that of a plain pod. */
    static Container main(Pod pod) {
        var all = pod.getSpec().getContainers();
        return all.stream()
                .filter(each -> each.getName().equals(Marks.CONTAINER))
                .findFirst()
                .orElse(all.getFirst());
    }

    static int gpus(Pod pod) {
        var resources = main(pod).getResources();
        if (resources == null || resources.getLimits() == null) return 0;
        Quantity limit = resources.getLimits().get(GPU);
        return limit == null ? 0 : limit.getNumericalAmount().intValue();
    }

    /** Tries until the API has it, the pod is gone, or nobody wants it any more. */
    void report(Pod pod, PodStatus status, BooleanSupplier given) throws InterruptedException {
        String body =
                "{\"metadata\":{\"uid\":\""
                        + pod.getMetadata().getUid()
                        + "\"},\"status\":"
                        + Serialization.asJson(status)
                        + "}";
        while (!closed && !given.getAsBoolean()) {
            if (!silent.contains(pod.getSpec().getNodeName())) {
                try {
                    client.pods()
                            .inNamespace(pod.getMetadata().getNamespace())
                            .withName(pod.getMetadata().getName())
                            .subresource("status")
                            .patch(PatchContext.of(PatchType.JSON_MERGE), body);
                    return;
                } catch (KubernetesClientException e) {
                    if (e.getCode() == 404 || e.getCode() == 409) return;
                }
            }
            rest();
        }
    }

    private synchronized void rest() throws InterruptedException {
        if (!closed) wait(TRY_AGAIN_MILLIS);
    }

    private synchronized void stop() {
        closed = true;
        notifyAll();
    }

    /** The last call of a kubelet for a pod: it has ended, so the API may forget it. */
    void remove(Pod pod) throws InterruptedException {
        while (!closed) {
            if (!silent.contains(pod.getSpec().getNodeName())) {
                try {
                    var named =
                            client.pods()
                                    .inNamespace(pod.getMetadata().getNamespace())
                                    .withName(pod.getMetadata().getName());
                    Pod now = named.get();
                    // A pod of the same name may have come after it.
                    if (now == null) return;
                    if (!now.getMetadata().getUid().equals(pod.getMetadata().getUid())) return;
                    named.withGracePeriod(0)
                            .withPropagationPolicy(DeletionPropagation.BACKGROUND)
                            .delete();
                    return;
                } catch (KubernetesClientException e) {
                    if (e.getCode() == 404 || e.getCode() == 409) return;
                }
            }
            rest();
        }
    }

    /** The life of a pod that runs or has run here. */
    Optional<PodLife> life(String namespace, String name) {
        return lives.values().stream()
                .filter(life -> life.pod().getMetadata().getNamespace().equals(namespace))
                .filter(life -> life.pod().getMetadata().getName().equals(name))
                .findFirst();
    }

    private PodLife lifeOf(String namespace, String name) {
        return life(namespace, name)
                .orElseThrow(() -> new AssertionError("no pod " + namespace + "/" + name));
    }

    /** As a node short of memory does: the pod fails, and stays in the API. */
    public void evict(String namespace, String name) {
        lifeOf(namespace, name)
                .evict(
                        "Evicted",
                        "The node was low on resource: memory. Threshold quantity: 100Mi,"
                                + " available: 62Mi.");
    }

    /** As the kernel does to a container over its limit. */
    public void killForMemory(String namespace, String name) {
        lifeOf(namespace, name).runOutOfMemory();
    }

    /** The node is cut off: its pods run on, and nothing more is heard of them. */
    public void silence(String node) {
        silent.add(node);
    }

    /** The node is heard again, and learns what it has missed. */
    public void unsilence(String node) {
        silent.remove(node);
        informer.getStore().list().forEach(this::see);
        // Whoever was deleted meanwhile is no longer in the store.
        lives.forEach(
                (uid, life) -> {
                    boolean there =
                            informer.getStore().list().stream()
                                    .anyMatch(pod -> pod.getMetadata().getUid().equals(uid));
                    if (!there) drop(life.pod());
                });
    }

    /** The machine is gone, and with it all that ran there. */
    public void lose(String node) {
        nodes.computeIfPresent(node, (_, _) -> null);
        lives.forEach(
                (_, life) -> {
                    if (!life.pod().getSpec().getNodeName().equals(node)) return;
                    life.abandon();
                });
    }

    /** How many containers run now. */
    public long running() {
        return lives.values().stream()
                .filter(life -> life.process().map(each -> !each.exit().isDone()).orElse(false))
                .count();
    }

    /** Leaves no process behind. */
    @Override
    public void close() {
        stop();
        informer.close();
        lives.values().forEach(PodLife::abandon);
        lives.values().forEach(life -> life.process().ifPresent(each -> each.exit().join()));
        lives.clear();
        OPEN.remove(this);
    }
}
