package fairlead.engines.kubernetes;

import com.fasterxml.jackson.databind.ObjectMapper;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;

/**
 * The mock as a cluster. It has two doors: what is tested comes by the front that counts and fails,
 * while the kubelets and the tests come by another.
 */
final class MockCluster implements TestCluster {
    /** It writes a line for each request. Held here, as loggers forget their levels otherwise. */
    private static final Logger CHATTER =
            Logger.getLogger("io.fabric8.mockwebserver.MockWebServer");

    static {
        CHATTER.setLevel(Level.WARNING);
    }

    private final KubernetesMockServer server;
    private final ControlPlane control;
    private final ApiFront front;
    private final ApiFront side;
    private final KubernetesClient client;
    private final TestKubelet kubelet;
    private final List<String> nodes;
    private final Path kubeconfig;

    private MockCluster(Path folder, List<TestNode> wanted) throws IOException {
        var api = new MockApi();
        server =
                new KubernetesMockServer(
                        new Context(new ObjectMapper()),
                        new MockWebServer(),
                        new HashMap<>(),
                        api,
                        false);
        server.init();
        control = new ControlPlane(api);
        var kubelets = new AtomicReference<TestKubelet>();
        var streams = new PodStreams(api, kubelets::get);
        front = ApiFront.open(api, server.getPort(), streams);
        side = ApiFront.open(api, server.getPort(), streams);
        client = TestCluster.client(side.url());
        for (String name : List.of("default", "kube-system", "kube-node-lease")) {
            client.namespaces()
                    .resource(
                            new NamespaceBuilder()
                                    .withNewMetadata()
                                    .withName(name)
                                    .endMetadata()
                                    .build())
                    .create();
        }
        for (TestNode node : wanted) {
            var object = node.object(Optional.empty(), 0);
            client.nodes().resource(object).create();
            client.nodes().resource(object).updateStatus();
        }
        nodes = wanted.stream().map(TestNode::name).toList();
        kubelet =
                new TestKubelet(
                        client,
                        wanted.stream().collect(Collectors.toMap(TestNode::name, TestNode::gpuIds)),
                        Files.createDirectories(folder.resolve("kubelet")));
        kubelets.set(kubelet);
        kubeconfig = folder.resolve("kubeconfig");
        Files.writeString(
                kubeconfig,
                """
                apiVersion: v1
                kind: Config
                clusters: [{name: mock, cluster: {server: "%s"}}]
                users: [{name: tester, user: {token: secret}}]
                contexts: [{name: mock, context: {cluster: mock, user: tester}}]
                current-context: mock
                """
                        .formatted(front.url()));
    }

    static MockCluster open(Path folder, List<TestNode> nodes) throws IOException {
        return new MockCluster(folder, nodes);
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
        return Optional.of(front);
    }

    @Override
    public Optional<TestKubelet> kubelet() {
        return Optional.of(kubelet);
    }

    @Override
    public List<String> nodes() {
        return nodes;
    }

    @Override
    public String image() {
        return "busybox:1.36";
    }

    @Override
    public String namespacePattern() {
        return "fairlead-{project}";
    }

    @Override
    public List<String> tolerations() {
        return List.of();
    }

    @Override
    public Optional<String> whyNoExec() {
        return Optional.empty();
    }

    @Override
    public void close() {
        kubelet.close();
        client.close();
        control.close();
        front.close();
        side.close();
        server.destroy();
    }
}
