package fairlead.policy.elastic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.JobMachine;
import fairlead.job.Placement;
import fairlead.job.Samples;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;
import fairlead.policy.Scenario;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.stream.IntStream;

class TrainingJobsTest {
    @ParameterizedTest(name = "{0} | {1}: {2}")
    @CsvSource({
        "active a1 ann gpus=1 on n 0, wait a2 ann gpus=1, false",
        "active a1 ann gpus=1 on n 0, wait b1 bob gpus=1, true",
        "active a1 ann gpus=1 on n 0, wait b1 bob, false",
        "active a1 ann on n, wait b1 bob gpus=1, false",
    })
    void ownersAreSeveralWhoHoldGpusOrWaitForThem(String one, String other, boolean several) {
        var view = Scenario.parse(List.of("node n gpus=1", one, other)).view();
        assertEquals(several, TrainingJobs.areOwnersSeveral(view));
    }

    @Test
    void aTrainingJobHasGrownBeyondWhatItAskedFor() {
        Job asked = Samples.job(1, "ann", Samples.training(2, 10));
        assertFalse(TrainingJobs.hasGrown(asked));
        assertTrue(TrainingJobs.hasGrown(sized(asked, 3)));
        assertFalse(TrainingJobs.hasGrown(sized(asked, 1)));
        Job plain = Samples.job(1, "ann", Samples.spec(Samples.role("main", 1, 8)));
        assertFalse(TrainingJobs.hasGrown(plain));
    }

    private static Job sized(Job job, int gpus) {
        var task =
                TaskPlacement.whole(
                        new TaskId("main", 0), "n", IntStream.range(0, gpus).boxed().toList());
        var attempt = new Attempt(new AttemptId(job.id(), 1), new Placement(List.of(task)));
        return JobMachine.next(job, new Event.AttemptPlaced(Samples.NOON, attempt));
    }
}
