package fairlead.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import fairlead.job.AttemptId;
import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.JobMachine;
import fairlead.job.JobSpec;
import fairlead.job.Profile;
import fairlead.job.Samples;
import fairlead.job.Training;
import fairlead.job.Verdict;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

class ExperienceTest {
    private static final Instant START = Samples.NOON.plusSeconds(100);

    private Experience past = Experience.NONE;

    @Test
    void theMedianOfTheLastNineThatSucceededIsExpected() {
        ran("a", 1_000);
        assertEquals(seconds(1_000), expected(job("a")));
        for (long time : new long[] {3, 1, 2}) ran("a", time);
        assertEquals(seconds(3), expected(job("a")), "of 1, 2, 3, 1000");
        for (long time : new long[] {9, 8, 7, 6, 5, 4}) ran("a", time);
        assertEquals(seconds(5), expected(job("a")), "of 1 to 9: the oldest is forgotten");
    }

    @Test
    void whatDidNotSucceedTellsNothing() {
        assertSame(past, past.after(job("a")));
        past = past.after(ended(job("a"), 5, new Verdict.Failed(1, "it broke")));
        assertEquals(Optional.empty(), expected(job("a")));
    }

    /** Whoever waits for a job cares only that it ends. */
    @Test
    void forecastsKnowHowLongJobsOfTheSameSizeHaveRun() {
        for (long time : new long[] {10, 20, 30}) ran("a", time);
        past = past.after(ended(job("b"), 40, new Verdict.Failed(1, "it broke")));
        List<Duration> all = Stream.of(10, 20, 30, 40).map(Duration::ofSeconds).toList();
        assertEquals(all, past.runTimes(job("new")).ended());
        assertEquals(
                all, past.runTimes(Samples.job(9, "bob", spec("c"))).ended(), "those of anyone");
    }

    @Test
    void howLongAJobHadRunWhenSomebodyEndedItIsNoRunTime() {
        ran("a", 10);
        Job running = started(job("a"));
        cutShort(running, new Event.CancelRequested(START.plusSeconds(3), "ann"));
        cutShort(running, new Event.TimeLimitReached(START.plusSeconds(4), attempt(running)));
        assertEquals(
                new Foresight.RunTimes(
                        List.of(Duration.ofSeconds(10)),
                        List.of(Duration.ofSeconds(3), Duration.ofSeconds(4))),
                past.runTimes(job("a")));
        assertEquals(seconds(10), expected(job("a")));
    }

    private void cutShort(Job running, Event why) {
        Job asked = JobMachine.next(running, why);
        var stopped = new Verdict.Failed(143, "stopped");
        var end = new Event.AttemptEnded(START.plusSeconds(5), attempt(asked), stopped);
        past = past.after(JobMachine.next(asked, end));
    }

    private static AttemptId attempt(Job job) {
        return new AttemptId(job.id(), 1);
    }

    @Test
    void othersAndOtherNamesTellNothing() {
        ran("a", 10);
        assertEquals(Optional.empty(), expected(job("b")));
        assertEquals(Optional.empty(), past.runTime(Samples.job(9, "bob", spec("a"))));
    }

    @Test
    void aJobIsNotExpectedToOutliveItsLimit() {
        Job limited = Samples.job(9, "ann", spec("a", Optional.of(Duration.ofSeconds(20))));
        assertEquals(seconds(20), past.runTime(limited), "all that is known");
        ran("a", 10);
        assertEquals(seconds(10), past.runTime(limited));
        ran("a", 30);
        assertEquals(seconds(20), past.runTime(limited));
    }

    @Test
    void onlySoManyKindsOfJobsAreKnownOfEachOwner() {
        for (int i = 0; i < 500; i++) ran("a" + i, 10);
        ran("a7", 20);
        assertEquals(seconds(10), expected(job("a0")));
        assertEquals(seconds(20), expected(job("a7")));
        ran("b", 30);
        assertEquals(Optional.empty(), expected(job("a0")));
        assertEquals(seconds(30), expected(job("b")));
    }

    @Test
    void epochsAreExpectedAsMeasuredOnTheNearestNumberOfGpus() {
        Job waiting = Samples.job(9, "ann", Samples.training(3, 10));
        assertEquals(Optional.empty(), past.runTime(waiting));
        measure(1, 100);
        measure(4, 30);
        assertEquals(seconds(10 * 30), past.runTime(waiting), "on 3 as on 4");
        measure(3, 40);
        assertEquals(seconds(10 * 40), past.runTime(waiting));
    }

    @Test
    void aRunningJobIsExpectedToTakeTheEpochsThatAreLeft() {
        measure(2, 60);
        Job running = started(Samples.job(9, "ann", Samples.training(2, 10)));
        assertEquals(seconds(10 * 60), past.runTime(running));
        Job later = epoch(running, 3, START.plusSeconds(200), 60);
        assertEquals(seconds(200 + 7 * 60), past.runTime(later));
    }

    @Test
    void whatAJobHasMeasuredItselfCountsBeforeWhatOthersOfItsScriptHaveShown() {
        for (int i = 0; i < 9; i++) measure(2, 5);
        Job running = started(Samples.job(9, "ann", Samples.training(2, 10)));
        Job later = epoch(running, 1, START.plusSeconds(40), 40);
        assertEquals(seconds(40 + 9 * 40), past.runTime(later));
    }

    @Test
    void whatTheOwnerEstimatesCountsUntilAnEpochWasMeasured() {
        JobSpec plain = Samples.training(1, 10);
        var estimated =
                new Training(
                        10,
                        32,
                        3_200,
                        1,
                        1,
                        64,
                        true,
                        Optional.empty(),
                        Optional.of(Duration.ofSeconds(77)),
                        Optional.empty());
        var spec = plain.with(edit -> edit.training = Optional.of(estimated));
        Job job = Samples.job(9, "ann", spec);
        assertEquals(seconds(77), past.runTime(job));
        measure(1, 100);
        assertEquals(seconds(1_000), past.runTime(job));
    }

    @Test
    void whatAJobHadMeasuredIsRecalled() {
        Job waiting = Samples.job(8, "ann", Samples.training(1, 10));
        assertSame(past, past.recalling(waiting));
        Job measured = epoch(started(waiting), 1, START.plusSeconds(50), 50);
        past = past.recalling(measured);
        assertEquals(seconds(500), past.runTime(Samples.job(9, "ann", Samples.training(1, 10))));
    }

    @Test
    void anEpochOfAJobThatHoldsNothingTellsNothing() {
        Job waiting = Samples.job(8, "ann", Samples.training(1, 10));
        assertSame(past, past.after(waiting, ended(waiting, 1, START, 50)));
    }

    @Test
    void withoutExperienceTheLimitIsAllThatIsForeseen() {
        Job limited = Samples.job(9, "ann", spec("a", Optional.of(Duration.ofSeconds(20))));
        Foresight blind = Foresight.BY_TIME_LIMIT;
        assertEquals(seconds(20), blind.runTime(limited));
        assertSame(blind, blind.after(ended(job("a"), 5, new Verdict.Succeeded())));
        assertSame(blind, blind.recalling(limited));
        assertSame(blind, blind.after(limited, ended(limited, 1, START, 50)));
    }

    private static Optional<Duration> seconds(long count) {
        return Optional.of(Duration.ofSeconds(count));
    }

    private Optional<Duration> expected(Job job) {
        return past.runTime(job);
    }

    private void ran(String name, long seconds) {
        past = past.after(ended(job(name), seconds, new Verdict.Succeeded()));
    }

    /** Epochs on so many GPUs were so long. */
    private void measure(int gpus, double seconds) {
        Job job = started(Samples.job(7, "ann", Samples.training(gpus, 10)));
        past = past.after(job, ended(job, 1, START.plusSeconds(60), seconds));
    }

    private static Job epoch(Job job, int done, Instant at, double seconds) {
        return JobMachine.next(job, ended(job, done, at, seconds));
    }

    private static Event.EpochEnded ended(Job job, int done, Instant at, double seconds) {
        var epoch = new Profile.Epoch(done, OptionalDouble.of(seconds), OptionalDouble.empty(), 0);
        return new Event.EpochEnded(at, new AttemptId(job.id(), 1), epoch);
    }

    private static Job started(Job job) {
        var attempt = Samples.attempt(job, "node");
        Job placed = JobMachine.next(job, new Event.AttemptPlaced(START, attempt));
        return JobMachine.next(placed, new Event.AttemptStarted(START, attempt.id()));
    }

    private static Job ended(Job job, long seconds, Verdict verdict) {
        var end =
                new Event.AttemptEnded(
                        START.plusSeconds(seconds), new AttemptId(job.id(), 1), verdict);
        return JobMachine.next(started(job), end);
    }

    private static Job job(String name) {
        return Samples.job(1, "ann", spec(name));
    }

    private static JobSpec spec(String name) {
        return spec(name, Optional.empty());
    }

    private static JobSpec spec(String name, Optional<Duration> limit) {
        var spec = new JobSpec.Edit();
        spec.name = name;
        spec.cluster = "local";
        spec.project = "default";
        spec.roles = List.of(Samples.role("main", 1, 1));
        spec.timeLimit = limit;
        spec.workingFolder = "/tmp";
        return spec.spec();
    }
}
