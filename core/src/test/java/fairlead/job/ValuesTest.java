package fairlead.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.journal.JournalFixtures;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** The small values that jobs are made of. */
class ValuesTest {
    private static final JobId ID = new JobId("sample_1_0000000a");

    @Test
    void anIdIsMadeOfExperimentSecondAndDice() {
        assertEquals("mnist_1767268800_0000002a", JobId.of("mnist", Samples.NOON, 42).text());
        assertThrows(IllegalArgumentException.class, () -> new JobId("mnist"));
        assertEquals("worker/3", TaskId.parse("worker/3").toString());
        assertEquals(new TaskId("a/b", 0), TaskId.parse("a/b/0"));
        assertEquals("sample_1_0000000a#2", new AttemptId(ID, 2).toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"worker", "/1", "worker/", "worker/-1", "worker/1234567"})
    void whatIsNoTaskIsRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> TaskId.parse(text));
    }

    @Test
    void countsDoNotBeginBelowTheirFirst() {
        assertEquals(0, new TaskId("a", 0).index());
        assertThrows(IllegalArgumentException.class, () -> new TaskId("a", -1));
        assertEquals(1, new AttemptId(ID, 1).number());
        assertThrows(IllegalArgumentException.class, () -> new AttemptId(ID, 0));
    }

    @Test
    void idsHaveAnOrder() {
        assertTrue(new TaskId("a", 2).compareTo(new TaskId("a", 10)) < 0);
        assertTrue(new TaskId("b", 0).compareTo(new TaskId("a", 10)) > 0);
        assertTrue(new AttemptId(ID, 2).compareTo(new AttemptId(ID, 10)) < 0);
        var other = new AttemptId(new JobId("sample_1_0000000b"), 1);
        assertTrue(new AttemptId(ID, 9).compareTo(other) < 0);
        assertTrue(Setup.alone(1, 2).compareTo(Setup.alone(2, 2)) < 0);
        assertTrue(Setup.alone(2, 2).compareTo(Setup.alone(1, 4)) < 0);
    }

    @Test
    void aChangedPersonKeepsEverythingElse() {
        var ann = new Person("ann", "t1", false, "lab", Optional.of("p1"), false);
        assertEquals(
                new Person("ann", "t2", false, "lab", Optional.of("p1"), false),
                ann.withToken("t2"));
        assertEquals(
                new Person("ann", "t1", false, "lab", Optional.of("p2"), false),
                ann.withPassword("p2"));
        assertEquals(
                new Person("ann", "t1", true, "lab", Optional.of("p1"), false),
                ann.withAdmin(true));
        assertEquals(
                new Person("ann", "t1", false, "den", Optional.of("p1"), false),
                ann.withProject("den"));
        assertEquals(
                new Person("ann", "t1", false, "lab", Optional.of("p1"), true),
                ann.withGitHubPat(true));
        assertEquals("ann of lab", ann.toString(), "no secret is shown");
        assertEquals("ann (admin) of lab", ann.withAdmin(true).toString());
        assertThrows(SpecException.class, () -> new Person("a b", "t1", false, "lab"));
    }

    @Test
    void aChangedProjectKeepsEverythingElse() {
        var lab =
                new Project(
                        "lab",
                        OptionalInt.of(3),
                        Set.of("ann"),
                        OptionalInt.of(1),
                        Duration.ofHours(2),
                        true);
        assertEquals(lab, lab.withQuota(OptionalInt.of(4)).withQuota(OptionalInt.of(3)));
        assertEquals(lab, lab.withMembers(Set.of()).withMembers(Set.of("ann")));
        assertEquals(lab, lab.withStopped(false).withStopped(true));
        assertEquals(OptionalInt.of(4), lab.withQuota(OptionalInt.of(4)).quota());
        assertTrue(lab.admits("ann"));
        assertFalse(lab.admits("bob"));
        assertTrue(lab.withMembers(Set.of()).admits("bob"), "no members: everyone");
        assertThrows(SpecException.class, () -> Project.named("a b"));
    }

    @Test
    void aFailureIsNeverToldAsCodeZero() {
        assertEquals(1, Outcome.failed(0, "").exitCode());
        assertEquals(7, Outcome.failed(7, "").exitCode());
        assertEquals(143, Outcome.cancelled("ann").exitCode());
        assertEquals("cancelled by ann", Outcome.cancelled("ann").reason());
    }

    @ParameterizedTest(name = "a start after {0} s: {1}")
    @CsvSource({"9, false", "10, true", "30, true", "31, false"})
    void aPredictionIsKeptInsideItsBand(long seconds, boolean kept) {
        Instant noon = Samples.NOON;
        var told = Prediction.of(noon.plusSeconds(10), noon.plusSeconds(20), noon.plusSeconds(30));
        Prediction judged = told.judged(noon.plusSeconds(seconds));
        assertEquals(Optional.of(kept), judged.kept());
        assertEquals(Optional.of(kept), judged.judged(noon.plusSeconds(20)).kept(), "once");
    }

    @Test
    void aPredictionIsInOrder() {
        Instant noon = Samples.NOON;
        Prediction.of(noon, noon, noon);
        Instant later = noon.plusSeconds(1);
        assertThrows(IllegalArgumentException.class, () -> Prediction.of(later, noon, later));
        assertThrows(IllegalArgumentException.class, () -> Prediction.of(noon, later, noon));
    }

    @Test
    void aLoginIsWrittenForTheRegistryAndDockersHubUnderBothNames() {
        assertEquals(
                "{\"auths\":{\"r.io\":{\"auth\":\"dTpw\"}}}\n",
                new ImageLogin("r.io", "u", "p").file());
        assertEquals(
                "{\"auths\":{\"docker.io\":{\"auth\":\"dTpw\"},"
                        + "\"https://index.docker.io/v1/\":{\"auth\":\"dTpw\"}}}\n",
                new ImageLogin("docker.io", "u", "p").file());
        assertEquals("u@r.io", new ImageLogin("r.io", "u", "p").toString(), "no password");
        assertThrows(IllegalArgumentException.class, () -> new ImageLogin("no registry", "u", "p"));
    }

    @Test
    void theLastTenPreemptionsAreKeptAndAllAreCounted() {
        Setbacks setbacks = Setbacks.NONE;
        for (int i = 1; i <= 12; i++) {
            var lost = Duration.ofSeconds(i);
            setbacks = setbacks.plus(new Setbacks.Receipt(Samples.NOON, ID, "because", lost));
        }
        assertEquals(Duration.ofSeconds(78), setbacks.lost());
        assertEquals(10, setbacks.last().size());
        assertEquals(Duration.ofSeconds(3), setbacks.last().getFirst().lost());
        assertEquals(Duration.ofSeconds(12), setbacks.last().getLast().lost());
    }

    @Test
    void speedsAreMeansOverTheirEpochsAndOldOnesFade() {
        var slow = new Profile.Speed(100, 2, 3);
        var fast = new Profile.Speed(20, 1, 1);
        assertEquals(new Profile.Speed(80, 1.75, 4), slow.and(fast));
        assertEquals(2, slow.and(new Profile.Speed(20, 0, 1)).stepSeconds(), "it did not tell");
        assertEquals(1, new Profile.Speed(9, 0, 1).and(fast).stepSeconds());
        assertEquals(20, new Profile.Speed(9, 0, 20).and(fast).epochs());
    }

    @Test
    void aProfileGrowsByEpochsAndByOthersOfTheSameScript() {
        var placement = placement(2);
        Profile once = Profile.NONE.after(placement, epoch(OptionalDouble.of(60), 5));
        assertEquals(Map.of(Setup.alone(1, 2), new Profile.Speed(60, 0, 1)), once.speeds());
        assertEquals(5, once.memoryBytes());
        Profile untimed = once.after(placement, epoch(OptionalDouble.empty(), 9));
        assertEquals(once.speeds(), untimed.speeds());
        assertEquals(9, untimed.memoryBytes());
        assertEquals(9, untimed.after(placement, epoch(OptionalDouble.of(60), 3)).memoryBytes());
        Profile both = once.plus(Profile.NONE.after(placement(4), epoch(OptionalDouble.of(30), 7)));
        assertEquals(Set.of(Setup.alone(1, 2), Setup.alone(1, 4)), both.speeds().keySet());
        assertEquals(7, both.memoryBytes());
        assertSame(once, once.withMemory(5));
        assertEquals(6, once.withMemory(6).memoryBytes());
    }

    @Test
    void onlySoManySetupsAreKept() {
        var speeds = new TreeMap<Setup, Profile.Speed>();
        for (int i = 1; i <= 64; i++) speeds.put(Setup.alone(1, i), new Profile.Speed(1, 0, 1));
        var full = new Profile(speeds, 0);
        Profile more = full.after(placement(65), epoch(OptionalDouble.of(9), 0));
        assertEquals(speeds, more.speeds(), "nothing new");
        Profile known = full.after(placement(64), epoch(OptionalDouble.of(9), 0));
        assertEquals(2, known.speed(Setup.alone(1, 64)).orElseThrow().epochs());
    }

    private static Placement placement(int gpus) {
        var numbers = IntStream.range(0, gpus).boxed().toList();
        return new Placement(List.of(TaskPlacement.whole(new TaskId("main", 0), "a", numbers)));
    }

    private static Profile.Epoch epoch(OptionalDouble seconds, long memory) {
        return new Profile.Epoch(1, seconds, OptionalDouble.empty(), memory);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "python train.py --rate 1, python train.py",
        "./train.sh, ./train.sh",
        "sh -c 'python train.py --rate 1', python train.py",
        "sh -c train, train",
        "python -c x y, python -c",
    })
    void aScriptIsTheFirstTwoWordsOfItsCommand(String line, String script) {
        List<String> command =
                line.contains("'")
                        ? List.of("sh", "-c", line.substring(7, line.length() - 1))
                        : List.of(line.split(" "));
        Role role = Samples.role("main", 1, 1).running(command);
        assertEquals(script, Samples.spec(role).script());
    }

    @Test
    void theScriptOfATrainingJobHasItsBatchSize() {
        assertEquals("true 32", Samples.training(1, 10).script());
    }

    @Test
    void tasksAndGpusAreCountedOverAllRoles() {
        JobSpec spec = Samples.spec(Samples.role("a", 3, 2), Samples.role("b", 4, 0));
        assertEquals(7, spec.tasks());
        assertEquals(6_000, spec.milliGpus());
        assertEquals(4, spec.role("b").count());
        assertThrows(IllegalArgumentException.class, () -> spec.role("c"));
    }

    @Test
    void aChangedSpecKeepsEverythingElse() {
        JobSpec pod = JournalFixtures.withPod(1, "lab", "web").spec();
        assertEquals(Optional.of("web"), pod.podName());
        assertEquals(Optional.of("pod:lab/web"), pod.uniqueKey());
        assertEquals(Optional.empty(), pod.renamed("-2").uniqueKey());
        assertEquals(pod, pod.inProject("den").inProject("lab"));
        assertEquals("/other", pod.inFolder("/other").workingFolder());
        assertEquals(pod, pod.inFolder("/other").inFolder(pod.workingFolder()));
        assertEquals(pod, pod.notInteractive());
        assertEquals(Map.of("A", "1"), pod.withEnvironment(Map.of("A", "1")).environment());
        assertEquals(Container.NONE, pod.withoutImage("/x").container());
        JobSpec other = JournalFixtures.fromElsewhere(1, "ann~mnist").spec();
        assertEquals(Optional.of("openpai:ann~mnist"), other.uniqueKey());
        assertEquals(Optional.of("openpai:ann~mnist-2"), other.renamed("-2").uniqueKey());
        assertEquals(Optional.empty(), JournalFixtures.fromElsewhere(1, "").spec().uniqueKey());
        Training training = Samples.training(2, 10).training().orElseThrow();
        JobSpec plain = Samples.spec(Samples.role("main", 1, 2));
        assertEquals(Optional.of(training), plain.withTraining(training).training());
    }

    @Test
    void aTrainingJobHasOneRoleAndNobodyBeforeIt() {
        Training training = Samples.training(1, 10).training().orElseThrow();
        JobSpec two = Samples.spec(Samples.role("a", 1, 1), Samples.role("b", 1, 1));
        var refusal = assertThrows(SpecException.class, () -> two.withTraining(training));
        assertEquals("training", refusal.field());
        JobSpec one = Samples.spec(Samples.role("a", 1, 1));
        var watched =
                assertThrows(
                        SpecException.class,
                        () -> spec(one, true, Container.NONE, Optional.of(training)));
        assertEquals("training", watched.field());
    }

    @Test
    void onlyAnImageHasAProgramOfItsOwn() {
        var details = Container.Details.of(edit -> edit.ownEntryPoint = true);
        JobSpec one = Samples.spec(Samples.role("a", 1, 1));
        var bare = new Container(Optional.empty(), List.of(), List.of(), details);
        var refusal =
                assertThrows(SpecException.class, () -> spec(one, false, bare, Optional.empty()));
        assertEquals("container.entrypoint", refusal.field());
        var image = new Container(Optional.of("busybox"), List.of(), List.of(), details);
        assertEquals(image, spec(one, false, image, Optional.empty()).container());
    }

    private static JobSpec spec(
            JobSpec plain, boolean interactive, Container container, Optional<Training> training) {
        var spec = new JobSpec.Edit(plain);
        spec.interactive = interactive;
        spec.container = container;
        spec.training = training;
        return spec.spec();
    }

    @Test
    void aTrainingJobIsSizedAndAnotherIsNot() {
        JobSpec asked = Samples.training(2, 10);
        JobSpec sized = asked.sizedTo(placement(4));
        assertEquals(4, sized.gpus());
        assertEquals(asked, sized.sizedAsAsked());
        assertSame(asked, asked.sized(1, 2, GpuPart.WHOLE));
        var half = new TaskPlacement(new TaskId("main", 0), "a", List.of(new Share(0, 500)));
        assertEquals(500, asked.sizedTo(new Placement(List.of(half))).milliGpus());
        JobSpec plain = Samples.spec(Samples.role("main", 1, 2));
        assertSame(plain, plain.sizedTo(placement(4)));
        assertSame(plain, plain.sizedAsAsked());
    }

    @Test
    void unitsBelowAThousandAreThousandths() {
        assertEquals(new GpuPart.Fraction(999), GpuPart.ofUnits(999));
        assertEquals(new GpuPart.Memory(100L << 20), GpuPart.ofUnits(100L << 20));
    }

    @Test
    void aTrainingJobAllowsItsRangeOfGpus() {
        Training training = Samples.training(2, 10).training().orElseThrow();
        assertTrue(training.allows(1) && training.allows(64));
        assertFalse(training.allows(0) || training.allows(65));
        assertEquals(100, training.steps(0), "3200 samples in batches of 32");
        assertEquals(100, training.steps(1));
        assertEquals(50, training.steps(2));
        assertEquals(1, training.steps(1_000), "at least one");
        Training more = training.asking(100);
        assertEquals(List.of(100, 1, 100), List.of(more.gpus(), more.gpusMin(), more.gpusMax()));
        var fixed =
                new Training(
                        1,
                        1,
                        1,
                        4,
                        4,
                        4,
                        true,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());
        assertEquals(
                List.of(2, 2, 4),
                List.of(
                        fixed.asking(2).gpus(),
                        fixed.asking(2).gpusMin(),
                        fixed.asking(2).gpusMax()));
    }

    @Test
    void aFailureIsToldWithHowManyTasksAndTheLastNote() {
        JobSpec alone = Samples.spec(Samples.role("main", 1, 1));
        JobSpec gang = Samples.spec(Samples.role("main", 3, 1));
        var first = Map.of(new TaskId("main", 0), Exit.of(3, Samples.NOON));
        var noted = Map.of(new TaskId("main", 0), exit(9, "out of memory"));
        assertEquals(
                Optional.of(new Verdict.Failed(3, "exit code 3")),
                Completion.verdict(alone, first));
        assertEquals(
                Optional.of(new Verdict.Failed(9, "exit code 9 (out of memory)")),
                Completion.verdict(alone, noted));
        assertEquals(
                Optional.of(
                        new Verdict.Failed(3, "1 of 3 main tasks failed, last with exit code 3")),
                Completion.verdict(gang, first));
    }

    private static Exit exit(int code, String note) {
        return new Exit(OptionalInt.of(code), false, note, Samples.NOON);
    }

    @Test
    void aJobThatWaitsHasNothingToLose() {
        Job job = Samples.job(1, "ann", Samples.training(1, 10));
        assertEquals(Duration.ZERO, job.atRisk(Samples.NOON));
        assertEquals(Duration.ofHours(3), job.patience());
        assertEquals(Optional.empty(), job.attempt());
        JobSpec other = Samples.spec(Samples.role("main", 1, 4));
        assertEquals(other, job.asking(other).spec());
        assertEquals(job, job.asking(other).asking(job.spec()));
    }

    @Test
    void aPortIsAddedOnce() {
        Role role = Samples.role("main", 1, 1).withPort("ssh");
        assertEquals(List.of(new Role.Ports("ssh", 0, 1)), role.ports());
        assertSame(role, role.withPort("ssh"));
        assertFalse(new Role.Ports("a", 0, 1).isFixed());
        assertTrue(new Role.Ports("a", 1, 1).isFixed());
    }

    @Test
    void fixedPortsAreResourcesOfTheirNode() {
        assertEquals(
                List.of(80, 81, 90),
                role(
                                new Role.Ports("a", 80, 2),
                                new Role.Ports("b", 90, 1),
                                new Role.Ports("c", 0, 5))
                        .resources()
                        .ports());
        assertThrows(
                SpecException.class,
                () -> role(new Role.Ports("a", 80, 2), new Role.Ports("b", 81, 1)));
        assertThrows(
                SpecException.class,
                () -> role(new Role.Ports("a", 80, 1), new Role.Ports("a", 90, 1)));
    }

    private static Role role(Role.Ports... ports) {
        return new Role(
                "main",
                1,
                List.of("true"),
                new Resources(0, 1, 0),
                OptionalInt.empty(),
                OptionalInt.empty(),
                List.of(ports));
    }
}
