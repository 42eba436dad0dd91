package fairlead.policy.elastic;

import static org.junit.jupiter.api.Assertions.assertEquals;

import fairlead.cluster.ClusterState;
import fairlead.cluster.Guest;
import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.job.Samples;
import fairlead.policy.Scenario;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

class ShareholdersTest {
    private static final List<String> LINES =
            List.of(
                    "node n gpus=8",
                    "active a1 ann gpus=2 project=lab on n 0,1",
                    "active a2 ann gpu=500 project=lab on n 2",
                    "active b1 bob gpus=1 project=lab on n 3",
                    "active b2 bob gpus=1 project=lab stopping on n 4",
                    "active c1 cyd gpus=1 project=other on n 5",
                    "wait b3 bob gpus=1 project=lab");

    private static final Scenario WITHOUT_QUOTAS = Scenario.parse(LINES);

    private static final Scenario WITH_QUOTAS = withQuotas();

    private static Scenario withQuotas() {
        var lines = new ArrayList<>(LINES);
        lines.add("project lab quota=6");
        return Scenario.parse(lines);
    }

    @Test
    void ownersShareAlikeWhereNobodyHasAQuota() {
        var holders = new Shareholders(WITHOUT_QUOTAS.view());
        assertEquals("ann", holders.name(job(WITHOUT_QUOTAS, "a1")));
        assertEquals(Map.of(), holders.weights(WITHOUT_QUOTAS.jobs().values()));
    }

    @Test
    void theOwnersOfAProjectShareItsQuota() {
        var holders = new Shareholders(WITH_QUOTAS.view());
        assertEquals("lab ann", holders.name(job(WITH_QUOTAS, "a1")));
        assertEquals(
                Map.of("lab ann", 3.0, "lab bob", 3.0, "other cyd", 0.001),
                holders.weights(WITH_QUOTAS.jobs().values()));
        assertEquals(
                Map.of("lab ann", 6.0),
                holders.weights(List.of(job(WITH_QUOTAS, "a1"), job(WITH_QUOTAS, "a2"))));
    }

    @Test
    void whatTheirOtherJobsHoldCountsUnlessTheyGo() {
        var holders = new Shareholders(WITHOUT_QUOTAS.view());
        assertEquals(Map.of("ann", 3, "bob", 1, "cyd", 1), holders.heldElsewhere(List.of()));
        assertEquals(
                Map.of("ann", 1, "cyd", 1),
                holders.heldElsewhere(
                        List.of(job(WITHOUT_QUOTAS, "a1"), job(WITHOUT_QUOTAS, "b1"))));
    }

    @Test
    void guestsCountForTheirOwnersButInNobodysQuota() {
        assertEquals(
                Map.of("ann", 5, "bob", 1, "cyd", 1, "dan", 0),
                new Shareholders(withGuests(WITHOUT_QUOTAS.view())).heldElsewhere(List.of()));
        assertEquals(
                Map.of("lab ann", 3, "lab bob", 1, "other cyd", 1),
                new Shareholders(withGuests(WITH_QUOTAS.view())).heldElsewhere(List.of()));
    }

    private static View withGuests(View view) {
        var state = ClusterState.of(view);
        state.guests(
                List.of(
                        guest("pod", "ann", Optional.of("n")),
                        guest("next", "dan", Optional.empty())));
        return state.view(view.now());
    }

    private static Guest guest(String name, String owner, Optional<String> node) {
        return new Guest(name, "lab", owner, 0, 2, node, "", Samples.NOON, Optional.empty());
    }

    private static Job job(Scenario scenario, String name) {
        return scenario.jobs().get(scenario.id(name));
    }
}
