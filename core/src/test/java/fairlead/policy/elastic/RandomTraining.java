package fairlead.policy.elastic;

import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Event;
import fairlead.job.GpuPart;
import fairlead.job.Job;
import fairlead.job.JobMachine;
import fairlead.job.JobSpec;
import fairlead.job.JobState;
import fairlead.job.Placement;
import fairlead.job.Profile;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.job.Samples;
import fairlead.job.Training;
import fairlead.policy.RandomCluster;
import fairlead.policy.Room;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.SplittableRandom;

/**
 * Training jobs from a seed on a {@link RandomCluster}: of fixed size and elastic ones, some that
 * share GPUs, some that have outgrown what they declared, some whose scripts are silent.
 */
final class RandomTraining {
    private static final int FIRST_NUMBER = 1_000;

    private final RandomCluster cluster;
    private final SplittableRandom dice;

    RandomTraining(RandomCluster cluster, long seed) {
        this.cluster = cluster;
        this.dice = new SplittableRandom(~seed);
        if (dice.nextInt(4) > 0) cancelPlainJobs();
        int gpus = cluster.view().nodes().stream().mapToInt(n -> n.node().gpus().size()).sum();
        int count = 1 + gpus + dice.nextInt(gpus + 1);
        for (int i = 0; i < count; i++) add(job(FIRST_NUMBER + i));
    }

    /** Where a plain job waits, nobody moves in with anybody. */
    private void cancelPlainJobs() {
        for (Job job : List.copyOf(cluster.jobs.values())) {
            if (job.state() instanceof JobState.Queued) {
                cluster.put(
                        JobMachine.next(
                                job, new Event.CancelRequested(cluster.now(), job.owner())));
            }
        }
    }

    private Job job(int number) {
        int gpus = 1 + (dice.nextInt(6) == 0 ? dice.nextInt(4) : 0);
        int least = dice.nextBoolean() ? gpus : 1 + dice.nextInt(gpus);
        var training =
                new Training(
                        100,
                        32,
                        3_200,
                        gpus,
                        least,
                        gpus + (dice.nextBoolean() ? 0 : dice.nextInt(8)),
                        dice.nextInt(4) > 0,
                        dice.nextInt(5) > 0
                                ? Optional.of((long) dice.nextInt(1, 13) << 30)
                                : Optional.empty(),
                        Optional.empty(),
                        Optional.empty());
        var role =
                new Role(
                        "main",
                        1,
                        List.of("python", "script-" + dice.nextInt(4)),
                        new Resources(gpus, dice.nextInt(3), (long) dice.nextInt(9) << 30),
                        OptionalInt.of(1),
                        OptionalInt.empty());
        var spec =
                JobSpec.of(
                        edit -> {
                            edit.name = "training";
                            edit.cluster = "local";
                            edit.project = "lab-" + dice.nextInt(4);
                            edit.priority = dice.nextInt(-1, 2);
                            edit.roles = List.of(role);
                            edit.retries = 9;
                            edit.workingFolder = "/tmp";
                            edit.training = Optional.of(training);
                        });
        return Samples.job(number, "owner-" + dice.nextInt(4), spec);
    }

    private void add(Job job) {
        cluster.put(job);
        if (dice.nextInt(3) == 0) return;
        Optional<Placement> place =
                Room.now(cluster.view()).take(part(job).map(this::asPart).orElse(job.spec()));
        if (place.isEmpty()) return;
        Instant since = cluster.now().minusSeconds(dice.nextInt(9_000));
        var attempt = new Attempt(new AttemptId(job.id(), 1), place.get());
        cluster.put(JobMachine.next(job, new Event.AttemptPlaced(since, attempt)));
        if (dice.nextInt(8) > 0) begin(attempt.id(), since);
    }

    private record Part(Job job, long bytes) {}

    private Optional<Part> part(Job job) {
        return SharedGpus.need(job, cluster.view()).map(bytes -> new Part(job, bytes));
    }

    private JobSpec asPart(Part part) {
        return part.job().spec().sized(1, 1, new GpuPart.Memory(part.bytes()));
    }

    private void begin(AttemptId attempt, Instant at) {
        become(attempt, new Event.AttemptStarted(at, attempt));
        if (dice.nextInt(6) == 0) return;
        become(attempt, new Event.TrainingJoined(at, attempt));
        if (dice.nextInt(4) > 0) report(attempt);
    }

    /** An epoch ends, and sometimes the memory has grown. */
    private void report(AttemptId attempt) {
        Job job = cluster.jobs.get(attempt.job());
        var epoch =
                new Profile.Epoch(
                        Math.min(100, job.progress().epochsDone() + 1),
                        OptionalDouble.of(dice.nextInt(10, 300)),
                        OptionalDouble.empty(),
                        dice.nextInt(3) == 0 ? (long) dice.nextInt(1, 25) << 30 : 0,
                        dice.nextInt(3) == 0 ? "python script-" + dice.nextInt(4) + " 32" : "");
        Instant at = cluster.now().minusSeconds(dice.nextInt(200));
        become(attempt, new Event.EpochEnded(at, attempt, epoch));
    }

    private void become(AttemptId attempt, Event event) {
        cluster.put(JobMachine.next(cluster.jobs.get(attempt.job()), event));
    }

    /** Some time goes by: who was told to stop has stopped, who was placed runs and reports. */
    void pass() {
        cluster.endStops();
        cluster.pass(Duration.ofSeconds(dice.nextInt(10, 300)));
        for (Job job : List.copyOf(cluster.jobs.values())) {
            if (job.spec().training().isEmpty()) continue;
            if (job.state() instanceof JobState.Starting starting) {
                begin(starting.attempt().id(), cluster.now());
            } else if (job.stopsAtCheckpoint() && dice.nextBoolean()) {
                report(((JobState.Active) job.state()).attempt().id());
            }
        }
    }
}
