package fairlead.policy.elastic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.cluster.ClusterState;
import fairlead.cluster.Experience;
import fairlead.cluster.Gpu;
import fairlead.cluster.Node;
import fairlead.cluster.Rules;
import fairlead.cluster.View;
import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobMachine;
import fairlead.job.JobSpec;
import fairlead.job.JobState;
import fairlead.job.Placement;
import fairlead.job.Profile;
import fairlead.job.Project;
import fairlead.job.Samples;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;
import fairlead.job.Training;
import fairlead.job.Verdict;
import fairlead.policies.Policies;
import fairlead.policy.Explanation;
import fairlead.policy.Obstacle;
import fairlead.policy.Plan;
import fairlead.policy.PlanCheck;
import fairlead.policy.Policy;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What elastic does with small clusters of nodes with 4 GPUs. */
class ElasticTest {
    private static final Instant NOW = Samples.NOON.plus(Duration.ofHours(1));
    private static final Policy ELASTIC = Policies.byName("elastic");

    private final ClusterState state = new ClusterState(Experience.NONE);
    private int jobs;

    @Test
    void aJobAloneGetsAllThatMakesItFaster() {
        nodes(2);
        Job job = measured(waiting("ann", training(1, 8)), Map.of(1, 80.0, 4, 20.0, 8, 10.0));
        assertEquals(Map.of(job.id(), 8), starts(plan()));
    }

    @Test
    void aSizeThatWasMeasuredToBeSlowerIsNotTaken() {
        nodes(2);
        Job job = measured(waiting("ann", training(1, 8)), Map.of(1, 80.0, 4, 20.0, 8, 25.0));
        assertEquals(Map.of(job.id(), 4), starts(plan()));
    }

    @Test
    void theLimitsOfAJobAreKept() {
        nodes(2);
        Job job = measured(waiting("ann", training(2, 2)), Map.of(2, 80.0, 4, 20.0, 8, 10.0));
        assertEquals(Map.of(job.id(), 2), starts(plan()));
    }

    @Test
    void whoeverComesIsGivenRoomBySomebodyWhoStopsAtItsCheckpoint() {
        nodes(1);
        Map<Integer, Double> linear = Map.of(1, 4_000.0, 2, 2_000.0, 4, 1_000.0);
        Job large = running(measured(waiting("bob", training(1, 4)), linear), 4, "node-0");
        Job small = measured(waiting("ann", training(1, 4)), Map.of(1, 40.0, 2, 20.0, 4, 10.0));
        Plan plan = plan();
        assertEquals(
                List.of(large.id()), plan.preempts().stream().map(Plan.Preempt::victim).toList());
        assertEquals(Optional.empty(), PlanCheck.problem(plan, view(), this::find));
        assertFalse(starts(plan).containsKey(small.id()), "its place is not free yet");
    }

    @Test
    void whoIsMadeSmallerLearnsForWhomAndIsPromisedNoNumber() {
        nodes(1);
        Map<Integer, Double> twoPay = Map.of(1, 4_000.0, 2, 2_000.0, 4, 1_900.0);
        Job large = running(measured(waiting("bob", training(1, 4)), twoPay), 4, "node-0");
        Job next = measured(waiting("bob", training(1, 4)), twoPay);
        assertEquals(
                List.of(
                        new Plan.Preempt(
                                large.id(),
                                large.id(),
                                "it goes on with fewer GPUs, to make room for " + next.id())),
                plan().preempts());
    }

    @Test
    void anOwnersFirstGpuGoesBeforeAnyonesFourthAlsoAmongTrainingJobs() {
        nodes(1);
        for (int gpu = 0; gpu < 4; gpu++) alone(waiting("ann", training(1, 1)), gpu);
        Job newcomer = waiting("bob", training(1, 1));
        assertEquals(
                List.of(newcomer.id()),
                plan().preempts().stream().map(Plan.Preempt::beneficiary).toList());
    }

    @Test
    void whatWasFreedForSomebodyIsNotGivenToWhoeverFreedIt() {
        nodes(1);
        for (int gpu = 0; gpu < 3; gpu++) alone(waiting("ann", training(1, 1)), gpu);
        Job victim = alone(waiting("ann", training(1, 1)), 3);
        Job newcomer = measured(waiting("bob", training(1, 1)), Map.of(1, 90_000.0));
        victim = become(victim, new Event.PreemptRequested(NOW, id(victim), newcomer.id(), "turn"));
        become(victim, new Event.AttemptEnded(NOW, id(victim), new Verdict.Lost("stopped")));
        assertEquals(Map.of(newcomer.id(), 1), starts(plan()));
    }

    /** By the rule alone the quota would take it back, and the sizes would start it again. */
    @Test
    void whoIsAloneTakesNothingBackFromTheirOwnTraining() {
        nodes(1);
        var lab =
                new Project(
                        "lab",
                        OptionalInt.of(4),
                        Set.of(),
                        OptionalInt.empty(),
                        Project.INTERACTIVE_LIMIT);
        state.rules(new Rules(Map.of("lab", lab), Rules.UNDISTURBED));
        running(measured(waiting("ann", training(2, 2)), Map.of(2, 10.0)), 2, "node-0");
        JobSpec inQuota = with(training(4, 4), edit -> edit.project = "lab");
        measured(waiting("ann", inQuota), Map.of(4, 900.0));
        assertEquals(List.of(), plan().preempts());
    }

    /** Together bob's one and ann's three would fill the node, and her first would wait. */
    @Test
    void whoWouldStartByTheRuleIsNotPassedByALowerPriorityOfTheSameOwner() {
        nodes(1);
        Job first = measured(waiting("ann", training(4, 4)), Map.of(3, 900.0, 4, 900.0));
        waiting("ann", with(training(3, 3), edit -> edit.priority = -1));
        measured(waiting("bob", training(1, 1)), Map.of(1, 90.0));
        assertEquals(Map.of(first.id(), 4), starts(plan()));
    }

    private Job alone(Job job, int gpu) {
        var task = TaskPlacement.whole(new TaskId("main", 0), "node-0", List.of(gpu));
        var attempt = new Attempt(new AttemptId(job.id(), 1), new Placement(List.of(task)));
        Job placed = become(job, new Event.AttemptPlaced(Samples.NOON, attempt));
        return become(placed, new Event.AttemptStarted(Samples.NOON, attempt.id()));
    }

    @Test
    void aJobWhoseScriptDoesNotReportIsLeftAlone() {
        nodes(1);
        start(waiting("ann", training(1, 4)), 1, "node-0");
        Plan plan = plan();
        assertEquals(List.of(), plan.preempts());
    }

    @Test
    void aJobThatHasJustStartedIsLeftAlone() {
        nodes(1);
        Job young = start(waiting("ann", training(1, 4)), 1, "node-0");
        young = become(young, new Event.TrainingJoined(NOW, id(young)));
        Plan plan = ELASTIC.plan(state.view(Samples.NOON.plusSeconds(59)));
        assertEquals(List.of(), plan.preempts());
        assertEquals(Optional.of(Samples.NOON.plusSeconds(119)), plan.wake());
    }

    @Test
    void whileAPlainJobWaitsNobodyGrowsAndWhoHasGrownGivesBack() {
        nodes(1);
        Job grown =
                running(
                        measured(waiting("ann", training(1, 4)), Map.of(1, 40.0, 4, 10.0)),
                        4,
                        "node-0");
        Job plain = waiting("bob", Samples.spec(Samples.role("main", 1, 2)));
        Plan plan = plan();
        assertEquals(
                List.of(
                        new Plan.Preempt(
                                grown.id(),
                                grown.id(),
                                "it goes on with fewer GPUs, to make room for " + plain.id())),
                plan.preempts());
    }

    @Test
    void whoHasGrownIsNotAskedToGiveBackWhatItAskedFor() {
        nodes(1);
        running(measured(waiting("bob", training(1, 4)), Map.of(1, 40.0, 2, 20.0)), 2, "node-0");
        for (int gpu = 2; gpu < 4; gpu++) {
            alone(waiting("eve", Samples.spec(Samples.role("main", 1, 1))), gpu);
        }
        waiting("eve", Samples.spec(Samples.role("main", 1, 2)));
        assertEquals(List.of(), plan().preempts(), "bob's job would wait, and eve's stop for it");
    }

    @Test
    void nobodyIsAskedToGiveBackWhileEnoughIsAlreadyBeingGivenBack() {
        nodes(2);
        Map<Integer, Double> linear = Map.of(1, 40.0, 4, 10.0);
        Job first = running(measured(waiting("ann", training(1, 4)), linear), 4, "node-0");
        running(measured(waiting("ann", training(1, 4)), linear), 4, "node-1");
        Job plain = waiting("bob", Samples.spec(Samples.role("main", 1, 2)));
        assertEquals(1, plan().preempts().size());
        become(first, new Event.PreemptRequested(NOW, id(first), plain.id(), "it has grown"));
        assertEquals(List.of(), plan().preempts());
    }

    @Test
    void nobodyIsMadeSmallerWithinARoundOfTheLastStop() {
        nodes(1);
        Map<Integer, Double> twoPay = Map.of(1, 4_000.0, 2, 2_000.0, 4, 1_900.0);
        Job back = start(measured(waiting("bob", training(1, 4)), twoPay), 4, "node-0");
        Instant asked = NOW.minusSeconds(30);
        back = become(back, new Event.PreemptRequested(asked, id(back), back.id(), "size"));
        become(back, new Event.AttemptEnded(NOW, id(back), new Verdict.Lost("stopped")));
        Job large = running(measured(waiting("bob", training(1, 4)), twoPay), 4, "node-0");
        assertEquals(List.of(), plan().preempts());
        Plan aRoundLater = ELASTIC.plan(state.view(asked.plus(Elastic.ROUND)));
        assertEquals(
                List.of(large.id()),
                aRoundLater.preempts().stream().map(Plan.Preempt::victim).toList());
    }

    @Test
    void whoWouldFitIsToldThatOthersGainMore() {
        nodes(1);
        Map<Integer, Double> linear = Map.of(1, 400.0, 2, 200.0, 4, 100.0);
        for (int i = 0; i < 9; i++) measured(waiting("ann", training(1, 4)), linear);
        Map<JobId, Integer> starts = starts(plan());
        int waiting = 0;
        for (Explanation each : ELASTIC.explain(view())) {
            boolean isStarting = starts.containsKey(each.job());
            assertEquals(isStarting, each.obstacles().isEmpty(), each::toString);
            if (isStarting || each.place() > 4) continue;
            assertEquals(List.of(new Obstacle.OthersGainMore()), each.obstacles());
            waiting++;
        }
        assertTrue(waiting > 0, "some of the four for whom there is a GPU");
    }

    @Test
    void plainJobsStartAsTheFairRuleSays() {
        nodes(2);
        Job plain = waiting("bob", Samples.spec(Samples.role("main", 1, 4)));
        Job job = measured(waiting("ann", training(1, 64)), Map.of(1, 40.0, 4, 10.0));
        Map<JobId, Integer> starts = starts(plan());
        assertEquals(4, starts.get(plain.id()));
        assertEquals(4, starts.get(job.id()), "what is left");
    }

    @Test
    void ownersShareAlikeHoweverManyJobsTheyHave() {
        nodes(2);
        Map<Integer, Double> linear = Map.of(1, 80.0, 4, 20.0, 8, 10.0);
        var ids = new ArrayList<JobId>();
        for (int i = 0; i < 7; i++) ids.add(measured(waiting("ann", training(1, 8)), linear).id());
        JobId bobs = measured(waiting("bob", training(1, 8)), linear).id();
        Map<JobId, Integer> starts = starts(plan());
        assertEquals(4, starts.get(bobs));
        assertEquals(4, ids.stream().mapToInt(id -> starts.getOrDefault(id, 0)).sum());
    }

    @Test
    void whoIsInDangerOfMissingADeadlineGoesFirst() {
        nodes(1);
        Map<Integer, Double> flat = Map.of(4, 100.0);
        Job early = measured(waiting("ann", training(4, 4)), flat);
        Job urgent =
                measured(
                        waiting("ann", with(training(4, 4), Optional.of(NOW.plusSeconds(1_050)))),
                        flat);
        Map<JobId, Integer> starts = starts(plan());
        assertEquals(Map.of(urgent.id(), 4), starts);
        assertFalse(starts.containsKey(early.id()));
    }

    @Test
    void aJobOfWhichNothingIsKnownIsNotGivenTheWholeCluster() {
        nodes(8);
        Job unknown = waiting("ann", training(2, 64));
        Job known = measured(waiting("ann", training(4, 64)), Map.of(4, 100.0, 8, 50.0));
        Map<JobId, Integer> starts = starts(plan());
        assertTrue(starts.get(unknown.id()) < 32, starts::toString);
        assertTrue(starts.containsKey(known.id()));
    }

    @Test
    void withoutTrainingItIsTheFairRule() {
        nodes(1);
        for (int i = 0; i < 9; i++) {
            waiting(i % 2 == 0 ? "ann" : "bob", Samples.spec(Samples.role("main", 1, 1 + i % 3)));
        }
        assertEquals(Policies.byName("fair").plan(view()), plan());
        assertEquals(Policies.byName("fair").explain(view()), ELASTIC.explain(view()));
    }

    private void nodes(int count) {
        state.nodes(
                IntStream.range(0, count)
                        .mapToObj(
                                i ->
                                        new Node(
                                                "node-" + i,
                                                IntStream.range(0, 4)
                                                        .mapToObj(k -> new Gpu(k, "declared", 0))
                                                        .toList(),
                                                0,
                                                0,
                                                true))
                        .toList());
    }

    private View view() {
        return state.view(NOW);
    }

    private Plan plan() {
        Plan plan = ELASTIC.plan(view());
        assertEquals(Optional.empty(), PlanCheck.problem(plan, view(), this::find));
        assertEquals(plan, ELASTIC.plan(view()), "the same view, the same plan");
        return plan;
    }

    private Optional<Job> find(JobId id) {
        View view = view();
        return Stream.concat(
                        view.active().stream(),
                        view.queues().stream().flatMap(queue -> queue.gpuJobs().stream()))
                .filter(job -> job.id().equals(id))
                .findFirst();
    }

    private static Map<JobId, Integer> starts(Plan plan) {
        var starts = new TreeMap<JobId, Integer>();
        for (Plan.Start start : plan.starts()) {
            int gpus =
                    start.placement().tasks().stream().mapToInt(task -> task.shares().size()).sum();
            starts.put(start.job(), gpus);
        }
        return starts;
    }

    private static JobSpec training(int gpus, int gpusMax) {
        Training any = Samples.training(gpus, 10).training().orElseThrow();
        return with(
                Samples.training(gpus, 10),
                new Training(
                        any.epochs(),
                        any.batchSize(),
                        any.trainingSetSize(),
                        gpus,
                        Math.min(gpus, gpusMax == gpus ? gpus : 1),
                        gpusMax,
                        false,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()));
    }

    private static JobSpec with(JobSpec spec, Optional<Instant> deadline) {
        Training old = spec.training().orElseThrow();
        return with(
                spec,
                new Training(
                        old.epochs(),
                        old.batchSize(),
                        old.trainingSetSize(),
                        old.gpus(),
                        old.gpusMin(),
                        old.gpusMax(),
                        old.sharing(),
                        old.memoryBytes(),
                        old.estimate(),
                        deadline));
    }

    private static JobSpec with(JobSpec spec, Training training) {
        return with(spec, edit -> edit.training = Optional.of(training));
    }

    private static JobSpec with(JobSpec spec, Consumer<JobSpec.Edit> change) {
        var edit = new JobSpec.Edit(spec);
        change.accept(edit);
        return edit.spec();
    }

    private Job waiting(String owner, JobSpec spec) {
        Job job = Samples.job(++jobs, owner, spec);
        state.change(Optional.empty(), Optional.of(job));
        return job;
    }

    /** Lets the owner's script have shown this already; here all scripts of an owner are one. */
    private Job measured(Job job, Map<Integer, Double> epochSeconds) {
        epochSeconds.forEach(
                (gpus, seconds) -> {
                    Job ran = place(job, gpus);
                    var epoch =
                            new Profile.Epoch(
                                    1, OptionalDouble.of(seconds), OptionalDouble.empty(), 0);
                    state.learn(ran, new Event.EpochEnded(NOW, id(ran), epoch));
                });
        return job;
    }

    private static Job place(Job job, int gpus) {
        int each = Math.min(gpus, 4);
        var tasks = new ArrayList<TaskPlacement>();
        for (int i = 0; i < gpus / each; i++) {
            tasks.add(
                    TaskPlacement.whole(
                            new TaskId("main", i),
                            "node-" + i,
                            IntStream.range(0, each).boxed().toList()));
        }
        var attempt =
                new Attempt(new AttemptId(job.id(), job.attempts() + 1), new Placement(tasks));
        return JobMachine.next(job, new Event.AttemptPlaced(Samples.NOON, attempt));
    }

    /** Since noon, and reporting. */
    private Job running(Job job, int gpus, String node) {
        Job running = start(job, gpus, node);
        return become(running, new Event.TrainingJoined(NOW, id(running)));
    }

    private Job start(Job job, int gpus, String node) {
        var task =
                TaskPlacement.whole(
                        new TaskId("main", 0), node, IntStream.range(0, gpus).boxed().toList());
        var attempt = new Attempt(new AttemptId(job.id(), 1), new Placement(List.of(task)));
        Job placed = become(job, new Event.AttemptPlaced(Samples.NOON, attempt));
        return become(placed, new Event.AttemptStarted(Samples.NOON, attempt.id()));
    }

    private Job become(Job job, Event event) {
        Job next = JobMachine.next(job, event);
        state.change(Optional.of(job), Optional.of(next));
        return next;
    }

    private static AttemptId id(Job job) {
        return ((JobState.Active) job.state()).attempt().id();
    }
}
