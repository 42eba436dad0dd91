package fairlead.engines.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.job.Container;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.job.Share;
import fairlead.job.TaskId;
import fairlead.testing.Eventually;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** What becomes of tasks whose pods the API server does not take. */
@Execution(ExecutionMode.CONCURRENT)
class RefusedPodsTest extends PodCase {
    private void limit(String what, String most) {
        var quota =
                new ResourceQuotaBuilder()
                        .withNewMetadata()
                        .withNamespace(cluster.namespace("default"))
                        .withName("compute")
                        .endMetadata()
                        .withNewSpec()
                        .addToHard(what, new Quantity(most))
                        .endSpec()
                        .build();
        cluster.client().resource(quota).create();
    }

    @Test
    void aFullQuotaFreesThePlaceAndLeavesNothingOfAGang() throws Exception {
        limit("pods", "1");
        var roles = List.of(role("worker", 2, new Resources(0, 0, 0), FOREVER));
        var attempt = launch(effect(spec(roles, Map.of(), Container.NONE), NODE));
        for (int i = 0; i < 2; i++) {
            var exit = awaitExit(attempt, new TaskId("worker", i));
            assertTrue(exit.isLost());
            assertTrue(exit.note().contains("exceeded quota: compute"), exit.note());
        }
        engine.forget(attempt);
        Eventually.when("no pod is left", () -> Pods.of(cluster, attempt).isEmpty());
        assertEquals(OptionalInt.of(0), awaitExit(launch("true")).code());
    }

    @Test
    void aQuotaThatWantsALimitEndsTheTaskWithItsWords() throws Exception {
        limit("limits.memory", "1Gi");
        var exit = awaitExit(launch("true"));
        assertEquals(OptionalInt.of(125), exit.code());
        assertTrue(exit.note().contains("must specify limits.memory"), exit.note());
    }

    @Test
    void aReservationWithoutQuotaFreesThePlace() throws Exception {
        limit("requests.nvidia.com/gpu", "0");
        var part = List.of(role(Role.MAIN, 1, new Resources(0, 0, 0), "true"));
        var launch = effect(spec(part, Map.of(), Container.NONE), NODE, new Share(0, 20L << 30));
        var exit = awaitExit(launch(launch));
        assertTrue(exit.isLost());
        assertTrue(exit.note().contains("requests.nvidia.com/gpu=1"), exit.note());
    }

    @Test
    void rulesOfItsNamespaceEndATaskThatBreaksThem() throws Exception {
        enforce("baseline");
        var mount = new Container.Mount(folder.toString(), "/data", false);
        var container = new Container(Optional.empty(), List.of(mount), List.of());
        var roles = List.of(role(Role.MAIN, 1, new Resources(0, 0, 0), "true"));
        var exit = awaitExit(launch(effect(spec(roles, Map.of(), container), NODE)));
        assertEquals(OptionalInt.of(125), exit.code());
        assertTrue(exit.note().contains("violates PodSecurity"), exit.note());
        assertTrue(log(launch("true")).isEmpty());
    }

    @Test
    void aNamespaceWithTheStrictestRulesGetsPodsThatObeyThem() throws Exception {
        enforce("restricted");
        for (int i = 0; i < 2; i++) {
            var attempt = launch("true");
            assertEquals(OptionalInt.of(0), awaitExit(attempt).code());
            var context = pod(attempt).getSpec().getSecurityContext();
            assertTrue(context.getRunAsNonRoot());
            assertEquals(1000, context.getRunAsUser());
        }
        assertEquals(3, front.tally().byVerb().get("create pods"), "one refusal is enough");
    }

    private void enforce(String level) {
        cluster.client()
                .namespaces()
                .withName(cluster.namespace("default"))
                .edit(
                        each ->
                                new NamespaceBuilder(each)
                                        .editMetadata()
                                        .addToLabels("pod-security.kubernetes.io/enforce", level)
                                        .endMetadata()
                                        .build());
    }

    @Test
    void aRightThatIsMissingIsNoFaultOfTheJob() throws Exception {
        front.faults()
                .next(
                        1,
                        Faults.calls("create", "pods"),
                        new Faults.Answer(
                                403,
                                "Forbidden",
                                "pods is forbidden: User \"ann\" cannot create resource \"pods\" in"
                                        + " API group \"\" in the namespace \"fairlead-default\"",
                                0));
        var exit = awaitExit(launch("true"));
        assertTrue(exit.isLost());
        assertTrue(exit.note().contains("cannot create resource"), exit.note());
    }
}
