package fairlead.job;

import static fairlead.job.Samples.NOON;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** What is different in the life of a job that reports its epochs. */
class TrainingLifeTest {
    private static final JobId OTHER = new JobId("other_1_00000001");
    private final Job queued = Samples.job(1, "ann", Samples.training(2, 10));

    @Test
    void theSizeFollowsThePlaceAndReturnsToWhatWasAskedInTheQueue() {
        Job wide = start(queued, place(4, "a", "b"));
        assertEquals(8, wide.spec().gpus());
        assertEquals(2, wide.spec().tasks());
        Job back = end(preempt(wide, NOON.plusSeconds(60)), Exit.stopped(143, "", NOON));
        assertInstanceOf(JobState.Queued.class, back.state());
        assertEquals(2, back.spec().gpus());
        assertEquals(1, back.spec().tasks());
    }

    @Test
    void aPartOfAGpuIsASizeToo() {
        var task = new TaskPlacement(new TaskId("main", 0), "a", List.of(new Share(0, 8L << 30)));
        Job shared = start(queued, new Placement(List.of(task)));
        assertEquals(
                new GpuPart.Memory(8L << 30), shared.spec().roles().getFirst().resources().part());
    }

    @Test
    void whoReportsIsAskedAndWhoDoesNotIsStopped() {
        Job silent = preempt(start(queued, place(1, "a")), NOON.plusSeconds(9));
        assertInstanceOf(Effect.Stop.class, JobMachine.due(silent).orElseThrow());
        Job asked = preempt(join(start(queued, place(1, "a"))), NOON.plusSeconds(9));
        assertTrue(JobMachine.due(asked).isEmpty());
        Job hurried =
                JobMachine.next(asked, new Event.PatienceEnded(NOON.plusSeconds(99), id(asked)));
        assertInstanceOf(Effect.Stop.class, JobMachine.due(hurried).orElseThrow());
    }

    @Test
    void d28AnExitThatWasAskedForIsNoEndUnlessAllEpochsAreDone() {
        Job running = join(start(queued, place(1, "a")));
        Job half = epoch(preempt(running, NOON.plusSeconds(9)), 5, NOON.plusSeconds(20));
        assertEquals("queued", end(half, Exit.of(0, NOON)).state().word());
        Job done = epoch(preempt(running, NOON.plusSeconds(9)), 10, NOON.plusSeconds(20));
        assertEquals("succeeded", end(done, Exit.of(0, NOON)).state().word());
        assertEquals("failed", end(half, Exit.of(1, NOON)).state().word());
        Job early = epoch(running, 5, NOON.plusSeconds(20));
        assertEquals(
                "succeeded", end(early, Exit.of(0, NOON)).state().word(), "nobody had asked it");
    }

    @Test
    void whatAPreemptionThrowsAwayIsKeptAsAReceiptAndCountsAsTimeWaited() {
        Job silent = start(queued, place(1, "a"));
        Job back = end(preempt(silent, NOON.plusSeconds(90)), Exit.stopped(143, "", NOON));
        assertEquals(Duration.ofSeconds(90), back.setbacks().lost());
        assertEquals(back.submitted().minusSeconds(90), back.standing());
        var receipt = back.setbacks().last().getFirst();
        assertEquals(OTHER, receipt.beneficiary());
        assertEquals("its owner wants it", receipt.why());
    }

    @Test
    void aStopAtACheckpointLosesNothing() {
        Job running = epoch(join(start(queued, place(1, "a"))), 1, NOON.plusSeconds(50));
        assertEquals(Duration.ofSeconds(40), running.atRisk(NOON.plusSeconds(90)));
        Job asked = preempt(running, NOON.plusSeconds(90));
        Job saved = epoch(asked, 2, NOON.plusSeconds(100));
        Job back = end(saved, Exit.of(0, NOON));
        assertEquals(Duration.ZERO, back.setbacks().lost());
        assertEquals(1, back.setbacks().last().size());
        assertEquals(2, back.progress().epochsDone());
    }

    @Test
    void epochsBecomeAProfileBySetup() {
        Job one = epoch(join(start(queued, place(1, "a"))), 1, NOON.plusSeconds(50));
        Job back = end(preempt(one, NOON.plusSeconds(51)), Exit.of(0, NOON));
        Job four = epoch(join(start(back, place(4, "a"))), 2, NOON.plusSeconds(80));
        Profile profile = four.progress().profile();
        assertEquals(12.5, profile.speed(Setup.alone(1, 1)).orElseThrow().epochSeconds());
        assertEquals(12.5, profile.speed(Setup.alone(1, 4)).orElseThrow().epochSeconds());
        assertTrue(profile.speed(Setup.alone(1, 2)).isEmpty());
    }

    @Test
    void aReportOfAnotherAttemptOrOfAPlainJobIsABug() {
        Job running = start(queued, place(1, "a"));
        var stale = new Event.TrainingJoined(NOON, new AttemptId(running.id(), 7));
        assertThrows(IllegalTransition.class, () -> JobMachine.next(running, stale));
        Job plain =
                start(
                        Samples.job(2, "ann", Samples.spec(Samples.role("main", 1, 1))),
                        place(1, "a"));
        var report = new Event.TrainingJoined(NOON, id(plain));
        assertThrows(IllegalTransition.class, () -> JobMachine.next(plain, report));
        assertFalse(plain.stopsAtCheckpoint());
    }

    @Test
    void patienceIsThreeMeasuredEpochsWithinBounds() {
        Job running = join(start(queued, place(1, "a")));
        assertEquals(Duration.ofHours(3), running.patience(), "nothing measured");
        assertEquals(Duration.ofMinutes(10), epoch(running, 1, NOON, 5).patience());
        assertEquals(Duration.ofHours(1), epoch(running, 1, NOON, 1_200).patience());
        assertEquals(Duration.ofHours(6), epoch(running, 1, NOON, 90_000).patience());
    }

    @Test
    void meansOfEpochsFollowAChange() {
        Job job = join(start(queued, place(1, "a")));
        for (int i = 1; i <= 5; i++) job = epoch(job, i, NOON, 10);
        for (int i = 6; i <= 10; i++) job = epoch(job, i, NOON, 20);
        assertEquals(
                15, job.progress().profile().speeds().values().iterator().next().epochSeconds());
    }

    private static Placement place(int gpusEach, String... nodes) {
        var tasks = new ArrayList<TaskPlacement>();
        for (String node : nodes) {
            var gpus = IntStream.range(0, gpusEach).boxed().toList();
            tasks.add(TaskPlacement.whole(new TaskId("main", tasks.size()), node, gpus));
        }
        return new Placement(tasks);
    }

    private static Job start(Job job, Placement place) {
        var attempt = new Attempt(new AttemptId(job.id(), job.attempts() + 1), place);
        Job placed = JobMachine.next(job, new Event.AttemptPlaced(NOON, attempt));
        return JobMachine.next(placed, new Event.AttemptStarted(NOON, attempt.id()));
    }

    private static Job join(Job job) {
        return JobMachine.next(job, new Event.TrainingJoined(NOON, id(job)));
    }

    private static Job epoch(Job job, int done, Instant at) {
        return epoch(job, done, at, 12.5);
    }

    private static Job epoch(Job job, int done, Instant at, double seconds) {
        var epoch = new Profile.Epoch(done, OptionalDouble.of(seconds), OptionalDouble.empty(), 0);
        return JobMachine.next(job, new Event.EpochEnded(at, id(job), epoch));
    }

    private static Job preempt(Job job, Instant at) {
        return JobMachine.next(
                job, new Event.PreemptRequested(at, id(job), OTHER, "its owner wants it"));
    }

    private static Job end(Job job, Exit exit) {
        var exits = new TreeMap<TaskId, Exit>();
        for (int i = 0; i < job.spec().tasks(); i++) exits.put(new TaskId("main", i), exit);
        Job ended = JobMachine.next(job, new Event.TasksEnded(NOON, id(job), Map.copyOf(exits)));
        Verdict verdict = Completion.verdict(job.spec(), exits).orElseThrow();
        return JobMachine.next(ended, new Event.AttemptEnded(NOON, id(job), verdict));
    }

    private static AttemptId id(Job job) {
        return ((JobState.Active) job.state()).attempt().id();
    }
}
