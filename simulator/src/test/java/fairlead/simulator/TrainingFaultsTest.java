package fairlead.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.cluster.Gpu;
import fairlead.cluster.Node;
import fairlead.control.Message;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.JobState;
import fairlead.job.Profile;
import fairlead.job.Project;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.job.StopReason;
import fairlead.job.TaskId;
import fairlead.job.Training;
import fairlead.journal.FinishedQuery;
import fairlead.journal.MemoryJournal;
import fairlead.policies.Policies;
import fairlead.testing.Seeds;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Goal: every epoch of every training job is done once and only once, whatever breaks. Method: the
 * real controller under elastic, which grows, shrinks and pauses the jobs; scripts that save a
 * checkpoint after each epoch and stop there when they are asked to; and dice that lose calls,
 * answers, reports, tasks, nodes and the server itself.
 */
@Tag("slow")
class TrainingFaultsTest {
    private static final int JOBS = 12;
    private static final Faults TROUBLE = new Faults(50, 50, 30, 15, 10, 5, 5);

    @Seeds(50)
    void everyEpochIsDoneOnce(long seed) throws Exception {
        var world = new World(seed);
        world.peopleSubmit();
        world.simulation.run(Duration.ofMinutes(40));
        world.simulation.calm();
        world.simulation.run(Duration.ofHours(12));
        world.check();
    }

    @Test
    void jobsAreReallyAskedToStopAndResized() throws Exception {
        int asked = 0;
        Set<Integer> sizes = new HashSet<>();
        for (long seed = 0; seed < 10; seed++) {
            var world = new World(seed);
            world.peopleSubmit();
            world.simulation.run(Duration.ofHours(2));
            asked += world.obeyed;
            sizes.addAll(world.sizes);
        }
        assertTrue(asked > 20, "asked: " + asked);
        assertTrue(sizes.size() > 3, "sizes: " + sizes);
    }

    /** The scripts and their disk, which outlives every attempt. */
    private static final class World implements SimulatedEngine.Behaviour {
        final MemoryJournal journal = new MemoryJournal();
        final SplittableRandom dice;
        final Simulation simulation;
        final Map<JobId, Integer> checkpoints = new HashMap<>();
        final Set<Integer> sizes = new HashSet<>();
        int obeyed;

        World(long seed) throws Exception {
            dice = new SplittableRandom(seed);
            List<Node> nodes =
                    IntStream.range(0, 3)
                            .mapToObj(i -> new Node("node-" + i, gpus(), 4, 1L << 34, true))
                            .toList();
            simulation =
                    new Simulation(
                            seed,
                            TROUBLE,
                            nodes,
                            this,
                            Policies.byName("elastic"),
                            journal,
                            _ -> {});
        }

        private static List<Gpu> gpus() {
            return IntStream.range(0, 4).mapToObj(g -> new Gpu(g, "declared", 0)).toList();
        }

        void peopleSubmit() {
            for (int i = 0; i < JOBS; i++) {
                String request = "request-" + i;
                JobSpec spec = spec(dice.nextInt(1, 5), dice.nextInt(2, 12));
                String owner = "owner-" + dice.nextInt(2);
                simulation.after(
                        Duration.ofSeconds(dice.nextInt(900)), () -> submit(owner, request, spec));
            }
        }

        private void submit(String owner, String request, JobSpec spec) {
            var answer = new CompletableFuture<Message.Submitted>();
            simulation.offer(
                    new Message.Submit(
                            owner,
                            List.of(spec),
                            Optional.of(request),
                            OptionalInt.empty(),
                            List.of(),
                            answer));
            simulation.after(
                    Duration.ofSeconds(5),
                    () -> {
                        if (!answer.isDone() || answer.isCompletedExceptionally()) {
                            submit(owner, request, spec);
                        }
                    });
        }

        private static JobSpec spec(int gpus, int epochs) {
            var role =
                    new Role(
                            Role.MAIN,
                            1,
                            List.of("python", "train.py"),
                            new Resources(gpus, 0, 0),
                            OptionalInt.of(1),
                            OptionalInt.empty());
            var spec = new JobSpec.Edit();
            spec.name = "train";
            spec.cluster = Simulation.CLUSTER;
            spec.project = Project.DEFAULT;
            spec.roles = List.of(role);
            spec.workingFolder = "/";
            spec.training =
                    Optional.of(
                            new Training(
                                    epochs,
                                    1,
                                    epochs,
                                    gpus,
                                    1,
                                    12,
                                    false,
                                    Optional.empty(),
                                    Optional.empty(),
                                    Optional.empty()));
            return spec.spec();
        }

        @Override
        public void launched(Effect.Launch launch) {
            sizes.add(launch.job().spec().gpus());
            tell(launch.attempt(), at -> new Event.TrainingJoined(at, launch.attempt()));
            begin(launch);
        }

        /** One epoch; four GPUs are three times as fast as one. */
        private void begin(Effect.Launch launch) {
            int epochs = launch.job().spec().training().orElseThrow().epochs();
            if (checkpoints.getOrDefault(launch.attempt().job(), 0) == epochs) {
                // Its last exit was lost with its node: there is nothing left to do.
                simulation.after(
                        Duration.ofSeconds(1),
                        () -> simulation.machines().finish(launch.attempt()));
                return;
            }
            double seconds = 90 / (1 + 2 * Math.log(launch.job().spec().gpus()) / Math.log(4));
            simulation.after(
                    Duration.ofMillis((long) (seconds * 1_000)), () -> epochEnds(launch, seconds));
        }

        private void epochEnds(Effect.Launch launch, double seconds) {
            AttemptId attempt = launch.attempt();
            if (!simulation.machines().isWhole(attempt)) return;
            int done = checkpoints.merge(attempt.job(), 1, Integer::sum);
            int epochs = launch.job().spec().training().orElseThrow().epochs();
            assertTrue(done <= epochs, attempt + " has done " + done + " epochs");
            var epoch =
                    new Profile.Epoch(done, OptionalDouble.of(seconds), OptionalDouble.empty(), 0);
            tell(attempt, at -> new Event.EpochEnded(at, attempt, epoch));
            if (done == epochs) {
                simulation.machines().finish(attempt);
            } else if (isAsked(attempt)) {
                obeyed++;
                simulation.machines().finish(attempt);
            } else {
                begin(launch);
            }
        }

        /** As a script would ask over HTTP; a server that is down says nothing. */
        private boolean isAsked(AttemptId attempt) {
            return simulation
                    .controller()
                    .unfinished(attempt.job())
                    .filter(
                            job ->
                                    job.state() instanceof JobState.Stopping stopping
                                            && stopping.attempt().id().equals(attempt)
                                            && stopping.reason()
                                                    instanceof StopReason.Preempted reason
                                            && reason.atCheckpoint())
                    .isPresent();
        }

        private void tell(AttemptId attempt, Function<Instant, Event.Report> report) {
            simulation.offer(new Message.Trained(attempt, report, new CompletableFuture<>()));
        }

        /** The script decides when it ends; this only has to be longer. */
        @Override
        public Duration runTime(JobSpec spec, TaskId task) {
            return Duration.ofDays(10);
        }

        @Override
        public int exitCode(JobSpec spec, TaskId task) {
            return 0;
        }

        @Override
        public Duration obedience(JobSpec spec, TaskId task) {
            return Duration.ofSeconds(1);
        }

        void check() throws Exception {
            int count = 0;
            for (Job job : journal.finished(all())) {
                count++;
                assertEquals("succeeded", job.state().word(), job::toString);
                assertEquals(
                        job.spec().training().orElseThrow().epochs(),
                        checkpoints.get(job.id()),
                        job::toString);
            }
            assertEquals(JOBS, count, () -> "unfinished: " + simulation.controller().unfinished());
        }

        private static FinishedQuery all() {
            return FinishedQuery.all(Optional.empty(), 1_000);
        }
    }
}
