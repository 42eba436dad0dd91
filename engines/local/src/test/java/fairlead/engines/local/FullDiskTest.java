package fairlead.engines.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.engine.EngineException;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.Exit;
import fairlead.job.Role;
import fairlead.job.TaskId;
import fairlead.testing.Eventually;
import fairlead.testing.Root;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.OptionalInt;

/** An engine whose disk is full: a small file system in memory, which only root can mount. */
class FullDiskTest {
    private static final TaskId MAIN = new TaskId(Role.MAIN, 0);

    @TempDir Path disk;
    @TempDir Path folder;
    private boolean mounted;

    @BeforeEach
    void mount() throws Exception {
        Root.neededToMount();
        String problem =
                LocalEngineTest.output("mount", "-t", "tmpfs", "-o", "size=4m", "none", disk + "");
        assertEquals("", problem);
        mounted = true;
    }

    @AfterEach
    void unmount() throws Exception {
        if (mounted) assertEquals("", LocalEngineTest.output("umount", disk.toString()));
    }

    @Test
    void aLaunchSaysThatTheDiskIsFullAndWorksOnceItIsNot() throws Exception {
        try (var engine = LocalEngine.open(LocalSettings.at(disk.resolve("home")))) {
            var launch = job(1, "echo ran >>ran");
            Path filler = fill();
            var problem = assertThrows(EngineException.class, () -> engine.launch(launch));
            assertTrue(problem.getMessage().contains("is full"), problem.getMessage());
            assertEquals(List.of(), engine.observe());
            Files.delete(filler);
            engine.launch(launch);
            assertEquals(OptionalInt.of(0), awaitExit(engine, launch.attempt()).code());
            assertEquals(List.of("ran"), Files.readAllLines(folder.resolve("ran")));
        }
    }

    @Test
    void anExitCodeOutlastsAFullDisk() throws Exception {
        var launch = job(2, "until [ -e go ]; do sleep 0.02; done; echo done >out; exit 9");
        Path filler;
        try (var engine = LocalEngine.open(LocalSettings.at(disk.resolve("home")))) {
            engine.launch(launch);
            Eventually.when(
                    () ->
                            Files.exists(
                                    disk.resolve("home/attempts/crash_1_00000002/1.main-0.task")));
            filler = fill();
            Files.createFile(folder.resolve("go"));
            Eventually.when(() -> Files.exists(folder.resolve("out")));
            Files.delete(filler);
            assertEquals(OptionalInt.of(9), awaitExit(engine, launch.attempt()).code());
        }
    }

    private Effect.Launch job(int number, String script) {
        return Jobs.single(
                CrashingServer.job(number), folder.toString(), List.of("sh", "-c", script));
    }

    private Path fill() throws IOException {
        Path filler = disk.resolve("filler");
        try (var out = Files.newOutputStream(filler, StandardOpenOption.CREATE)) {
            while (true) out.write(new byte[4_096]);
        } catch (IOException _) {
            return filler;
        }
    }

    private static Exit awaitExit(LocalEngine engine, AttemptId attempt) throws Exception {
        Eventually.when(
                () ->
                        engine.observe().stream()
                                .anyMatch(
                                        seen ->
                                                seen.attempt().equals(attempt)
                                                        && !seen.exits().isEmpty()));
        return engine.observe().getFirst().exits().get(MAIN);
    }
}
