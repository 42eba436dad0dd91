package fairlead.bench;

import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.Project;
import fairlead.job.Resources;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SplittableRandom;

/** An endless row of gangs from 100 owners: 2 to 8 tasks with 1 to 8 GPUs each, from a seed. */
final class Gangs {
    private static final int OWNERS = 100;

    private final SplittableRandom dice = new SplittableRandom(1);
    private int made;

    String owner() {
        return "owner-" + dice.nextInt(OWNERS);
    }

    JobSpec spec() {
        var resources = new Resources(1 + dice.nextInt(8), 4, 16L << 30);
        return Crowd.spec(
                Project.DEFAULT,
                Crowd.role(2 + dice.nextInt(7), resources),
                Optional.of(Duration.ofHours(4)));
    }

    /** The next one, waiting. */
    Job next() {
        Instant submitted = Crowd.NOON.minusSeconds(1_000_000).plusMillis(made);
        return Job.submitted(
                JobId.of("gang", submitted, made++),
                spec(),
                owner(),
                submitted,
                Optional.empty(),
                Optional.empty());
    }
}
