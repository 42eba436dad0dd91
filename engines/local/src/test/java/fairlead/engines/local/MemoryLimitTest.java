package fairlead.engines.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.engines.local.linux.Cgroups;
import fairlead.engines.local.linux.Mounts;
import fairlead.job.Effect;
import fairlead.job.Exit;
import fairlead.job.Job;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.job.TaskId;
import fairlead.testing.Eventually;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Tasks with limits, on a plain folder in the place of control groups: the test plays the kernel.
 */
class MemoryLimitTest {
    private static final TaskId MAIN = new TaskId(Role.MAIN, 0);

    @TempDir Path home;
    @TempDir Path folder;
    @TempDir Path groups;

    @Test
    void aTaskEntersItsGroupFirst() throws Exception {
        try (var engine = open()) {
            engine.launch(limited("cat " + group().resolve("cgroup.procs") + "; echo $PPID"));
            assertEquals(OptionalInt.of(0), awaitExit(engine).code());
            var lines = log(engine).lines().toList();
            assertEquals(lines.get(1), lines.get(0));
        }
    }

    /** As memory.oom.group has it: the shim dies with the rest, so it can tell nobody. */
    @Test
    void aTaskKilledForItsMemoryIsNotLostButSaysSo() throws Exception {
        try (var engine = open()) {
            engine.launch(limited("echo $PPID >shim; sleep 600"));
            Eventually.when(
                    () ->
                            Files.exists(folder.resolve("shim"))
                                    && Files.size(folder.resolve("shim")) > 1);
            Files.writeString(group().resolve("memory.events"), "oom_kill 2\n");
            long shim = Long.parseLong(Files.readString(folder.resolve("shim")).strip());
            ProcessHandle.of(shim).orElseThrow().destroyForcibly();
            var exit = awaitExit(engine);
            assertEquals(OptionalInt.of(137), exit.code());
            assertTrue(exit.note().contains("memory"), exit.note());
            assertTrue(exit.outOfMemory());
        }
    }

    @Test
    void aTaskWithoutLimitsNeedsNoGroup() throws Exception {
        try (var engine = open()) {
            engine.launch(single("true"));
            assertEquals(OptionalInt.of(0), awaitExit(engine).code());
            assertFalse(Files.exists(group()));
        }
    }

    private LocalEngine open() throws Exception {
        return LocalEngine.open(
                LocalSettings.at(home),
                new Facilities(
                        Optional.of(new Cgroups(groups)),
                        new Mounts(Optional.empty()),
                        List.of(),
                        Optional::empty));
    }

    private Path group() {
        return groups.resolve(CrashingServer.job(1) + ".1.main-0");
    }

    private Effect.Launch single(String script) {
        return Jobs.single(CrashingServer.job(1), folder.toString(), List.of("sh", "-c", script));
    }

    private Effect.Launch limited(String script) {
        var plain = single(script);
        var spec = plain.job().spec();
        var role =
                new Role(
                        Role.MAIN,
                        1,
                        spec.roles().getFirst().command(),
                        new Resources(0, 1, 1 << 30),
                        OptionalInt.empty(),
                        OptionalInt.empty());
        var own = spec.with(edit -> edit.roles = List.of(role));
        var job = plain.job();
        return new Effect.Launch(
                Job.submitted(
                        job.id(), own, "me", job.submitted(), Optional.empty(), Optional.empty()),
                plain.place());
    }

    private static String log(LocalEngine engine) throws Exception {
        var attempt = engine.observe().getFirst().attempt();
        return new String(engine.log(attempt, MAIN).read(0, 1 << 20), StandardCharsets.UTF_8);
    }

    private static Exit awaitExit(LocalEngine engine) throws Exception {
        Eventually.when(() -> !engine.observe().getFirst().exits().isEmpty());
        return engine.observe().getFirst().exits().get(MAIN);
    }
}
