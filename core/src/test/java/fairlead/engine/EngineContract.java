package fairlead.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Container;
import fairlead.job.Effect;
import fairlead.job.Exit;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.Placement;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;
import fairlead.testing.Eventually;
import fairlead.testing.Root;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * What every engine promises, tried on a real one with shell commands. A subclass says how to open
 * an engine; each test has a place of its own, which {@link #reopen} opens again. The engines of
 * simulations and of the server's tests run no commands, so they cannot be held to it.
 */
public abstract class EngineContract {
    protected static final TaskId MAIN = new TaskId(Role.MAIN, 0);

    /** Generous: it bounds a failure on a busy machine and costs a success nothing. */
    private static final Duration GRACE_LONG = Duration.ofMinutes(10);

    private static final Duration GRACE_SHORT = Duration.ofMillis(300);

    protected Engine engine;
    private final List<AttemptId> launched = new ArrayList<>();

    /** A new engine object on this test's place, seeing whatever an earlier one has left there. */
    protected abstract Engine open() throws EngineException;

    /** A folder that exists where the tasks run. */
    protected abstract String workingFolder();

    /** What the tasks of all tests find around them. */
    protected Container container() {
        return Container.NONE;
    }

    /** The path of {@link #workingFolder} outside the tasks, to mount it. */
    protected String folderToMount() {
        return workingFolder();
    }

    /**
     * Waits, while no engine exists, until a task has written so much. Where the engine itself
     * copies the log, a subclass finds it out by other means.
     */
    protected void awaitWritten(AttemptId attempt, TaskLog log, long bytes) throws Exception {
        Eventually.when(attempt + " wrote " + bytes + " bytes", () -> log.end() == bytes);
    }

    @BeforeEach
    final void openEngine() throws EngineException {
        engine = open();
    }

    @AfterEach
    final void leaveNothingBehind() throws EngineException {
        for (AttemptId attempt : launched) engine.forget(attempt);
        engine.close();
    }

    /** As a restarted server does. */
    protected final void reopen() throws EngineException {
        engine.close();
        engine = open();
    }

    @Test
    void aTaskRunsAndItsExitCodeIsSeen() throws Exception {
        var attempt = launch(shell("exit 7"));
        assertEquals(OptionalInt.of(7), awaitExit(attempt, MAIN).code());
        assertTrue(seen(attempt).orElseThrow().running());
    }

    @Test
    void aTaskKilledByASignalExitsAsAShellTellsIt() throws Exception {
        var attempt = launch(shell("kill -SEGV $$"));
        assertEquals(OptionalInt.of(139), awaitExit(attempt, MAIN).code());
    }

    @Test
    void aRunningTaskIsShownRunningAndNotEnded() throws Exception {
        var attempt = launch(shell("sleep 600"));
        Eventually.when("it runs", () -> seen(attempt).map(Observation::running).orElse(false));
        assertEquals(Map.of(), seen(attempt).orElseThrow().exits());
    }

    @Test
    void aRepeatedLaunchRunsATaskOnce() throws Exception {
        var launch = effect(shell("echo once; sleep 0.2"));
        for (int i = 0; i < 5; i++) launch(launch);
        reopen();
        for (int i = 0; i < 5; i++) launch(launch);
        awaitExit(launch.attempt(), MAIN);
        launch(launch);
        reopen();
        launch(launch);
        assertEquals("once\n", log(launch.attempt(), MAIN));
    }

    @Test
    void launchesOfOneAttemptFromManyThreadsRunItOnce() throws Exception {
        var launch = effect(shell("echo once"));
        var threads = new ArrayList<Thread>();
        launched.add(launch.attempt());
        var failures = new AtomicInteger();
        for (int i = 0; i < 8; i++) {
            threads.add(
                    Thread.startVirtualThread(
                            () -> {
                                try {
                                    engine.launch(launch);
                                } catch (EngineException _) {
                                    failures.incrementAndGet();
                                }
                            }));
        }
        for (Thread thread : threads) thread.join();
        awaitExit(launch.attempt(), MAIN);
        assertEquals(0, failures.get());
        assertEquals("once\n", log(launch.attempt(), MAIN));
    }

    @Test
    void aStopBeforeTheLaunchStartsNothing() throws Exception {
        var launch = effect(shell("echo ran"));
        engine.stop(launch.attempt(), GRACE_LONG);
        launch(launch);
        assertStoppedForEver(launch);
        reopen();
        launch(launch);
        assertStoppedForEver(launch);
    }

    private void assertStoppedForEver(Effect.Launch launch) throws Exception {
        var other = launch(shell("true"));
        awaitExit(other, MAIN);
        assertEquals("", log(launch.attempt(), MAIN));
        var seen = seen(launch.attempt());
        assertTrue(seen.isEmpty() || seen.get().exits().containsKey(MAIN), seen::toString);
    }

    @Test
    void aPoliteTaskEndsBySIGTERM() throws Exception {
        var attempt = launch(shell("trap 'exit 9' TERM; echo ready; while :; do sleep 0.05; done"));
        Eventually.when("the trap is set", () -> log(attempt, MAIN).contains("ready"));
        engine.stop(attempt, GRACE_LONG);
        assertEquals(OptionalInt.of(9), awaitExit(attempt, MAIN).code());
    }

    @Test
    void aStopEndsATaskThatIgnoresSIGTERMAfterTheGrace() throws Exception {
        var attempt = launch(shell("trap '' TERM; echo ready; while :; do sleep 0.05; done"));
        Eventually.when("the signal is ignored", () -> log(attempt, MAIN).contains("ready"));
        engine.stop(attempt, GRACE_SHORT);
        var exit = awaitExit(attempt, MAIN);
        assertEquals(OptionalInt.of(137), exit.code());
        assertFalse(exit.note().isEmpty());
    }

    @Test
    void aRepeatedStopDoesNotLengthenTheGrace() throws Exception {
        var attempt = launch(shell("trap '' TERM; echo ready; while :; do sleep 0.05; done"));
        Eventually.when("the signal is ignored", () -> log(attempt, MAIN).contains("ready"));
        engine.stop(attempt, GRACE_SHORT);
        engine.stop(attempt, GRACE_LONG);
        reopen();
        engine.stop(attempt, GRACE_LONG);
        assertEquals(OptionalInt.of(137), awaitExit(attempt, MAIN).code());
    }

    @Test
    void aStopOfAnEndedAttemptChangesNothing() throws Exception {
        var attempt = launch(shell("exit 3"));
        var exit = awaitExit(attempt, MAIN);
        engine.stop(attempt, Duration.ZERO);
        assertEquals(exit, seen(attempt).orElseThrow().exits().get(MAIN));
    }

    @Test
    void aForgottenAttemptIsKilledAndNoLongerShown() throws Exception {
        var attempt = launch(shell("trap '' TERM; while :; do echo tick; sleep 0.01; done"));
        Eventually.when("it writes", () -> log(attempt, MAIN).contains("tick"));
        engine.forget(attempt);
        assertTrue(seen(attempt).isEmpty());
        long end = engine.log(attempt, MAIN).end();
        awaitExit(launch(shell("sleep 0.2")), MAIN);
        assertEquals(end, engine.log(attempt, MAIN).end());
        reopen();
        assertTrue(seen(attempt).isEmpty());
    }

    @Test
    void unknownAttemptsAreNoErrors() throws Exception {
        var launch = effect(shell("true"));
        engine.forget(launch.attempt());
        engine.stop(launch.attempt(), GRACE_LONG);
        engine.deleteLogs(launch.job().id());
        assertTrue(seen(launch.attempt()).isEmpty());
        assertEquals(0, engine.log(launch.attempt(), MAIN).end());
    }

    @Test
    void aNewEngineSeesRunningTasksAndTheirTrueExitCodes() throws Exception {
        var attempt =
                launch(shell("echo started; until [ -e go ]; do sleep 0.02; done; rm go; exit 42"));
        Eventually.when("it started", () -> log(attempt, MAIN).contains("started"));
        reopen();
        assertTrue(seen(attempt).orElseThrow().running());
        assertEquals(Map.of(), seen(attempt).orElseThrow().exits());
        awaitExit(launch(shell("touch go")), MAIN);
        assertEquals(OptionalInt.of(42), awaitExit(attempt, MAIN).code());
    }

    @Test
    void exitsWhileNoEngineExistsAreSeenLater() throws Exception {
        var attempt = launch(shell("sleep 0.3; echo over; exit 5"));
        var log = engine.log(attempt, MAIN);
        engine.close();
        awaitWritten(attempt, log, "over\n".length());
        engine = open();
        assertEquals(OptionalInt.of(5), awaitExit(attempt, MAIN).code());
    }

    @Test
    void anAttemptIsNeverShownEndedWhileItRuns() throws Exception {
        var attempt = launch(shell("until [ -e stop-now ]; do sleep 0.02; done; rm stop-now"));
        for (int round = 0; round < 20; round++) {
            reopen();
            assertEquals(Map.of(), seen(attempt).orElseThrow().exits());
        }
        awaitExit(launch(shell("touch stop-now")), MAIN);
        assertEquals(OptionalInt.of(0), awaitExit(attempt, MAIN).code());
    }

    @Test
    void logsAreReadByOffsets() throws Exception {
        var attempt = launch(shell("echo one two three"));
        awaitExit(attempt, MAIN);
        var log = engine.log(attempt, MAIN);
        assertEquals(0, log.start());
        assertEquals(14, log.end());
        assertArrayEquals("two ".getBytes(UTF_8), log.read(4, 4));
        assertArrayEquals("three\n".getBytes(UTF_8), log.read(8, 1_000));
        assertArrayEquals(new byte[0], log.read(14, 1_000));
        assertArrayEquals(new byte[0], log.read(1_000, 1_000));
    }

    /** Containers have a pipe for each, so their order is not promised. */
    @Test
    void theLogHoldsBothStreams() throws Exception {
        var attempt = launch(shell("echo output; echo errors >&2"));
        awaitExit(attempt, MAIN);
        assertEquals(
                Set.of("output", "errors"), log(attempt, MAIN).lines().collect(Collectors.toSet()));
    }

    @Test
    void deletedLogsAreGone() throws Exception {
        var attempt = launch(shell("echo text"));
        awaitExit(attempt, MAIN);
        engine.forget(attempt);
        engine.deleteLogs(attempt.job());
        engine.deleteLogs(attempt.job());
        assertEquals(0, engine.log(attempt, MAIN).end());
    }

    @Test
    void tasksOfAGangKnowTheirRanksAndEndEachOnItsOwn() throws Exception {
        var script = "echo $RANK/$WORLD_SIZE $FAIRLEAD_ROLE/$FAIRLEAD_TASK_INDEX; exit $RANK";
        var launch =
                effect(List.of(role("ps", 1, shell(script)), role("worker", 2, shell(script))));
        launch(launch);
        var attempt = launch.attempt();
        List<TaskId> tasks =
                List.of(new TaskId("ps", 0), new TaskId("worker", 0), new TaskId("worker", 1));
        for (int rank = 0; rank < tasks.size(); rank++) {
            var task = tasks.get(rank);
            assertEquals(OptionalInt.of(rank), awaitExit(attempt, task).code());
            assertEquals(rank + "/3 " + task + "\n", log(attempt, task));
        }
    }

    @Test
    void aMountedFolderIsAtItsPathAndKeepsWhatIsWrittenThere() throws Exception {
        var launch = mounted("/contract", false, "pwd; echo written >file");
        assertEquals(OptionalInt.of(0), awaitExit(launch(launch), MAIN).code());
        assertEquals("/contract\n", log(launch.attempt(), MAIN));
        var reader = effect(shell("cat file; rm file; [ ! -e /contract ] || echo left"));
        awaitExit(launch(reader), MAIN);
        assertEquals("written\n", log(reader.attempt(), MAIN));
    }

    @Test
    void aReadOnlyMountCannotBeWritten() throws Exception {
        var launch = mounted("/contract", true, "echo written >file || exit 3");
        assertEquals(OptionalInt.of(3), awaitExit(launch(launch), MAIN).code());
        assertEquals(OptionalInt.of(0), awaitExit(launch(shell("[ ! -e file ]")), MAIN).code());
    }

    @Test
    void aMountWithoutItsFolderFailsTheTaskAndSaysWhy() throws Exception {
        var container = container(new Container.Mount("/no/such/folder", "/contract", false));
        var spec = spec(List.of(role(Role.MAIN, 1, shell("echo ran"))), "/", container);
        assumeMounts(spec);
        var launch = effect(spec, List.of());
        var exit = awaitExit(launch(launch), MAIN);
        assertFalse(exit.isLost());
        assertFalse(exit.succeeded());
        String log = log(launch.attempt(), MAIN);
        assertTrue(log.contains("/no/such/folder") && !log.contains("ran"), log);
    }

    private Effect.Launch mounted(String target, boolean readOnly, String script) {
        var container = container(new Container.Mount(folderToMount(), target, readOnly));
        var spec = spec(List.of(role(Role.MAIN, 1, shell(script))), target, container);
        assumeMounts(spec);
        return effect(spec, List.of());
    }

    private static Container container(Container.Mount mount) {
        return new Container(Optional.empty(), List.of(mount), List.of());
    }

    /** Skips the test where this account cannot have mounts; for root a refusal is a bug. */
    protected void assumeMounts(JobSpec spec) {
        var refusal = engine.terms().refuses(spec);
        assumeTrue(refusal.isEmpty() || Root.mayMount(), () -> "not root: " + refusal);
        assertEquals(Optional.empty(), refusal);
    }

    @Test
    void aChangeIsTold() throws Exception {
        var calls = new AtomicInteger();
        engine.onChange(calls::incrementAndGet);
        var attempt = launch(shell("sleep 0.1"));
        assertTrue(calls.get() >= 1);
        awaitExit(attempt, MAIN);
        Eventually.when("the exit is reported", () -> calls.get() >= 2);
    }

    @Test
    void aClosedEngineStartsNothing() throws Exception {
        var launch = effect(shell("echo ran"));
        engine.close();
        try {
            engine.launch(launch);
        } catch (EngineException _) {
            // It says so; either is fine as long as nothing runs.
        }
        engine = open();
        assertEquals("", log(launch.attempt(), MAIN));
    }

    protected static List<String> shell(String script) {
        return List.of("sh", "-c", script);
    }

    protected static Role role(String name, int count, List<String> command) {
        return new Role(
                name,
                count,
                command,
                new Resources(0, 0, 0),
                OptionalInt.empty(),
                OptionalInt.empty());
    }

    protected final Effect.Launch effect(List<?> commandOrRoles) {
        return commandOrRoles.getFirst() instanceof Role
                ? effect(spec(commandOrRoles.stream().map(Role.class::cast).toList()), List.of())
                : effect(
                        spec(
                                List.of(
                                        role(
                                                Role.MAIN,
                                                1,
                                                commandOrRoles.stream()
                                                        .map(String.class::cast)
                                                        .toList()))),
                        List.of());
    }

    protected final JobSpec spec(List<Role> roles) {
        return spec(roles, workingFolder(), container());
    }

    protected final JobSpec spec(List<Role> roles, String folder, Container container) {
        var spec = new JobSpec.Edit();
        spec.name = "contract";
        spec.cluster = "local";
        spec.project = "default";
        spec.roles = roles;
        spec.workingFolder = folder;
        spec.container = container;
        return spec.spec();
    }

    /** The first attempt of a new job, on the engine's first node. */
    protected final Effect.Launch effect(JobSpec spec, List<Integer> gpus) {
        var now = Instant.now();
        var id = JobId.of(spec.name(), now, ThreadLocalRandom.current().nextInt());
        var job = Job.submitted(id, spec, "me", now, Optional.empty(), Optional.empty());
        var places = new ArrayList<TaskPlacement>();
        for (Role role : spec.roles()) {
            for (int i = 0; i < role.count(); i++) {
                places.add(TaskPlacement.whole(new TaskId(role.name(), i), node(), gpus));
            }
        }
        return new Effect.Launch(job, new Attempt(new AttemptId(id, 1), new Placement(places)));
    }

    private String node() {
        try {
            return engine.nodes().getFirst().name();
        } catch (EngineException problem) {
            throw new AssertionError(problem);
        }
    }

    protected final AttemptId launch(List<String> command) throws EngineException {
        return launch(effect(command));
    }

    protected final AttemptId launch(Effect.Launch launch) throws EngineException {
        launched.add(launch.attempt());
        engine.launch(launch);
        return launch.attempt();
    }

    protected final Optional<Observation> seen(AttemptId attempt) throws EngineException {
        return engine.observe().stream().filter(seen -> seen.attempt().equals(attempt)).findFirst();
    }

    protected final Exit awaitExit(AttemptId attempt, TaskId task) throws Exception {
        Eventually.when(
                attempt + " " + task + " ended",
                () -> seen(attempt).map(seen -> seen.exits().containsKey(task)).orElse(false));
        return seen(attempt).orElseThrow().exits().get(task);
    }

    protected final String log(AttemptId attempt, TaskId task) throws EngineException, IOException {
        var log = engine.log(attempt, task);
        return new String(log.read(log.start(), 1 << 20), UTF_8);
    }
}
