package fairlead.engines.kubernetes;

import fairlead.testing.Eventually;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.KubernetesClientTimeoutException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * A real cluster, of which a run uses namespaces of its own. Where it has ready nodes, pods run on
 * them; where it has none, the run makes nodes and plays their kubelets.
 */
final class RealCluster implements TestCluster {
    private static final String TAINT = "fairlead/test";

    /** A quarter of the time after which a node controller gives a node up. */
    private static final int BEAT_SECONDS = 10;

    /** A kubelet says at once that it makes a container. */
    private static final int PROBE_SECONDS_MAX = 20;

    private static final String NO_EXEC =
            "a real API server speaks SPDY to kubelets for commands in pods, and the test kubelet"
                    + " does not";

    private final KubernetesClient client;
    private final Path kubeconfig;
    private final String prefix;
    private final List<String> nodes;
    private final Optional<TestKubelet> kubelet;
    private final Optional<KubeletEndpoint> endpoint;
    private final ScheduledExecutorService heart = Executors.newSingleThreadScheduledExecutor();
    private final Set<String> beating = ConcurrentHashMap.newKeySet();

    /** Nodes whose GPUs this run has made up. */
    private final Set<String> declared = ConcurrentHashMap.newKeySet();

    private RealCluster(Path kubeconfig, Path folder, List<TestNode> wanted) throws IOException {
        this.kubeconfig = kubeconfig.toAbsolutePath();
        Config config = Config.fromKubeconfig(kubeconfig.toFile());
        config.setOnlyHttpWatches(true);
        client = new KubernetesClientBuilder().withConfig(config).build();
        String suffix =
                Integer.toString(ThreadLocalRandom.current().nextInt(36 * 36 * 36, 1 << 30), 36);
        prefix = "fairlead-test-" + suffix;
        List<String> real =
                client.nodes().list().getItems().stream()
                        .filter(RealCluster::usable)
                        .map(node -> node.getMetadata().getName())
                        .filter(this::runsPods)
                        .toList();
        if (!real.isEmpty()) {
            nodes = real;
            kubelet = Optional.empty();
            endpoint = Optional.empty();
            // Nodes of a cluster for trials have no GPUs, so they are declared to have some.
            for (String node : real) {
                if (!hasGpus(node)) declare(node, wanted.getFirst());
            }
            return;
        }
        Path own = Files.createDirectories(folder.resolve("kubelet"));
        var door = KubeletEndpoint.door(own);
        Map<String, List<String>> gpus = new HashMap<>();
        var made = wanted.stream().map(node -> node.named(node.name() + "-" + suffix)).toList();
        for (TestNode node : made) {
            var object = node.object(Optional.of(TAINT), door.getAddress().getPort());
            client.nodes().resource(object).create();
            beating.add(node.name());
            gpus.put(node.name(), node.gpuIds());
        }
        nodes = made.stream().map(TestNode::name).toList();
        kubelet = Optional.of(new TestKubelet(client, gpus, own));
        endpoint = Optional.of(KubeletEndpoint.open(door, kubelet.get()));
        heart.scheduleAtFixedRate(this::beat, 0, BEAT_SECONDS, TimeUnit.SECONDS);
    }

    private boolean hasGpus(String node) {
        var offered = client.nodes().withName(node).get().getStatus().getAllocatable();
        return offered.containsKey(TestKubelet.GPU)
                && offered.get(TestKubelet.GPU).getNumericalAmount().signum() > 0;
    }

    /** By the node's status alone: the scheduler counts them, and no device is behind them. */
    private void declare(String node, TestNode wanted) {
        declared.add(node);
        client.nodes()
                .withName(node)
                .edit(
                        each ->
                                each.edit()
                                        .editMetadata()
                                        .addToLabels("nvidia.com/gpu.product", wanted.gpuProduct())
                                        .addToLabels(
                                                "nvidia.com/gpu.memory",
                                                Integer.toString(wanted.gpuMemoryMiB()))
                                        .endMetadata()
                                        .build());
        offer(node, wanted.gpus());
        Eventually.when(node + " offers GPUs", () -> hasGpus(node));
    }

    private void offer(String node, int gpus) {
        client.nodes()
                .withName(node)
                .editStatus(
                        (Node each) ->
                                each.edit()
                                        .editStatus()
                                        .addToCapacity(
                                                TestKubelet.GPU,
                                                new Quantity(Integer.toString(gpus)))
                                        .addToAllocatable(
                                                TestKubelet.GPU,
                                                new Quantity(Integer.toString(gpus)))
                                        .endStatus()
                                        .build());
    }

    private void retract(String node) {
        offer(node, 0);
        client.nodes()
                .withName(node)
                .edit(
                        each ->
                                each.edit()
                                        .editMetadata()
                                        .removeFromLabels("nvidia.com/gpu.product")
                                        .removeFromLabels("nvidia.com/gpu.memory")
                                        .endMetadata()
                                        .build());
    }

    static RealCluster open(Path kubeconfig, Path folder, List<TestNode> nodes) throws IOException {
        var cluster = new RealCluster(kubeconfig, folder, nodes);
        if (cluster.kubelet.isEmpty()) return cluster;
        try {
            Eventually.when(
                    "its nodes are ready",
                    () -> cluster.nodes.stream().allMatch(cluster::takesPods));
            return cluster;
        } catch (AssertionError e) {
            cluster.close();
            throw e;
        }
    }

    /** Whether a kubelet is behind the node: somebody may have made it to look ready. */
    private boolean runsPods(String node) {
        var probe =
                new PodBuilder()
                        .withNewMetadata()
                        .withGenerateName("probe-")
                        .endMetadata()
                        .withNewSpec()
                        .withRestartPolicy("Never")
                        .withAffinity(Placing.on(node))
                        .addNewContainer()
                        .withName("main")
                        .withImage(image())
                        .withCommand("true")
                        .endContainer()
                        .endSpec()
                        .build();
        var pods = client.pods().inNamespace(namespace("probes"));
        String name = pods.resource(probe).create().getMetadata().getName();
        try {
            pods.withName(name)
                    .waitUntilCondition(
                            pod -> !pod.getStatus().getContainerStatuses().isEmpty(),
                            PROBE_SECONDS_MAX,
                            TimeUnit.SECONDS);
            return true;
        } catch (KubernetesClientTimeoutException _) {
            return false;
        } finally {
            pods.withName(name).withGracePeriod(0).delete();
        }
    }

    /** Ready, for everyone, and no node of a test. */
    private static boolean usable(Node node) {
        boolean ready =
                node.getStatus().getConditions().stream()
                        .anyMatch(
                                each ->
                                        each.getType().equals("Ready")
                                                && each.getStatus().equals("True"));
        return ready && node.getSpec().getTaints().isEmpty();
    }

    /** The node controller takes its taints off a new node once it has seen it ready. */
    private boolean takesPods(String name) {
        return client.nodes().withName(name).get().getSpec().getTaints().stream()
                .allMatch(taint -> taint.getKey().equals(TAINT));
    }

    /** As kubelets do, so that the node controller believes in the nodes. */
    private void beat() {
        for (String node : beating) {
            try {
                var lease =
                        new LeaseBuilder()
                                .withNewMetadata()
                                .withName(node)
                                .withNamespace("kube-node-lease")
                                .endMetadata()
                                .withNewSpec()
                                .withHolderIdentity(node)
                                .withLeaseDurationSeconds(4 * BEAT_SECONDS)
                                .withRenewTime(ZonedDateTime.now(ZoneOffset.UTC))
                                .endSpec()
                                .build();
                var there = client.leases().inNamespace("kube-node-lease").withName(node);
                if (there.get() == null) {
                    client.resource(lease).create();
                } else {
                    there.edit(each -> each.edit().withSpec(lease.getSpec()).build());
                }
            } catch (KubernetesClientException e) {
                System.getLogger("RealCluster")
                        .log(System.Logger.Level.WARNING, "a lost heartbeat of {0}: {1}", node, e);
            }
        }
    }

    @Override
    public KubernetesClient client() {
        return client;
    }

    @Override
    public Path kubeconfig() {
        return kubeconfig;
    }

    @Override
    public Optional<ApiFront> front() {
        return Optional.empty();
    }

    @Override
    public Optional<TestKubelet> kubelet() {
        return kubelet;
    }

    @Override
    public List<String> nodes() {
        return nodes;
    }

    @Override
    public String image() {
        return System.getProperty("fairlead.image", "busybox:1.36");
    }

    @Override
    public String namespacePattern() {
        return prefix + "-{project}";
    }

    @Override
    public List<String> tolerations() {
        return kubelet.isPresent() ? List.of(TAINT + ":NoSchedule") : List.of();
    }

    @Override
    public Optional<String> whyNoExec() {
        return kubelet.map(_ -> NO_EXEC);
    }

    @Override
    public void awaitAccount(String namespace) {
        Eventually.when(
                "the account of " + namespace,
                () ->
                        client.serviceAccounts().inNamespace(namespace).withName("default").get()
                                != null);
    }

    @Override
    public void cutOff(String node) {
        beating.remove(node);
        TestCluster.super.cutOff(node);
    }

    @Override
    public void rejoin(String node) {
        beating.add(node);
        beat();
        TestCluster.super.rejoin(node);
    }

    @Override
    public void vanish(String node) {
        beating.remove(node);
        TestCluster.super.vanish(node);
    }

    /** Namespaces first: their pods need the kubelet to end. */
    @Override
    public void close() {
        try {
            var own =
                    client.namespaces().list().getItems().stream()
                            .map(each -> each.getMetadata().getName())
                            .filter(name -> name.startsWith(prefix))
                            .toList();
            for (String namespace : own) end(namespace);
            Eventually.when(
                    "its namespaces are gone",
                    () ->
                            own.stream()
                                    .allMatch(
                                            name ->
                                                    client.namespaces().withName(name).get()
                                                            == null));
        } finally {
            heart.shutdownNow();
            declared.forEach(this::retract);
            kubelet.ifPresent(
                    each -> {
                        each.close();
                        for (String node : nodes) {
                            client.nodes().withName(node).delete();
                            client.leases().inNamespace("kube-node-lease").withName(node).delete();
                        }
                    });
            endpoint.ifPresent(KubeletEndpoint::close);
            client.close();
        }
    }

    /** What a test has left is held by nobody, and has no more time. */
    private void end(String namespace) {
        client.namespaces().withName(namespace).delete();
        client.pods()
                .inNamespace(namespace)
                .list()
                .getItems()
                .forEach(
                        pod -> {
                            ObjectMeta metadata = pod.getMetadata();
                            var one =
                                    client.pods()
                                            .inNamespace(namespace)
                                            .withName(metadata.getName());
                            try {
                                if (!metadata.getFinalizers().isEmpty()) {
                                    one.edit(
                                            each ->
                                                    each.edit()
                                                            .editMetadata()
                                                            .withFinalizers()
                                                            .endMetadata()
                                                            .build());
                                }
                                one.withGracePeriod(1).delete();
                            } catch (KubernetesClientException e) {
                                if (e.getCode() != 404) throw e;
                            }
                        });
    }
}
