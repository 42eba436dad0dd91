package fairlead.engines.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import fairlead.engine.Observation;
import fairlead.engine.TaskEnvironment;
import fairlead.job.Container;
import fairlead.job.ImageLogin;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.testing.Eventually;

import io.fabric8.kubernetes.api.model.Pod;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** What OpenPAI's jobs need of pods: ports that all tasks know, and the login to a registry. */
@Tag("cluster")
class OpenPaiPodsTest extends PodCase {
    private static final Resources NOTHING = new Resources(0, 0, 0);

    @Override
    TestCluster openCluster(TestNode... nodes) throws IOException {
        return TestCluster.open(folder, nodes);
    }

    private String node() {
        return cluster.nodes().getFirst();
    }

    private static String variable(Pod pod) {
        return pod.getSpec().getContainers().getFirst().getEnv().stream()
                .filter(variable -> variable.getName().equals("FAIRLEAD_PORT_SSH"))
                .findFirst()
                .orElseThrow()
                .getValue();
    }

    @Test
    void o61TheAddressesAndPortsOfItsTasksAreToldAlsoToALaterEngine() throws Exception {
        var role = role("worker", 2, NOTHING, FOREVER);
        var labelled =
                new Role(
                        role.name(),
                        role.count(),
                        role.command(),
                        role.resources(),
                        role.minFailed(),
                        role.minSucceeded(),
                        List.of(new Role.Ports("web", 8_000, 1), new Role.Ports("ssh", 0, 1)));
        var launch = effect(spec(List.of(labelled), Map.of(), Container.NONE), node());
        launch(launch);
        var attempt = launch.attempt();
        Eventually.when("it runs", () -> seen(attempt).map(Observation::running).orElse(false));
        var told = seen(attempt).orElseThrow().endpoints();
        var addresses =
                Pods.of(cluster, attempt).stream().map(pod -> pod.getStatus().getPodIP()).toList();
        assertEquals(2, addresses.size());
        assertEquals(addresses, told.hosts());
        var ports = TaskEnvironment.named(launch, told.ports());
        for (int rank = 0; rank < 2; rank++) {
            assertEquals(List.of(8_000), ports.of(rank).get("web"));
            assertEquals(
                    variable(Pods.of(cluster, attempt).get(rank)),
                    Integer.toString(ports.of(rank).get("ssh").getFirst()));
        }
        reopen();
        Eventually.when(
                "it is seen again", () -> seen(attempt).map(Observation::running).orElse(false));
        assertEquals(told, seen(attempt).orElseThrow().endpoints());
    }

    @Test
    void o17TheLoginOfAnAttemptIsAPullSecretThatGoesWithIt() throws Exception {
        var login = new ImageLogin("registry.lab:5000", "ann", "s3cret");
        var spec = spec(List.of(role("worker", 2, NOTHING, FOREVER)), Map.of(), Container.NONE);
        var attempt = launch(effect(spec, node()).with(login));
        Eventually.when("it runs", () -> seen(attempt).map(Observation::running).orElse(false));
        for (Pod pod : Pods.of(cluster, attempt)) {
            assertEquals(
                    List.of(Names.login(attempt)),
                    pod.getSpec().getImagePullSecrets().stream()
                            .map(each -> each.getName())
                            .toList());
            assertFalse(
                    cluster.client().getKubernetesSerialization().asJson(pod).contains("s3cret"));
        }
        var secret =
                cluster.client()
                        .secrets()
                        .inNamespace(cluster.namespace("default"))
                        .withName(Names.login(attempt));
        assertEquals("kubernetes.io/dockerconfigjson", secret.get().getType());
        engine.forget(attempt);
        Eventually.when("the secret is gone", () -> secret.get() == null);
    }
}
