package fairlead.engines.kubernetes;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A Kubernetes cluster for tests: fabric8's mock with nodes whose pods really run, or a real
 * cluster. Closing it leaves nothing behind: no process, no namespace, no node.
 */
public interface TestCluster extends Closeable {
    /** Names a kubeconfig file: the tests then run against that cluster. */
    String PROPERTY = "fairlead.kubeconfig";

    /**
     * The real cluster that the property names, or else the mock with these nodes.
     *
     * @param folder for files of the cluster
     */
    static TestCluster open(Path folder, TestNode... nodes) throws IOException {
        String real = System.getProperty(PROPERTY, "");
        return real.isEmpty()
                ? MockCluster.open(folder, List.of(nodes))
                : RealCluster.open(Path.of(real), folder, List.of(nodes));
    }

    static TestCluster mock(Path folder, TestNode... nodes) throws IOException {
        return MockCluster.open(folder, List.of(nodes));
    }

    /** For the tests themselves: its calls are not counted and do not fail by order. */
    KubernetesClient client();

    /** A kubeconfig file for what is tested. */
    Path kubeconfig();

    /** Before the API server that is tested against: faults and counts. Empty: a real cluster. */
    Optional<ApiFront> front();

    /** Of the nodes that this cluster has made. Empty: the nodes and their kubelets are real. */
    Optional<TestKubelet> kubelet();

    /** Whether a GPU is a device that containers are told of, and not only a number. */
    default boolean hasDevices() {
        return kubelet().isPresent();
    }

    /** The names of the nodes that tests may use. */
    List<String> nodes();

    /** An image whose containers have a shell. */
    String image();

    /** With {@code {project}} in it, and of no other run. */
    String namespacePattern();

    /** What pods must tolerate to run on its nodes, each {@code key[=value]:effect}. */
    List<String> tolerations();

    /** Why commands in pods, attaching and forwarding cannot work here; empty: they can. */
    Optional<String> whyNoExec();

    default boolean canExec() {
        return whyNoExec().isEmpty();
    }

    /** The namespace of a project; made if it is not there. */
    default String namespace(String project) {
        String name = namespacePattern().replace("{project}", project);
        if (client().namespaces().withName(name).get() == null) {
            client().namespaces()
                    .resource(
                            new NamespaceBuilder()
                                    .withNewMetadata()
                                    .withName(name)
                                    .endMetadata()
                                    .build())
                    .create();
            awaitAccount(name);
        }
        return name;
    }

    /** A real server takes no pods before the namespace has its first account. */
    default void awaitAccount(String namespace) {}

    /** No new pods come to the node, and those that are there are deleted with their grace. */
    default void drain(String node) {
        client().nodes()
                .withName(node)
                .edit(each -> each.edit().editSpec().withUnschedulable(true).endSpec().build());
        client().pods().inAnyNamespace().list().getItems().stream()
                .filter(pod -> node.equals(pod.getSpec().getNodeName()))
                .forEach(pod -> client().resource(pod).delete());
    }

    /** The node is cut off, and the control plane has noticed. */
    default void cutOff(String node) {
        kubelet().orElseThrow().silence(node);
        ready(node, "Unknown", "NodeStatusUnknown", "Kubelet stopped posting node status.");
    }

    /** The node is back. */
    default void rejoin(String node) {
        ready(node, "True", "KubeletReady", "kubelet is posting ready status");
        kubelet().orElseThrow().unsilence(node);
    }

    private void ready(String node, String status, String reason, String message) {
        client().nodes()
                .withName(node)
                .editStatus(
                        (Node each) ->
                                each.edit()
                                        .editStatus()
                                        .editMatchingCondition(is -> is.getType().equals("Ready"))
                                        .withStatus(status)
                                        .withReason(reason)
                                        .withMessage(message)
                                        .endCondition()
                                        .endStatus()
                                        .build());
    }

    /** The machine is gone, and its node is taken out of the API. */
    default void vanish(String node) {
        kubelet().orElseThrow().lose(node);
        client().nodes().withName(node).delete();
    }

    /** A client of a plain address. */
    static KubernetesClient client(String url) {
        Config config =
                new ConfigBuilder(Config.empty())
                        .withMasterUrl(url)
                        .withHttp2Disable(true)
                        // On the JDK's WebSocket a cut watch may stay unnoticed for ever.
                        .withOnlyHttpWatches(true)
                        // The first answer of a new virtual machine on a busy computer takes longer
                        // than the usual 10 s, and a create that is repeated exists already.
                        .withRequestTimeout(120_000)
                        .withNamespace("default")
                        .build();
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    @Override
    void close();
}
