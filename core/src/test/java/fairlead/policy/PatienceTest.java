package fairlead.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import fairlead.job.JobId;
import fairlead.policies.Policies;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** How long a job with a reservation lets those pass that promise to be short. */
class PatienceTest {
    /** X0 runs for two days more, so bob's gang waits. Ann's job promises to end long before. */
    private static final Scenario SCENE =
            Scenario.parse(
                    List.of(
                            "node n gpus=4",
                            "active x0 xu gpus=2 limit=3000 on n 0,1",
                            "wait b1 bob gpus=4",
                            "wait a1 ann gpus=1 limit=30"));

    private static final Instant SUBMITTED = SCENE.jobs().get(SCENE.id("b1")).submitted();

    @Test
    void nobodyPassesAJobThatHasWaitedForADay() {
        Instant day = SUBMITTED.plus(Duration.ofHours(24));
        assertEquals(List.of(SCENE.id("a1")), starts(day.minusSeconds(1)));
        assertEquals(List.of(), starts(day));
    }

    private static List<JobId> starts(Instant now) {
        Plan plan = Policies.byName("fair").plan(SCENE.view().at(now));
        return plan.starts().stream().map(Plan.Start::job).toList();
    }
}
