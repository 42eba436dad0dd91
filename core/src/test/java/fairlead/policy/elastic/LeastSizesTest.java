package fairlead.policy.elastic;

import static org.junit.jupiter.api.Assertions.assertEquals;

import fairlead.cluster.ClusterState;
import fairlead.cluster.Experience;
import fairlead.cluster.Gpu;
import fairlead.cluster.Node;
import fairlead.cluster.Rules;
import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobMachine;
import fairlead.job.JobSpec;
import fairlead.job.JobState;
import fairlead.job.Placement;
import fairlead.job.Project;
import fairlead.job.Samples;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;
import fairlead.job.Training;
import fairlead.job.Verdict;
import fairlead.policies.Policies;
import fairlead.policy.Plan;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Who becomes smaller for whom, where plain jobs wait beside training jobs. */
class LeastSizesTest {
    private static final Instant NOW = Samples.NOON.plus(Duration.ofHours(1));

    private final ClusterState state = new ClusterState(Experience.NONE);
    private int jobs;

    @Test
    void whoHoldsAllBecomesSmallerForTheFirstInLineThoughAPlainJobWaitsToo() {
        node(4);
        Job anns = running(waiting("ann", training(4, 1)), 4);
        Job bobs = waiting("bob", training(1, 1));
        waiting("cyd", plain(1));
        assertEquals(List.of(smaller(anns, bobs)), plan().preempts());
    }

    @Test
    void whoHasStoppedToBecomeSmallerDoesNotTakeAllAgain() {
        node(4);
        Job anns = running(waiting("ann", training(4, 1)), 4);
        Job bobs = waiting("bob", training(1, 1));
        Job cyds = waiting("cyd", plain(1));
        Job back = stopped(anns);
        Map<JobId, Integer> starts = starts(plan());
        assertEquals(Map.of(back.id(), 2, bobs.id(), 1, cyds.id(), 1), starts);
    }

    /** Eve's gang of four can have no place while ann keeps one, and nobody waits for that. */
    @Test
    void whoHasStoppedGoesOnWithWhatIsLeftWhileALargePlainJobWaits() {
        node(4);
        Job anns = running(waiting("ann", training(4, 1)), 4);
        Job bobs = waiting("bob", plain(2));
        Job back = stopped(anns);
        waiting("eve", plain(4));
        assertEquals(Map.of(back.id(), 2, bobs.id(), 2), starts(plan()));
    }

    @Test
    void nobodyBecomesSmallerForOneWhoHoldsAsMuch() {
        node(4);
        running(waiting("ann", training(2, 1)), 2);
        place(waiting("bob", plain(2)), List.of(2, 3));
        waiting("bob", plain(1));
        assertEquals(List.of(), plan().preempts());
    }

    @Test
    void nobodyBecomesSmallerThanItMayBe() {
        node(4);
        running(waiting("ann", training(4, 3)), 4);
        waiting("bob", plain(2));
        waiting("cyd", training(2, 2));
        assertEquals(List.of(), plan().preempts());
    }

    /** Ann would be left with nothing, and so would take it back from bob. */
    @Test
    void theLeastOfAJobIsNotTakenWhileTheRestOfItGoesOn() {
        node(7);
        running(waiting("ann", training(7, 4)), 7);
        waiting("bob", plain(4));
        assertEquals(List.of(), plan().preempts());
    }

    /** A change of size costs her a restart, a stop costs her the hour. */
    @Test
    void ofOneOwnersJobsTheTrainingJobBecomesSmallerBeforeAnotherStops() {
        node(4);
        Job training = running(waiting("ann", training(3, 1)), 3);
        place(waiting("ann", plain(1)), List.of(3));
        Job bobs = waiting("bob", plain(1));
        training = become(training, new Event.CheckpointSaved(NOW, id(training), 0.5));
        assertEquals(List.of(smaller(training, bobs)), plan().preempts());
    }

    /** One GPU of the training job would not do, so she gives all of it rather than the other. */
    @Test
    void whereSizesAreNotEnoughAnOwnerGivesTheLowestPriority() {
        node(6);
        JobSpec low = training(2, 1).with(edit -> edit.priority = -2);
        Job training = running(waiting("ann", low), 2);
        place(waiting("ann", plain(3)), List.of(2, 3, 4));
        Job bobs = waiting("bob", plain(3));
        assertEquals(
                List.of(training.id()),
                plan().preempts().stream().map(Plan.Preempt::victim).toList());
        assertEquals(
                List.of(bobs.id()),
                plan().preempts().stream().map(Plan.Preempt::beneficiary).toList());
    }

    /** Three GPUs of ann's training job are not enough, and cyd's two jobs alone are not either. */
    @Test
    void whereNeitherIsEnoughOneBecomesSmallerAndAnotherStops() {
        node(6);
        Job anns = running(waiting("ann", training(4, 1)), 4);
        place(waiting("cyd", plain(1)), List.of(4));
        Job cyds = place(waiting("cyd", plain(1)), List.of(5));
        Job bobs = waiting("bob", plain(4));
        assertEquals(
                Set.of(anns.id(), cyds.id()),
                plan().preempts().stream().map(Plan.Preempt::victim).collect(Collectors.toSet()));
        Job back = stopped(anns);
        stopped(cyds, bobs);
        assertEquals(Map.of(back.id(), 1, bobs.id(), 4), starts(plan()));
    }

    /** Otherwise the one that stops first takes its place again, and both are asked again. */
    @Test
    void nobodyTakesAPlaceAgainWhileAnotherIsStillToStopForIt() {
        node(2);
        Job first = place(waiting("ann", training(1, 1)), List.of(0));
        first = become(first, new Event.TrainingJoined(NOW, id(first)));
        Job second = place(waiting("ann", training(1, 1)), List.of(1));
        second = become(second, new Event.TrainingJoined(NOW, id(second)));
        Job large = waiting("ann", training(2, 2));
        become(second, new Event.PreemptRequested(NOW, id(second), large.id(), "size"));
        stopped(first, large);
        assertEquals(Map.of(), starts(plan()));
    }

    /**
     * Beside a first job of one GPU ann's second stands before bob's and finds no room; beside one
     * of three it stands behind, and bob would be given one of these.
     */
    @Test
    void whoStartsWithMoreLeavesWhatWouldBeTakenBack() {
        node(5);
        Job first = waiting("ann", training(3, 1));
        waiting("ann", training(4, 4));
        place(waiting("bob", plain(1)), List.of(4));
        Job bobs = waiting("bob", plain(2));
        assertEquals(Map.of(first.id(), 2, bobs.id(), 2), starts(plan()));
    }

    /** Each has been promised one: bob may have two only where cyd has one. */
    @Test
    void whoWasPromisedTheLeastDoesNotTakeMoreOfWhatAnotherWasPromised() {
        node(3);
        Job one = place(waiting("eve", plain(1)), List.of(0));
        Job another = place(waiting("eve", plain(1)), List.of(1));
        place(waiting("eve", plain(1)), List.of(2));
        Job bobs = waiting("bob", training(2, 1));
        Job cyds = waiting("cyd", plain(1));
        stopped(one, bobs);
        stopped(another, cyds);
        assertEquals(Map.of(bobs.id(), 1, cyds.id(), 1), starts(plan()));
    }

    /** Bob's training would borrow, and so fill the quota again that ann's job gives back. */
    @Test
    void nobodyBorrowsForAProjectThatTakesItsQuotaBack() {
        node(8);
        state.rules(
                new Rules(
                        Map.of("lab", quota("lab", 2), "own", quota("own", 5)), Rules.UNDISTURBED));
        Job anns = place(waiting("ann", in("lab", plain(2))), List.of(0, 1));
        place(waiting("ann", in("own", plain(1))), List.of(2));
        JobSpec sitting = in("lab", plain(1)).with(edit -> edit.interactive = true);
        Job bobs = waiting("bob", sitting);
        waiting("bob", in("lab", training(3, 3)));
        assertEquals(
                List.of(anns.id()), plan().preempts().stream().map(Plan.Preempt::victim).toList());
        assertEquals(
                List.of(bobs.id()),
                plan().preempts().stream().map(Plan.Preempt::beneficiary).toList());
        assertEquals(List.of(), plan().starts());
    }

    /** Two of bob's are inside the quota; as one of four it would borrow, behind cyd's two. */
    @Test
    void whoWasPromisedAPlaceInsideTheQuotaDoesNotLeaveIt() {
        node(6);
        state.rules(new Rules(Map.of("lab", quota("lab", 4)), Rules.UNDISTURBED));
        place(waiting("cyd", in("lab", plain(2))), List.of(0, 1));
        Job anns = place(waiting("ann", in("lab", plain(4))), List.of(2, 3, 4, 5));
        Job bobs = waiting("bob", in("lab", training(4, 2)));
        waiting("cyd", in("lab", training(2, 2)));
        stopped(anns, bobs);
        assertEquals(2, starts(plan()).get(bobs.id()));
    }

    /**
     * It would ask for two then, be inside the quota with these, and go before bob, who borrows.
     */
    @Test
    void nobodyIsStoppedWhoComesBackSmallerAndGoesFirst() {
        node(5);
        state.rules(new Rules(Map.of("lab", quota("lab", 4)), Rules.UNDISTURBED));
        place(waiting("ann", in("lab", plain(2))), List.of(3, 4));
        running(waiting("ann", in("lab", training(3, 2))), 3);
        waiting("bob", in("lab", training(3, 3)));
        assertEquals(List.of(), plan().preempts());
    }

    private static JobSpec in(String project, JobSpec spec) {
        return spec.with(edit -> edit.project = project);
    }

    private static Project quota(String name, int gpus) {
        return new Project(
                name,
                OptionalInt.of(gpus),
                Set.of(),
                OptionalInt.empty(),
                Project.INTERACTIVE_LIMIT);
    }

    private static Plan.Preempt smaller(Job job, Job whom) {
        return new Plan.Preempt(
                job.id(), job.id(), "it goes on with fewer GPUs, to make room for " + whom.id());
    }

    private void node(int gpus) {
        List<Gpu> all = IntStream.range(0, gpus).mapToObj(i -> new Gpu(i, "declared", 0)).toList();
        state.nodes(List.of(new Node("node", all, 0, 0, true)));
    }

    private Plan plan() {
        return Policies.byName("elastic").plan(state.view(NOW));
    }

    private static Map<JobId, Integer> starts(Plan plan) {
        var starts = new TreeMap<JobId, Integer>();
        for (Plan.Start start : plan.starts()) {
            starts.put(start.job(), start.placement().tasks().getFirst().shares().size());
        }
        return starts;
    }

    private static JobSpec plain(int gpus) {
        return Samples.spec(Samples.role("main", 1, gpus));
    }

    private static JobSpec training(int gpus, int least) {
        var training =
                new Training(
                        1_000,
                        1,
                        1_000,
                        gpus,
                        least,
                        gpus,
                        false,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());
        return Samples.training(gpus, 1_000).withTraining(training);
    }

    private Job waiting(String owner, JobSpec spec) {
        Job job = Samples.job(++jobs, owner, spec);
        state.change(Optional.empty(), Optional.of(job));
        return job;
    }

    /** For an hour, and reporting. */
    private Job running(Job job, int gpus) {
        Job running = place(job, IntStream.range(0, gpus).boxed().toList());
        return become(running, new Event.TrainingJoined(NOW, id(running)));
    }

    private Job place(Job job, List<Integer> gpus) {
        var task = TaskPlacement.whole(new TaskId("main", 0), "node", gpus);
        var attempt = new Attempt(new AttemptId(job.id(), 1), new Placement(List.of(task)));
        Job placed = become(job, new Event.AttemptPlaced(Samples.NOON, attempt));
        return become(placed, new Event.AttemptStarted(Samples.NOON, attempt.id()));
    }

    private Job stopped(Job job) {
        return stopped(job, job);
    }

    private Job stopped(Job job, Job whom) {
        var asked = new Event.PreemptRequested(NOW, id(job), whom.id(), "size");
        Job stopping = become(job, asked);
        return become(
                stopping, new Event.AttemptEnded(NOW, id(stopping), new Verdict.Lost("stopped")));
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
