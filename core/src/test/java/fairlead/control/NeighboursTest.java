package fairlead.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.cluster.Experience;
import fairlead.cluster.Gpu;
import fairlead.cluster.Node;
import fairlead.cluster.Rules;
import fairlead.cluster.View;
import fairlead.engine.Observation;
import fairlead.job.AttemptId;
import fairlead.job.Event;
import fairlead.job.Exit;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.JobState;
import fairlead.job.Placement;
import fairlead.job.Profile;
import fairlead.job.Samples;
import fairlead.job.Setup;
import fairlead.job.Share;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;
import fairlead.journal.JournalException;
import fairlead.journal.MemoryJournal;
import fairlead.policy.Explanation;
import fairlead.policy.Plan;
import fairlead.policy.Policy;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/** How fast an epoch was is kept together with who used the same GPU all the while. */
class NeighboursTest {
    private static final long PART = 4L << 30;
    private static final JobSpec SPEC = Samples.training(1, 100);
    private static final String SCRIPT = SPEC.script();

    private final Controller controller;
    private Instant now = Samples.NOON;

    /** Puts everybody on the one GPU. */
    private static final class Crowding implements Policy {
        @Override
        public Plan plan(View view) {
            var starts = new ArrayList<Plan.Start>();
            view.queues().stream()
                    .flatMap(queue -> queue.gpuJobs().stream())
                    .forEach(
                            job -> {
                                var task =
                                        new TaskPlacement(
                                                new TaskId("main", 0),
                                                "node",
                                                List.of(new Share(0, PART)));
                                starts.add(new Plan.Start(job.id(), new Placement(List.of(task))));
                            });
            return new Plan(starts, List.of());
        }

        @Override
        public List<Explanation> explain(View view) {
            return List.of();
        }
    }

    NeighboursTest() throws JournalException {
        controller =
                new Controller(
                        new MemoryJournal(),
                        List.of(new Cluster("local", new Crowding(), Experience.NONE)),
                        Rules.NONE,
                        new SplittableRandom(1));
        var node = new Node("node", List.of(new Gpu(0, "big", 4 * PART)), 0, 0, true);
        controller.tick(now, List.of(new Message.NodesSeen("local", List.of(node))));
    }

    @Test
    void anEpochAloneIsMeasuredAsSuch() throws Exception {
        JobId job = start();
        epoch(job, 100, 90);
        assertEquals(90, speed(job, Setup.ALONE).orElseThrow().epochSeconds());
    }

    @Test
    void anEpochBesideSomebodyIsMeasuredAsThat() throws Exception {
        JobId job = start();
        start();
        epoch(job, 100, 90);
        assertEquals(90, speed(job, SCRIPT).orElseThrow().epochSeconds());
        assertTrue(speed(job, Setup.ALONE).isEmpty());
    }

    @Test
    void anEpochInWhichSomebodyCameTellsNothing() throws Exception {
        JobId job = start();
        now = now.plusSeconds(50);
        start();
        epoch(job, 50, 90);
        assertEquals(1, job(job).progress().epochsDone(), "but it counts");
        assertEquals(Map.of(), job(job).progress().profile().speeds());
        epoch(job, 120, 110);
        assertEquals(110, speed(job, SCRIPT).orElseThrow().epochSeconds());
    }

    @Test
    void anEpochInWhichSomebodyWentTellsNothing() throws Exception {
        JobId job = start();
        JobId other = start();
        now = now.plusSeconds(50);
        end(other);
        epoch(job, 50, 90);
        assertEquals(Map.of(), job(job).progress().profile().speeds());
        epoch(job, 80, 70);
        assertEquals(70, speed(job, Setup.ALONE).orElseThrow().epochSeconds());
    }

    private JobId start() throws Exception {
        var answer = new CompletableFuture<Message.Submitted>();
        tick(
                new Message.Submit(
                        "ann",
                        List.of(SPEC),
                        Optional.empty(),
                        OptionalInt.empty(),
                        List.of(),
                        answer));
        JobId id = answer.get().jobs().getFirst();
        observe(Map.of());
        return id;
    }

    private void end(JobId ended) throws Exception {
        observe(Map.of(attempt(ended), Exit.of(0, now)));
    }

    private void observe(Map<AttemptId, Exit> exits) throws Exception {
        var seen = new ArrayList<Observation>();
        for (Job each : controller.unfinished()) {
            AttemptId id = attempt(each.id());
            Map<TaskId, Exit> ended =
                    exits.containsKey(id) ? Map.of(new TaskId("main", 0), exits.get(id)) : Map.of();
            seen.add(new Observation(id, true, ended));
        }
        tick(new Message.Observed("local", seen, Long.MAX_VALUE));
    }

    /** After so many seconds, an epoch ends that took so long. */
    private void epoch(JobId job, int after, double seconds) throws Exception {
        now = now.plusSeconds(after);
        AttemptId attempt = attempt(job);
        var epoch =
                new Profile.Epoch(
                        job(job).progress().epochsDone() + 1,
                        OptionalDouble.of(seconds),
                        OptionalDouble.empty(),
                        0);
        tick(
                new Message.Trained(
                        attempt,
                        at -> new Event.EpochEnded(at, attempt, epoch),
                        new CompletableFuture<>()));
    }

    private void tick(Message message) throws JournalException {
        controller.tick(now, List.of(message));
    }

    private AttemptId attempt(JobId job) {
        return ((JobState.Active) job(job).state()).attempt().id();
    }

    private Job job(JobId id) {
        return controller.unfinished(id).orElseThrow();
    }

    private Optional<Profile.Speed> speed(JobId job, String beside) {
        return job(job).progress().profile().speed(new Setup(1, 1, beside));
    }
}
