package fairlead.engines.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.engine.EngineException;
import fairlead.engine.ExecRequest;
import fairlead.job.AttemptId;
import fairlead.job.Container;
import fairlead.job.Effect;
import fairlead.job.GpuPart;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.job.Share;
import fairlead.testing.Eventually;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The roles of deploy: each allows what the engine does with it, and nothing more. */
class RightsTest extends PodCase {
    /** Newer clusters ask for these too, where a session begins by a GET. */
    private static final Set<String> NEWER =
            Set.of("create pods/exec", "create pods/attach", "create pods/portforward");

    /** Asked about a pod that the node is slow with, which no test kubelet is. */
    private static final Set<String> RARE = Set.of("list events");

    /** Everybody may: {@code /version} is no resource. */
    private static final Set<String> FREE = Set.of("get /version");

    private static final Path RIGHTS = Path.of("../../deploy/rights");
    private static final String TEAM = "team";

    @Test
    void theRoleAllowsWhatAllOfTheEnginesWorkNeedsAndNothingMore() throws Exception {
        jobWithEverything(NODE);
        jobsThatShareAGpu();
        jobWhosePodNameIsTaken(cluster.namespace("default"), NODE);
        var used = front.tally().byVerb().keySet();
        assertAllowed(
                words(ManifestsTest.documents(ManifestsTest.FOLDER), ClusterRole.class), used);
    }

    private static void assertAllowed(Set<String> role, Set<String> calls) {
        var used = new TreeSet<>(calls);
        used.removeAll(FREE);
        var allowed = new TreeSet<>(role);
        assertTrue(allowed.containsAll(used), () -> used + " against " + allowed);
        allowed.removeAll(NEWER);
        allowed.removeAll(RARE);
        assertEquals(allowed, used);
    }

    @Test
    void theMiddleWaySeesAllAndWritesToOneNamespace() throws Exception {
        makeTeam();
        reopen(TEAM, KubernetesSettings.Rules.USUAL);
        jobWithEverything(NODE);
        jobsThatShareAGpu();
        jobWhosePodNameIsTaken(TEAM, NODE);
        var role = ManifestsTest.documents(RIGHTS.resolve("read.yaml"));
        assertAllowed(words(role, ClusterRole.class), calls(""));
        assertAllowed(words(role, io.fabric8.kubernetes.api.model.rbac.Role.class), calls(TEAM));
        assertEquals(Set.of("", TEAM), namespaces());
    }

    @Test
    void theRightsOfOneNamespaceAreEnoughToCountItsQuotaAndRunJobs() throws Exception {
        makeTeam();
        limitGpus("3");
        reopen(TEAM, blind(Optional.empty()));
        assertEquals(List.of("unseen 3"), seen());
        jobWithEverything("unseen");
        jobWhosePodNameIsTaken(TEAM, "unseen");
        var role = ManifestsTest.documents(RIGHTS.resolve("namespace.yaml"));
        assertAllowed(words(role, io.fabric8.kubernetes.api.model.rbac.Role.class), calls(TEAM));
        assertEquals(Set.of(TEAM), namespaces());
        assertTrue(engine.notes().getFirst().contains("sees only its namespace"));
        var part =
                role(
                        "part",
                        1,
                        new Resources(1, new GpuPart.Fraction(500), Optional.empty(), 0, 0),
                        "true");
        var spec = spec(List.of(part), Map.of(), Container.NONE);
        assertTrue(engine.refuses(spec).orElseThrow().contains("part of a GPU"));
    }

    @Test
    void whatTheSettingsSayOfUnseenNodesCountsWithinTheQuota() throws Exception {
        makeTeam();
        reopen(TEAM, blind(Optional.of(new KubernetesSettings.Shape(2, 2))));
        assertEquals(List.of("unseen-1 2", "unseen-2 2"), seen());
        limitGpus("3");
        Eventually.when(
                "the quota counts", () -> seen().equals(List.of("unseen-1 2", "unseen-2 1")));
        reopen(TEAM, blind(Optional.empty()));
        assertEquals(2, engine.notes().size());
    }

    private static KubernetesSettings.Rules blind(Optional<KubernetesSettings.Shape> shape) {
        return new KubernetesSettings.Rules(
                0,
                Optional.empty(),
                List.of(),
                List.of(),
                KubernetesSettings.Sight.NAMESPACE,
                shape,
                Optional.empty());
    }

    private List<String> seen() throws EngineException {
        return engine.nodes().stream().map(node -> node.name() + " " + node.gpus().size()).toList();
    }

    private void limitGpus(String most) {
        var quota =
                new ResourceQuotaBuilder()
                        .withNewMetadata()
                        .withNamespace(TEAM)
                        .withName("gpus")
                        .endMetadata()
                        .withNewSpec()
                        .addToHard("requests.nvidia.com/gpu", new Quantity(most))
                        .endSpec()
                        .build();
        cluster.client().resource(quota).create();
    }

    private void makeTeam() {
        engine.close();
        cluster.client()
                .resource(
                        new NamespaceBuilder()
                                .withNewMetadata()
                                .withName(TEAM)
                                .endMetadata()
                                .build())
                .create();
        front.tally().reset();
    }

    private Set<String> calls(String namespace) {
        return front.tally().keys().stream()
                .filter(key -> key.namespace().equals(namespace))
                .map(key -> key.verb() + " " + key.resource())
                .collect(Collectors.toSet());
    }

    private Set<String> namespaces() {
        return front.tally().keys().stream()
                .filter(key -> !FREE.contains(key.verb() + " " + key.resource()))
                .map(Tally.Key::namespace)
                .collect(Collectors.toSet());
    }

    private static Set<String> words(
            List<HasMetadata> documents, Class<? extends HasMetadata> kind) {
        return documents.stream()
                .filter(kind::isInstance)
                .flatMap(
                        role ->
                                role instanceof ClusterRole all
                                        ? all.getRules().stream()
                                        : ((io.fabric8.kubernetes.api.model.rbac.Role) role)
                                                .getRules().stream())
                .flatMap(RightsTest::words)
                .collect(Collectors.toSet());
    }

    private static Stream<String> words(PolicyRule rule) {
        assertEquals(List.of(""), rule.getApiGroups());
        return rule.getResources().stream()
                .flatMap(thing -> rule.getVerbs().stream().map(verb -> verb + " " + thing));
    }

    /** Variables, a claim, ports, a gang, sessions, a stop: in a namespace that has to be made. */
    private void jobWithEverything(String node) throws Exception {
        int port = freePort();
        var details =
                Container.Details.of(
                        edit -> {
                            edit.shmBytes = 1 << 20;
                            edit.service = Container.Service.NODE_PORT;
                            edit.stdin = true;
                        });
        var container =
                new Container(
                        Optional.empty(),
                        List.of(
                                new Container.Mount(
                                        new Container.NewClaim(Optional.empty(), 1 << 20),
                                        "/data",
                                        false)),
                        List.of(new Container.Port(30_080, port)),
                        details);
        var roles = List.of(role(Role.MAIN, 2, new Resources(0, 0, 0), "echo ready; " + FOREVER));
        var launch = effect(spec(roles, Map.of("KEY", "value"), container), node);
        AttemptId attempt = launch(launch);
        Eventually.when("it runs", () -> log(attempt).contains("ready"));
        var request =
                new ExecRequest(
                        attempt, MAIN, launch.job().spec(), List.of("true"), Optional.empty());
        try (var session = engine.exec(request)) {
            assertEquals(0, session.await());
        }
        engine.attach(attempt, MAIN).close();
        engine.forward(attempt, MAIN, port).close();
        engine.stop(attempt, Duration.ZERO);
        awaitExit(attempt);
        engine.forget(attempt);
        engine.deleteLogs(attempt.job());
    }

    private void jobsThatShareAGpu() throws Exception {
        var part = List.of(role(Role.MAIN, 1, new Resources(0, 0, 0), "true"));
        var share = new Share(0, 20L << 30);
        var attempt = effect(spec(part, Map.of(), Container.NONE), NODE, share);
        Eventually.when("the GPU is reserved", () -> isLaunched(attempt));
        awaitExit(attempt.attempt());
        engine.forget(attempt.attempt());
    }

    private boolean isLaunched(Effect.Launch launch) {
        try {
            engine.launch(launch);
            return true;
        } catch (EngineException _) {
            return false;
        }
    }

    private void jobWhosePodNameIsTaken(String namespace, String node) {
        var launch = effect(spec("true"), node);
        String name = Names.pod(launch.attempt(), launch.job().spec(), 0);
        var other =
                new PodBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withNewSpec()
                        .addNewContainer()
                        .withName("main")
                        .withImage("any")
                        .endContainer()
                        .endSpec()
                        .build();
        cluster.client().pods().inNamespace(namespace).resource(other).create();
        var refusal = assertThrows(EngineException.class, () -> engine.launch(launch));
        assertTrue(
                refusal.getMessage().contains("kubectl delete pod " + name), refusal::getMessage);
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
