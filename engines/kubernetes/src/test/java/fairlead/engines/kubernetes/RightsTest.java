package fairlead.engines.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.engine.EngineException;
import fairlead.engine.ExecRequest;
import fairlead.job.AttemptId;
import fairlead.job.Container;
import fairlead.job.Effect;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.job.Share;
import fairlead.testing.Eventually;

import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The role of deploy/kubernetes: it allows what the engine does, and nothing more. */
class RightsTest extends PodCase {
    /** Newer clusters ask for these too, where a session begins by a GET. */
    private static final Set<String> NEWER =
            Set.of("create pods/exec", "create pods/attach", "create pods/portforward");

    /** Asked about a pod that the node is slow with, which no test kubelet is. */
    private static final Set<String> RARE = Set.of("list events");

    /** Everybody may: {@code /version} is no resource. */
    private static final Set<String> FREE = Set.of("get /version");

    @Test
    void theRoleAllowsWhatAllOfTheEnginesWorkNeedsAndNothingMore() throws Exception {
        jobWithEverything();
        jobsThatShareAGpu();
        jobWhosePodNameIsTaken();
        var used = new TreeSet<>(front.tally().byVerb().keySet());
        used.removeAll(FREE);
        var allowed = new TreeSet<>(role());
        assertTrue(allowed.containsAll(used), () -> used + " against " + allowed);
        allowed.removeAll(NEWER);
        allowed.removeAll(RARE);
        assertEquals(allowed, used);
    }

    private static Set<String> role() throws IOException {
        return ManifestsTest.documents().stream()
                .filter(ClusterRole.class::isInstance)
                .flatMap(role -> ((ClusterRole) role).getRules().stream())
                .flatMap(RightsTest::words)
                .collect(Collectors.toSet());
    }

    private static Stream<String> words(PolicyRule rule) {
        assertEquals(List.of(""), rule.getApiGroups());
        return rule.getResources().stream()
                .flatMap(thing -> rule.getVerbs().stream().map(verb -> verb + " " + thing));
    }

    /** Variables, a claim, ports, a gang, sessions, a stop: in a namespace that has to be made. */
    private void jobWithEverything() throws Exception {
        int port = freePort();
        var details =
                new Container.Details(
                        Optional.empty(),
                        1 << 20,
                        Optional.empty(),
                        false,
                        Optional.empty(),
                        List.of(),
                        Container.Service.NODE_PORT,
                        true,
                        false,
                        false,
                        false);
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
        var launch = effect(spec(roles, Map.of("KEY", "value"), container), NODE);
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

    private void jobWhosePodNameIsTaken() {
        var launch = effect(spec("true"), NODE);
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
        cluster.client().pods().inNamespace(cluster.namespace("default")).resource(other).create();
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
