package fairlead.job;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Small valid values for tests; each test changes only what it is about. */
public final class Samples {
    public static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private Samples() {}

    public static Role role(String name, int count, int gpus) {
        return new Role(
                name,
                count,
                List.of("true"),
                new Resources(gpus, gpus == 0 ? 1 : 0, 0),
                OptionalInt.of(1),
                OptionalInt.empty());
    }

    public static JobSpec spec(Role... roles) {
        return spec(0, 0, Optional.empty(), roles);
    }

    public static JobSpec spec(
            int priority, int retries, Optional<Duration> timeLimit, Role... roles) {
        var spec = new JobSpec.Edit();
        spec.name = "sample";
        spec.cluster = "local";
        spec.project = "default";
        spec.priority = priority;
        spec.roles = List.of(roles);
        spec.retries = retries;
        spec.timeLimit = timeLimit;
        spec.workingFolder = "/tmp";
        return spec.spec();
    }

    /** A training job that may have any number of GPUs. */
    public static JobSpec training(int gpus, int epochs) {
        JobSpec plain = spec(role("main", 1, gpus));
        var spec = new JobSpec.Edit(plain);
        spec.training =
                Optional.of(
                        new Training(
                                epochs,
                                32,
                                3_200,
                                gpus,
                                1,
                                64,
                                true,
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty()));
        return spec.spec();
    }

    public static Job job(int number, String owner, JobSpec spec) {
        Instant submitted = NOON.plusSeconds(number);
        return Job.submitted(
                JobId.of(spec.name(), submitted, number),
                spec,
                owner,
                submitted,
                Optional.empty(),
                Optional.empty());
    }

    /** Every task on the one node, with GPUs counted from 0. */
    public static Attempt attempt(Job job, String node) {
        var tasks = new ArrayList<TaskPlacement>();
        int gpu = 0;
        for (Role role : job.spec().roles()) {
            for (int i = 0; i < role.count(); i++) {
                var gpus = new ArrayList<Integer>();
                for (int k = 0; k < role.resources().gpus(); k++) gpus.add(gpu++);
                tasks.add(TaskPlacement.whole(new TaskId(role.name(), i), node, gpus));
            }
        }
        return new Attempt(new AttemptId(job.id(), job.attempts() + 1), new Placement(tasks));
    }
}
