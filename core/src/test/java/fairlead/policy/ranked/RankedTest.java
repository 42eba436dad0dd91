package fairlead.policy.ranked;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

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
import fairlead.job.Placement;
import fairlead.job.Samples;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;
import fairlead.job.Verdict;
import fairlead.policies.Policies;
import fairlead.policy.Explanation;
import fairlead.policy.Obstacle;
import fairlead.policy.Plan;
import fairlead.policy.PlanCheck;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Who runs, who is stopped for whom, and who has to wait in between. */
class RankedTest {
    private static final Instant START = Samples.NOON.plusSeconds(100);

    private final List<Node> nodes = new ArrayList<>();
    private final Map<String, Job> jobs = new LinkedHashMap<>();
    private final Map<JobId, Duration> runTimes = new HashMap<>();
    private Instant now = START;

    @Test
    void aShorterJobTakesTheGpusOfALongerOneAndNobodyElseGetsThemInBetween() {
        node("a", 4);
        running("long", 3, 3_600, "a", 0, 1, 2);
        waiting("short", 4, 60);
        waiting("small", 1, 600);
        Plan plan = plan("srtf");
        assertEquals(List.of(), plan.starts(), "GPU 3 is kept for the short job");
        assertEquals(List.of("long for short"), preempts(plan));

        preempt("long", "short");
        assertEquals(new Plan(List.of(), List.of()), plan("srtf"), "it waits for the stop");

        end("long");
        assertEquals(List.of("short"), starts(plan("srtf")));
        assertEquals(List.of(), preempts(plan("srtf")));
    }

    @Test
    void gpuTimeCountsBothDimensions() {
        node("a", 4);
        running("narrow", 1, 300, "a", 0);
        waiting("wide", 4, 100);
        assertEquals(List.of("narrow for wide"), preempts(plan("srtf")), "100 s are less than 300");
        assertEquals(List.of(), preempts(plan("srgf")), "400 GPU-seconds are more than 300");
    }

    @Test
    void whatDoesNotFitIsPassed() {
        node("a", 4);
        running("running", 2, 10, "a", 0, 1);
        waiting("wide", 4, 20);
        waiting("small", 2, 3_600);
        assertEquals(List.of("small"), starts(plan("srtf")));
        assertEquals(List.of("small"), starts(plan("backfill")));
        assertEquals(List.of(), starts(plan("fifo")), "here the wide one blocks");
    }

    @Test
    void onlyThoseInTheWayAreStopped() {
        node("a", 2);
        node("b", 2);
        running("longer", 2, 7_200, "a", 0, 1);
        running("long", 1, 3_600, "b", 0);
        waiting("pair", 2, 60);
        assertEquals(List.of("longer for pair"), preempts(plan("srtf")));
    }

    @Test
    void aFreeNodeIsTakenBeforeAnyoneIsStopped() {
        node("a", 2);
        node("b", 2);
        running("long", 2, 3_600, "a", 0, 1);
        waiting("pair", 2, 60);
        Plan plan = plan("srtf");
        assertEquals(List.of("pair"), starts(plan));
        assertEquals(List.of(), preempts(plan));
    }

    @Test
    void jobsOfUnknownLengthComeLast() {
        node("a", 1);
        running("unknown", 1, 0, "a", 0);
        waiting("known", 1, 1_000_000);
        assertEquals(List.of("unknown for known"), preempts(plan("srtf")));
        assertEquals(List.of("unknown for known"), preempts(plan("srgf")));
    }

    @Test
    void leastAttainedServiceStopsAJobThatLeavesItsQueueAndSaysWhenThatWillBe() {
        node("a", 4);
        running("running", 4, 0, "a", 0, 1, 2, 3);
        waiting("new", 1, 0);
        Plan before = plan("las");
        assertEquals(List.of(), preempts(before), "equals do not take turns");
        assertEquals(Optional.of(START.plusMillis(812_500)), before.wake(), "3,250 s by 4 GPUs");

        now = before.wake().orElseThrow();
        assertEquals(List.of("running for new"), preempts(plan("las")));
        assertEquals(Optional.of(START.plusSeconds(1_800)), plan("las").wake(), "7,200 s by 4");
    }

    @Test
    void attainedServiceIsCountedOverAllAttempts() {
        node("a", 1);
        running("old", 1, 0, "a", 0);
        now = START.plusSeconds(4_000);
        preempt("old", "old");
        end("old");
        waiting("new", 1, 0);
        assertEquals(List.of("new"), starts(plan("las")));
    }

    @Test
    void thoseBeforeTheOneThatWaitsForAStopStart() {
        node("a", 4);
        running("long", 3, 3_600, "a", 1, 2, 3);
        waiting("tiny", 1, 10);
        waiting("short", 3, 60);
        Plan plan = plan("srtf");
        assertEquals(List.of("tiny"), starts(plan));
        assertEquals(List.of("long for short"), preempts(plan));
    }

    @Test
    void onlyOnesOwnPlaceIsTaken() {
        node("a", 2);
        node("b", 1);
        waiting("pair", 2, 10);
        running("inTheWay", 1, 100, "a", 0);
        running("aside", 1, 200, "b", 0);
        waiting("last", 1, 300);
        assertEquals(List.of("inTheWay for pair"), preempts(plan("srtf")));
    }

    @Test
    void whoWasCancelledDoesNotComeBackAndTakesNobodysPlace() {
        node("a", 2);
        running("cancelled", 1, 10, "a", 1);
        move("cancelled", new Event.CancelRequested(now, "ann"));
        waiting("next", 1, 60);
        assertEquals(List.of("next"), starts(plan("srtf")));
    }

    @Test
    void whoWasPreemptedComesBackToItsRank() {
        node("a", 1);
        running("long", 1, 3_600, "a", 0);
        waiting("short", 1, 60);
        waiting("longer", 1, 7_200);
        preempt("long", "short");
        assertEquals(new Plan(List.of(), List.of()), plan("srtf"));
        end("long");
        assertEquals(
                List.of("short", "long", "longer"),
                Policies.byName("srtf").explain(view()).stream()
                        .map(each -> name(each.job()))
                        .toList());
    }

    @Test
    void everyWaitingJobKnowsWhy() {
        node("a", 4);
        running("long", 4, 3_600, "a", 0, 1, 2, 3);
        waiting("short", 4, 60);
        waiting("small", 1, 600);
        waiting("huge", 5, 1);
        List<Explanation> explanations = Policies.byName("srtf").explain(view());
        assertEquals(
                List.of("huge", "short", "small"),
                explanations.stream().map(each -> name(each.job())).toList());
        assertInstanceOf(Obstacle.NeverFits.class, obstacle(explanations.get(0)));
        assertInstanceOf(Obstacle.NotEnoughGpus.class, obstacle(explanations.get(1)));
        assertEquals(
                new Obstacle.BehindInQueue(1, jobs.get("short").id()),
                obstacle(explanations.get(2)));
    }

    private static Obstacle obstacle(Explanation explanation) {
        return explanation.obstacles().getFirst();
    }

    private void node(String name, int gpus) {
        nodes.add(
                new Node(
                        name,
                        IntStream.range(0, gpus).mapToObj(i -> new Gpu(i, "declared", 0)).toList(),
                        4,
                        1L << 30,
                        true));
    }

    /** Zero seconds mean that nobody knows. */
    private void waiting(String name, int gpus, int seconds) {
        int number = jobs.size() + 1;
        Job job = Samples.job(number, "ann", Samples.spec(Samples.role("main", 1, gpus)));
        jobs.put(name, job);
        if (seconds > 0) runTimes.put(job.id(), Duration.ofSeconds(seconds));
    }

    private void running(String name, int gpus, int seconds, String node, Integer... indices) {
        waiting(name, gpus, seconds);
        Job job = jobs.get(name);
        var task = TaskPlacement.whole(new TaskId("main", 0), node, List.of(indices));
        var attempt = new Attempt(new AttemptId(job.id(), 1), new Placement(List.of(task)));
        move(name, new Event.AttemptPlaced(START, attempt));
        move(name, new Event.AttemptStarted(START, attempt.id()));
    }

    private void preempt(String victim, String beneficiary) {
        var attempt = new AttemptId(jobs.get(victim).id(), 1);
        move(
                victim,
                new Event.PreemptRequested(now, attempt, jobs.get(beneficiary).id(), "shorter"));
    }

    private void end(String name) {
        var attempt = new AttemptId(jobs.get(name).id(), 1);
        move(name, new Event.AttemptEnded(now, attempt, new Verdict.Failed(143, "stopped")));
    }

    private void move(String name, Event event) {
        jobs.compute(name, (_, job) -> JobMachine.next(job, event));
    }

    private View view() {
        var state = new ClusterState(job -> Optional.ofNullable(runTimes.get(job.id())));
        state.nodes(nodes);
        jobs.values().forEach(job -> state.change(Optional.empty(), Optional.of(job)));
        return state.view(now);
    }

    private Plan plan(String policy) {
        Plan plan = Policies.byName(policy).plan(view());
        assertEquals(
                Optional.empty(),
                PlanCheck.problem(
                        plan,
                        view(),
                        id -> jobs.values().stream().filter(j -> j.id().equals(id)).findFirst()));
        return plan;
    }

    private List<String> starts(Plan plan) {
        return plan.starts().stream().map(start -> name(start.job())).toList();
    }

    private List<String> preempts(Plan plan) {
        return plan.preempts().stream()
                .map(each -> name(each.victim()) + " for " + name(each.beneficiary()))
                .toList();
    }

    private String name(JobId id) {
        return jobs.entrySet().stream()
                .filter(entry -> entry.getValue().id().equals(id))
                .findFirst()
                .orElseThrow()
                .getKey();
    }
}
