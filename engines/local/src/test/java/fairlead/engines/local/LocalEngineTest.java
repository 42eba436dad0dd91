package fairlead.engines.local;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.engine.Engine;
import fairlead.engine.EngineContract;
import fairlead.engine.EngineException;
import fairlead.engines.local.linux.Processes;
import fairlead.engines.local.task.LogFile;
import fairlead.engines.local.task.Reaper;
import fairlead.job.AttemptId;
import fairlead.job.Limits;
import fairlead.job.Role;
import fairlead.job.TaskId;
import fairlead.testing.Eventually;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/** The contract on processes of this machine, and what is special about them. */
public class LocalEngineTest extends EngineContract {
    private static final long LOG_BYTES_MAX = LocalSettings.LOG_BYTES_MAX_LEAST;
    private static final int TWO = 2;

    @TempDir Path home;
    @TempDir Path folder;

    @Override
    protected Engine open() throws EngineException {
        return LocalEngine.open(
                LocalSettings.at(home).withDeclaredGpus(TWO).withLogBytesMax(LOG_BYTES_MAX));
    }

    @Override
    protected String workingFolder() {
        return folder.toString();
    }

    @Test
    void argumentsArePassedAsTheyAre() throws Exception {
        var odd = List.of("two words", "\"'`$HOME\\n", "line\nbreak", "grüße 漢字 🙂", "", "-x", "*");
        var command = new ArrayList<>(List.of("printf", "[%s]"));
        command.addAll(odd);
        var attempt = launch(command);
        awaitExit(attempt, MAIN);
        assertEquals("[" + String.join("][", odd) + "]", log(attempt, MAIN));
    }

    @Test
    void theLongestArgumentArrives() throws Exception {
        String longest = "x".repeat(Limits.ARGUMENT_BYTES_MAX);
        var attempt = launch(List.of("sh", "-c", "echo ${#1}", "sh", longest));
        assertEquals(OptionalInt.of(0), awaitExit(attempt, MAIN).code());
        assertEquals(Limits.ARGUMENT_BYTES_MAX + "\n", log(attempt, MAIN));
    }

    @Test
    void aNameThatTheShellKnowsTooIsTheProgram() throws Exception {
        var attempt = launch(List.of("exit", "3"));
        assertEquals(OptionalInt.of(127), awaitExit(attempt, MAIN).code());
        var other = launch(List.of("test", "a", "=", "b"));
        assertEquals(OptionalInt.of(1), awaitExit(other, MAIN).code());
    }

    @Test
    void aCommandThatDoesNotExistExits127AndSaysSo() throws Exception {
        var attempt = launch(List.of("no-such-program"));
        assertEquals(OptionalInt.of(127), awaitExit(attempt, MAIN).code());
        assertTrue(log(attempt, MAIN).contains("no-such-program"), log(attempt, MAIN));
    }

    @Test
    void aMissingWorkingFolderExits126AndSaysSo() throws Exception {
        var launch = Jobs.single(CrashingServer.job(1), "/no/such/folder", List.of("true"));
        var attempt = launch(launch);
        assertEquals(OptionalInt.of(126), awaitExit(attempt, MAIN).code());
        assertEquals(
                "fairlead: cannot enter the working folder /no/such/folder\n", log(attempt, MAIN));
    }

    @Test
    void aTaskStartsInItsFolderWithEmptyInputAndNoOtherFile() throws Exception {
        var attempt =
                launch(
                        shell(
                                "pwd; cat; for n in 3 4 5 6 7 8 9; do"
                                        + " [ ! -e /proc/$$/fd/$n ] || echo $n is open; done"));
        awaitExit(attempt, MAIN);
        assertEquals(folder.toRealPath() + "\n", log(attempt, MAIN));
    }

    @Test
    void aTaskHasDefaultSignals() throws Exception {
        var attempt = launch(List.of("grep", "-E", "SigBlk|SigIgn", "/proc/self/status"));
        awaitExit(attempt, MAIN);
        var lines = log(attempt, MAIN).lines().toList();
        assertEquals("SigBlk:\t0000000000000000", lines.get(0));
        // glibc keeps two signals for its own threads, and has them ignored in what it spawns.
        long internal = 1L << 31 | 1L << 32;
        long ignored = Long.parseLong(lines.get(1).substring("SigIgn:\t".length()), 16);
        assertEquals(0, ignored & ~internal);
    }

    @Test
    void aTaskHasASessionOfItsOwn() throws Exception {
        var attempt = launch(shell("cut -d' ' -f5,6 /proc/$PPID/stat; echo $PPID $PPID"));
        awaitExit(attempt, MAIN);
        var lines = log(attempt, MAIN).lines().toList();
        assertEquals(lines.get(1), lines.get(0), "process group and session of the shim");
    }

    @Test
    void aBackgroundChildDoesNotOutliveItsTask() throws Exception {
        var attempt = launch(shell("sleep 600 & echo $! >child; exit 0"));
        assertEquals(OptionalInt.of(0), awaitExit(attempt, MAIN).code());
        awaitGone("child");
    }

    @Test
    void aDaemonThatLeftTheSessionIsFoundAndKilled() throws Exception {
        var script =
                "setsid sh -c 'echo $$ >daemon; exec sleep 600' & until [ -s daemon ]; do :; done";
        var attempt = launch(shell(script));
        assertEquals(OptionalInt.of(0), awaitExit(attempt, MAIN).code());
        engine.forget(attempt);
        awaitGone("daemon");
    }

    @Test
    void leftoversOfATaskThatEndedWhileNoServerRanAreKilled() throws Exception {
        var script =
                "setsid sh -c 'echo $$ >daemon; exec sleep 600' & until [ -s daemon ]; do :; done";
        launch(shell("sleep 0.3; " + script));
        engine.close();
        Eventually.when("the daemon runs", () -> Files.exists(folder.resolve("daemon")));
        engine = open();
        awaitGone("daemon");
    }

    @Test
    void forceReachesEveryProcessOfATask() throws Exception {
        var daemon =
                "setsid sh -c 'trap \"\" TERM; echo $$ >daemon; while :; do sleep 0.1; done' &";
        var attempt =
                launch(
                        shell(
                                "trap '' TERM; "
                                        + daemon
                                        + " echo $$ >self; while :; do sleep 0.1; done"));
        Eventually.when("both run", () -> exists("daemon") && exists("self"));
        engine.stop(attempt, Duration.ZERO);
        assertEquals(OptionalInt.of(137), awaitExit(attempt, MAIN).code());
        // At once: whoever sees the exit gives the GPUs to the next.
        assertGone("self");
        assertGone("daemon");
    }

    /** One that bears no mark, as it has wiped its variables, but stays in the session. */
    @Test
    void forceReachesAProcessThatHasWipedItsVariables() throws Exception {
        var bare = "env -i sh -c 'trap \"\" TERM; echo $$ >bare; while :; do sleep 0.1; done'";
        // In a process group of its own, as those of an interactive shell are.
        var attempt =
                launch(shell("trap '' TERM; set -m; " + bare + " & while :; do sleep 0.1; done"));
        Eventually.when("it runs", () -> exists("bare"));
        engine.stop(attempt, Duration.ZERO);
        assertEquals(OptionalInt.of(137), awaitExit(attempt, MAIN).code());
        assertGone("bare");
    }

    @Test
    void aSuspendedTaskCanBeStopped() throws Exception {
        var attempt = launch(shell("echo $$ >self; kill -STOP 0; sleep 600"));
        Eventually.when("it stands still", () -> exists("self") && state(pid("self")).equals("T"));
        engine.stop(attempt, Duration.ofMinutes(10));
        assertEquals(OptionalInt.of(143), awaitExit(attempt, MAIN).code());
    }

    @Test
    void aTaskWhoseShimWasKilledIsLostAndNothingOfItRunsOn() throws Exception {
        var attempt = launch(shell("echo $PPID >shim; echo $$ >self; sleep 600"));
        Eventually.when("it runs", () -> exists("self"));
        ProcessHandle.of(pid("shim")).orElseThrow().destroyForcibly();
        var exit = awaitExit(attempt, MAIN);
        assertTrue(exit.isLost(), exit::toString);
        awaitGone("self");
        reopen();
        assertTrue(awaitExit(attempt, MAIN).isLost());
    }

    @Test
    void aStrangerWithAReusedPidIsNeitherTakenForATaskNorHarmed() throws Exception {
        var attempt = launch(shell("echo $PPID >shim; sleep 600"));
        Eventually.when("it runs", () -> exists("shim"));
        engine.close();
        var stranger = new ProcessBuilder("sleep", "600").start();
        try {
            ProcessHandle.of(pid("shim")).orElseThrow().destroyForcibly();
            Path claim = home.resolve("attempts").resolve(attempt.job() + "/1.main-0.task");
            Files.writeString(claim, stranger.pid() + "\n");
            engine = open();
            assertTrue(awaitExit(attempt, MAIN).isLost());
            engine.stop(attempt, Duration.ZERO);
            engine.forget(attempt);
            assertTrue(stranger.isAlive());
        } finally {
            stranger.destroyForcibly();
        }
    }

    /** Whose process has the number now is one of ours, but of another task. */
    @Test
    void anotherTaskWithAReusedPidIsNotTakenForTheFirst() throws Exception {
        var first = launch(shell("echo $PPID >first; sleep 600"));
        var second = launch(shell("echo $PPID >second; sleep 600"));
        Eventually.when("both run", () -> exists("first") && exists("second"));
        engine.close();
        ProcessHandle.of(pid("first")).orElseThrow().destroyForcibly();
        Path claim = home.resolve("attempts").resolve(first.job() + "/1.main-0.task");
        Files.writeString(claim, pid("second") + "\n");
        engine = open();
        assertTrue(awaitExit(first, MAIN).isLost());
        assertEquals(Map.of(), seen(second).orElseThrow().exits());
        assertFalse(isGone(pid("second")));
    }

    @Test
    void onlyAnOrderedEndIsAStop() throws Exception {
        var own = launch(shell("exit 3"));
        assertFalse(awaitExit(own, MAIN).stopped());
        var ordered = launch(shell("sleep 600"));
        engine.stop(ordered, Duration.ofMinutes(10));
        assertTrue(awaitExit(ordered, MAIN).stopped());
        // A stop that comes too late changes nothing.
        engine.stop(own, Duration.ZERO);
        assertFalse(awaitExit(own, MAIN).stopped());
    }

    @Test
    void onlyProcessesOfNoLivingTaskAreOrphans() throws Exception {
        launch(shell("echo $$ >self; sleep 600"));
        Eventually.when("it runs", () -> exists("self"));
        String mark = Processes.mark((int) pid("self"));
        String engineId = mark.substring(0, mark.indexOf('/'));
        assertTrue(Reaper.killOrphans(engineId, () -> Set.of(mark)));
        assertTrue(Reaper.killOrphans("another", Set::of));
        assertFalse(isGone(pid("self")));
        assertFalse(Reaper.killOrphans(engineId, Set::of));
        awaitGone("self");
    }

    @Test
    void aClaimThatWasNeverWrittenIsALostTask() throws Exception {
        var launch = effect(shell("echo ran"));
        Path files = home.resolve("attempts").resolve(launch.attempt().job().text());
        Files.createDirectories(files);
        Files.createFile(files.resolve("1.main-0.task"));
        launch(launch);
        assertTrue(awaitExit(launch.attempt(), MAIN).isLost());
        assertEquals("", log(launch.attempt(), MAIN));
    }

    @Test
    void aLogKeepsItsEndAndItsOffsets() throws Exception {
        var attempt = launch(shell("yes 'fifteen letters' | head -c 1000000; echo; sleep 600"));
        var log = engine.log(attempt, MAIN);
        Eventually.when("all is written", () -> log.end() == 1_000_001);
        Eventually.when(
                "the beginning is dropped",
                () -> log.end() - log.start() <= LOG_BYTES_MAX + LogFile.BLOCK_BYTES);
        assertEquals(1_000_001, log.end());
        // Nothing that the bound allows is dropped, and what is kept is what was written there.
        assertTrue(log.end() - log.start() >= LOG_BYTES_MAX, "it starts at " + log.start());
        String line = "fifteen letters\n";
        String all = line.repeat(1_000_000 / line.length()) + "\n";
        var kept = new String(log.read(log.start(), 1 << 20), UTF_8);
        assertEquals(all.substring((int) log.start()), kept);
        assertArrayEquals(line.getBytes(UTF_8), log.read(999_984, line.length()));
        assertArrayEquals(new byte[0], log.read(0, line.length()));
        long blocks = Long.parseLong(output("stat", "-c", "%b", logFile(attempt).toString()));
        assertTrue(blocks * 512 <= LOG_BYTES_MAX + 8_192, blocks + " blocks");
    }

    /** Not with the line of a script that nobody wrote. */
    @Test
    void aProgramThatIsNotThereIsNamedInOneLine() throws Exception {
        for (String program : List.of("no-such-program", "/no/such/program")) {
            var attempt = launch(effect(List.of(program, "x")));
            assertEquals(OptionalInt.of(127), awaitExit(attempt, MAIN).code());
            assertEquals("fairlead: " + program + ": not found\n", log(attempt, MAIN));
        }
    }

    @Test
    void aNoteStandsOnALineOfItsOwnInTheLogOfALiveTask() throws Exception {
        var attempt = launch(shell("printf half; sleep 600"));
        Eventually.when("half a line is written", () -> log(attempt, MAIN).equals("half"));
        engine.sessions().orElseThrow().note(attempt, "fairlead: preempted for another");
        engine.sessions().orElseThrow().note(attempt, "twice");
        assertEquals("half\nfairlead: preempted for another\ntwice\n", log(attempt, MAIN));
        var unknown = new AttemptId(CrashingServer.job(1), 1);
        engine.sessions().orElseThrow().note(unknown, "nobody reads this");
        assertEquals("", log(unknown, MAIN));
        assertEquals(1, engine.observe().size());
    }

    @Test
    void aTaskOfAPathFromOutsideHasNoLog() {
        var attempt = new AttemptId(CrashingServer.job(1), 1);
        assertThrows(EngineException.class, () -> engine.log(attempt, new TaskId("../../x", 0)));
    }

    @Test
    void aHomeInUseIsRefused() {
        var problem = assertThrows(EngineException.class, this::open);
        assertTrue(problem.getMessage().contains("in use"), problem.getMessage());
    }

    @Test
    void logsOfARunningAttemptStay() throws Exception {
        var attempt = launch(shell("sleep 600"));
        assertThrows(EngineException.class, () -> engine.deleteLogs(attempt.job()));
    }

    @Test
    void theNodeIsThisMachineWithTheDeclaredGpus() throws Exception {
        var node = engine.nodes().getFirst();
        assertEquals(output("hostname"), node.name());
        assertEquals(TWO, node.gpus().size());
        assertTrue(node.memoryBytes() > 0);
        assertTrue(node.cpus() > 0);
    }

    @Test
    void aGangOfAHundredStopsAsOne() throws Exception {
        var launch = effect(List.of(role("worker", 100, List.of("sleep", "600"))));
        launch(launch);
        engine.stop(launch.attempt(), Duration.ofMinutes(10));
        Eventually.when(
                "all have ended", () -> seen(launch.attempt()).orElseThrow().exits().size() == 100);
        for (var exit : seen(launch.attempt()).orElseThrow().exits().values()) {
            assertEquals(OptionalInt.of(143), exit.code());
        }
    }

    private Path logFile(AttemptId attempt) {
        return home.resolve("attempts").resolve(attempt.job() + "/1." + Role.MAIN + "-0.log");
    }

    private boolean exists(String file) throws Exception {
        Path path = folder.resolve(file);
        return Files.exists(path) && Files.readString(path).endsWith("\n");
    }

    private long pid(String file) throws Exception {
        return Long.parseLong(Files.readString(folder.resolve(file)).strip());
    }

    private void awaitGone(String file) throws Exception {
        long pid = pid(file);
        Eventually.when(file + " " + pid + " is gone", () -> isGone(pid));
    }

    private void assertGone(String file) throws Exception {
        assertTrue(isGone(pid(file)), file + " still runs");
    }

    private static boolean isGone(long pid) throws Exception {
        return List.of("", "Z").contains(state(pid));
    }

    /** The letter of /proc, or nothing when there is no such process. */
    private static String state(long pid) throws Exception {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            return stat.substring(stat.lastIndexOf(')') + 2).substring(0, 1);
        } catch (IOException _) {
            return "";
        }
    }

    public static String output(String... command) throws Exception {
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    }
}
