package fairlead.engines.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import fairlead.engine.Engine;
import fairlead.engine.EngineContract;
import fairlead.engine.EngineException;
import fairlead.engines.local.linux.Libc;
import fairlead.job.AttemptId;
import fairlead.job.Container;
import fairlead.job.Container.Mount;
import fairlead.job.Role;
import fairlead.testing.Eventually;
import fairlead.testing.Root;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The contract with mounts around every task, and what is special about them. */
class MountedTasksTest extends EngineContract {
    @TempDir Path home;
    @TempDir Path folder;
    @TempDir Path other;

    @Override
    protected Engine open() throws EngineException {
        return LocalEngine.open(LocalSettings.at(home));
    }

    @Override
    protected String workingFolder() {
        return "/custom";
    }

    @Override
    protected String folderToMount() {
        return folder.toString();
    }

    @Override
    protected Container container() {
        return mounts(
                new Mount(folder.toString(), "/custom", false),
                new Mount(other.toString(), "/data/sets/one", true));
    }

    private static Container mounts(Mount... mounts) {
        return new Container(Optional.empty(), List.of(mounts), List.of());
    }

    @BeforeEach
    void thisMachineMustAllowMounts() {
        var refusal = engine.terms().refuses(spec(List.of(role(Role.MAIN, 1, shell("true")))));
        assumeTrue(refusal.isEmpty() || Root.mayMount(), () -> "not root: " + refusal);
        assertEquals(Optional.empty(), refusal);
    }

    @Test
    void theTaskIsWhoItWasAndOwnsWhatItWrites() throws Exception {
        var attempt = launch(shell("id -u; id -g; echo text >mine; grep CapEff /proc/self/status"));
        awaitExit(attempt, MAIN);
        var lines = log(attempt, MAIN).lines().toList();
        assertEquals(
                List.of("" + Libc.effectiveUser(), "" + Libc.effectiveGroup()),
                lines.subList(0, 2));
        assertEquals(Libc.effectiveUser(), Files.getAttribute(folder.resolve("mine"), "unix:uid"));
        boolean isPowerful = !lines.get(2).endsWith("0000000000000000");
        assertEquals(Libc.effectiveUser() == 0, isPowerful, lines.get(2));
    }

    @Test
    void theMachineIsThereAndNothingIsCreatedOnIt() throws Exception {
        Files.writeString(other.resolve("seen"), "through two folders\n");
        var attempt =
                launch(
                        shell(
                                "cat /data/sets/one/seen; ls -d /etc/passwd /proc/self/fd"
                                        + " /sys/kernel "
                                        + folder
                                        + "; ls -A / | grep -E '^.(old|from)$'"));
        awaitExit(attempt, MAIN);
        assertEquals(
                "through two folders\n/etc/passwd\n/proc/self/fd\n/sys/kernel\n" + folder + "\n",
                log(attempt, MAIN));
        assertFalse(Files.exists(Path.of("/custom")));
        assertFalse(Files.exists(Path.of("/data/sets")));
    }

    @Test
    void theRootItselfTakesNothingThatWouldBeLost() throws Exception {
        var attempt = launch(shell("touch /lost-with-the-task || echo refused"));
        awaitExit(attempt, MAIN);
        assertTrue(log(attempt, MAIN).endsWith("refused\n"), log(attempt, MAIN));
    }

    /** Not with the name of the program that was to become it. */
    @Test
    void aProgramThatIsNotThereIsNamedInOneLine() throws Exception {
        for (String program : List.of("no-such-program", "/no/such/program")) {
            var attempt = launch(List.of(program, "x"));
            assertEquals(OptionalInt.of(127), awaitExit(attempt, MAIN).code());
            assertEquals("fairlead: " + program + ": not found\n", log(attempt, MAIN));
        }
    }

    @Test
    void variablesAndArgumentsArriveAsTheyAre() throws Exception {
        var odd = "two words \"'`$HOME\\n\nline grüße 漢字 *";
        var attempt = launch(List.of("sh", "-c", "printf '[%s]' \"$1\"; env", "sh", odd));
        awaitExit(attempt, MAIN);
        String log = log(attempt, MAIN);
        assertTrue(log.startsWith("[" + odd + "]"), log);
        var ours = log.lines().filter(line -> line.startsWith("FAIRLEAD_")).toList();
        assertEquals(
                List.of(),
                ours.stream()
                        .filter(
                                line ->
                                        line.matches(
                                                "FAIRLEAD_(MOUNT|SOURCE|TARGET|MODE|AT|LAST)=.*"))
                        .toList());
        assertTrue(ours.stream().anyMatch(line -> line.startsWith("FAIRLEAD_JOB=")), log);
    }

    @Test
    void aCommandThatDoesNotExistExits127AndSaysSo() throws Exception {
        var attempt = launch(List.of("no-such-program"));
        assertEquals(OptionalInt.of(127), awaitExit(attempt, MAIN).code());
        assertTrue(log(attempt, MAIN).contains("no-such-program"), log(attempt, MAIN));
    }

    @Test
    void theTaskIsTheChildOfItsShimAndInItsSession() throws Exception {
        var attempt = launch(shell("cut -d' ' -f5,6 /proc/$PPID/stat; echo $PPID $PPID"));
        awaitExit(attempt, MAIN);
        var lines = log(attempt, MAIN).lines().toList();
        assertEquals(lines.get(1), lines.get(0), "process group and session of the shim");
    }

    @Test
    void aDaemonThatLeftTheSessionIsFoundAndKilled() throws Exception {
        var attempt =
                launch(
                        shell(
                                "setsid sh -c 'echo $$ >daemon; exec sleep 600' &"
                                        + " until [ -s daemon ]; do :; done"));
        assertEquals(OptionalInt.of(0), awaitExit(attempt, MAIN).code());
        engine.forget(attempt);
        long pid = Long.parseLong(Files.readString(folder.resolve("daemon")).strip());
        Eventually.when("the daemon is gone", () -> ProcessHandle.of(pid).isEmpty());
    }

    @Test
    void forceEndsAMountedTask() throws Exception {
        var attempt = launch(shell("trap '' TERM; echo ready; while :; do sleep 0.05; done"));
        Eventually.when("it runs", () -> log(attempt, MAIN).contains("ready"));
        engine.stop(attempt, Duration.ZERO);
        assertEquals(OptionalInt.of(137), awaitExit(attempt, MAIN).code());
    }

    @Test
    void aMountInsideAReadOnlyOneMayBeWritten() throws Exception {
        Path inner = Files.createDirectory(folder.resolve("inner space"));
        var attempt =
                run(
                        "touch /one/file; touch '/one/inner space/file' && echo inner",
                        new Mount(folder.toString(), "/one", true),
                        new Mount(other.toString(), "/one/inner space", false));
        assertTrue(log(attempt, MAIN).contains("Read-only"), log(attempt, MAIN));
        assertTrue(log(attempt, MAIN).endsWith("inner\n"), log(attempt, MAIN));
        assertTrue(Files.exists(other.resolve("file")));
        assertFalse(Files.exists(inner.resolve("file")));
        assertFalse(Files.exists(folder.resolve("file")));
    }

    @Test
    void readOnlyReachesWhatIsMountedBelowTheSource() throws Exception {
        Root.neededToMount();
        String below = Files.createDirectory(folder.resolve("below")).toString();
        assertEquals("", LocalEngineTest.output("mount", "-t", "tmpfs", "none", below));
        try {
            var mount = new Mount(folder.toString(), "/outer", true);
            var attempt = run("touch /outer/below/file", mount);
            assertTrue(log(attempt, MAIN).contains("Read-only"), log(attempt, MAIN));
        } finally {
            assertEquals("", LocalEngineTest.output("umount", below));
        }
    }

    @Test
    void aMountDoesNotHideTheSourceOfAnother() throws Exception {
        Path data = Files.createDirectory(folder.resolve("data"));
        Files.writeString(data.resolve("text"), "of the machine\n");
        var attempt =
                run(
                        "cat /second/text",
                        new Mount(other.toString(), folder.toString(), false),
                        new Mount(data.toString(), "/second", true));
        assertEquals("of the machine\n", log(attempt, MAIN));
    }

    @Test
    void aTargetInsideAFolderOfTheMachineMustExist() throws Exception {
        Path target = other.resolve("missing");
        var attempt = run("echo ran", new Mount(folder.toString(), target.toString(), false));
        assertEquals(OptionalInt.of(126), awaitExit(attempt, MAIN).code());
        assertEquals(
                "fairlead: cannot mount "
                        + folder
                        + " at "
                        + target
                        + ": make that folder first, or choose a path whose first part is new\n",
                log(attempt, MAIN));
        assertFalse(Files.exists(target));
    }

    @Test
    void aMissingWorkingFolderExits126AndSaysSo() throws Exception {
        var spec = spec(List.of(role(Role.MAIN, 1, shell("echo ran"))), "/custom/no", container());
        var launch = effect(spec, List.of());
        assertEquals(OptionalInt.of(126), awaitExit(launch(launch), MAIN).code());
        assertEquals(
                "fairlead: cannot enter the working folder /custom/no\n",
                log(launch.attempt(), MAIN));
    }

    private AttemptId run(String script, Mount... mounts) throws Exception {
        var spec = spec(List.of(role(Role.MAIN, 1, shell(script))), "/", mounts(mounts));
        var attempt = launch(effect(spec, List.of()));
        awaitExit(attempt, MAIN);
        return attempt;
    }
}
