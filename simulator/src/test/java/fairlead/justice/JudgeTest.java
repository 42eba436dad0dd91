package fairlead.justice;

import static org.junit.jupiter.api.Assertions.assertEquals;

import fairlead.cluster.ClusterState;
import fairlead.cluster.Gpu;
import fairlead.cluster.Node;
import fairlead.cluster.View;
import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobMachine;
import fairlead.job.JobSpec;
import fairlead.job.Placement;
import fairlead.job.Project;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;
import fairlead.job.Training;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** Ann's training job, which can go on with one GPU, on four GPUs that two others want too. */
class JudgeTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Instant LATER = NOON.plus(Duration.ofDays(1));
    private static final Placement ALL_FOUR =
            new Placement(
                    List.of(
                            TaskPlacement.whole(
                                    new TaskId(Role.MAIN, 0), "node", List.of(0, 1, 2, 3))));

    private final ClusterState state = new ClusterState();
    private final Judge judge = new Judge(true);
    private final Job anns = waiting("ann", Optional.of(training(4)));

    JudgeTest() {
        List<Gpu> gpus = IntStream.range(0, 4).mapToObj(i -> new Gpu(i, "any", 0)).toList();
        state.nodes(List.of(new Node("node", gpus, 8, 0, true)));
    }

    @Test
    void whoeverWaitsThoughAnothersTrainingCouldBecomeSmallerIsWronged() {
        run();
        Job bobs = waiting("bob", Optional.of(training(1)));
        waiting("cyd", Optional.empty());
        assertEquals(List.of(), wronged(nothingIsDecided(new Judge(false))), "sizes stay");
        assertEquals(bobs.id(), wronged(nothingIsDecided(judge)).getFirst());
    }

    @Test
    void whoTakesAllAgainThoughOthersWaitForAFirstOneIsAtFault() {
        waiting("bob", Optional.of(training(1)));
        waiting("cyd", Optional.empty());
        View view = state.view(NOON.plusSeconds(60));
        judge.decided(view, Map.of(anns.id(), ALL_FOUR), List.of());
        judge.decided(state.view(NOON.plusSeconds(61)), Map.of(), List.of());
        assertEquals(1, judge.faults().size(), "of bob, who is the next: " + judge.faults());
    }

    private Judge nothingIsDecided(Judge whose) {
        View view = state.view(NOON.plus(Duration.ofHours(1)));
        whose.decided(view, Map.of(), List.of());
        return whose;
    }

    private static List<JobId> wronged(Judge judge) {
        return judge.wrongs(LATER).stream()
                .filter(wrong -> wrong.beyond().isPositive())
                .map(wrong -> wrong.injustice().waiting().id())
                .sorted()
                .toList();
    }

    private void run() {
        var attempt = new Attempt(new AttemptId(anns.id(), 1), ALL_FOUR);
        Job placed = become(anns, new Event.AttemptPlaced(NOON, attempt));
        Job running = become(placed, new Event.AttemptStarted(NOON, attempt.id()));
        become(running, new Event.TrainingJoined(NOON, attempt.id()));
    }

    private Job become(Job job, Event event) {
        Job next = JobMachine.next(job, event);
        state.change(Optional.of(job), Optional.of(next));
        return next;
    }

    private Job waiting(String owner, Optional<Training> training) {
        var spec = new JobSpec.Edit();
        spec.name = owner;
        spec.cluster = "local";
        spec.project = Project.DEFAULT;
        var ask = new Resources(training.map(Training::gpus).orElse(1), 0, 0);
        spec.roles =
                List.of(
                        new Role(
                                Role.MAIN,
                                1,
                                List.of("true"),
                                ask,
                                OptionalInt.of(1),
                                OptionalInt.empty()));
        spec.workingFolder = "/";
        spec.training = training;
        Job job =
                Job.submitted(
                        JobId.of(owner, NOON, 1),
                        spec.spec(),
                        owner,
                        NOON,
                        Optional.empty(),
                        Optional.empty());
        state.change(Optional.empty(), Optional.of(job));
        return job;
    }

    private static Training training(int gpus) {
        return new Training(
                1_000,
                1,
                1_000,
                gpus,
                1,
                4,
                false,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }
}
