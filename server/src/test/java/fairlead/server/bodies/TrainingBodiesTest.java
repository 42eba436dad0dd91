package fairlead.server.bodies;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import fairlead.api.SpeedBody;
import fairlead.api.spec.SpecBody;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.Profile;
import fairlead.job.Setup;
import fairlead.wire.Json;
import fairlead.wire.Specs;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

final class TrainingBodiesTest {
    private static final Job JOB =
            Job.submitted(
                    new JobId("train_1763200000_0000002a"),
                    spec(",\"training\":{\"epochs\":9}"),
                    "ann",
                    Instant.parse("2025-11-15T09:46:40Z"),
                    Optional.empty(),
                    Optional.empty());

    private static JobSpec spec(String more) {
        String text = "{\"command\":[\"python3\",\"train.py\"],\"gpus\":1%s}".formatted(more);
        var defaults = new Specs.Defaults("ann", "default", "/home/ann", true, "local");
        return Specs.read(Json.read(SpecBody.class, text), defaults);
    }

    @Test
    void nobodyIsToldWhoseScriptsWereBesideATraining() {
        var known =
                new Profile(
                        Map.of(
                                Setup.alone(1, 1),
                                new Profile.Speed(10, 0, 3),
                                new Setup(1, 1, "python3 secret.py"),
                                new Profile.Speed(12, 0, 3),
                                new Setup(1, 1, "python3 other.py"),
                                new Profile.Speed(20, 0, 1),
                                Setup.alone(2, 8),
                                new Profile.Speed(2.5, 0.5, 4)),
                        0);
        var body = TrainingBodies.profile(JOB, known);
        assertEquals(
                List.of(
                        new SpeedBody(1, 1, false, 10, null, 3, 1, false),
                        new SpeedBody(1, 1, true, 14, null, 4, 10.0 / 14, false),
                        new SpeedBody(2, 8, false, 2.5, 0.5, 4, 4, false)),
                body.rows());
        assertNull(body.gpuMemoryBytes());
    }

    @Test
    void aJobThatDoesNotTrainHasNoProgress() {
        Job plain = JOB.asking(spec(""));
        assertNull(TrainingBodies.progress(plain));
        assertNull(TrainingBodies.setbacks(plain));
        assertEquals(9, TrainingBodies.progress(JOB).epochs());
    }
}
