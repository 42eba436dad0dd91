package fairlead.engines.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.engine.Observation;
import fairlead.job.AttemptId;
import fairlead.job.Role;
import fairlead.job.TaskId;
import fairlead.testing.Eventually;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** Servers that are killed with SIGKILL, in processes of their own. */
class CrashTest {
    private static final TaskId MAIN = new TaskId(Role.MAIN, 0);

    @TempDir Path home;
    @TempDir Path folder;

    @Test
    void aTaskOutlivesItsKilledServerAndIsTakenUpWithItsTrueCode() throws Exception {
        var server = start(0, 1, "1");
        assertEquals("open", server.reader().readLine());
        assertEquals("launched 0", server.reader().readLine());
        kill(server);
        try (var engine = LocalEngine.open(LocalSettings.at(home))) {
            assertEquals(1, engine.observe().size());
            awaitAll(engine, 1);
            assertEquals(OptionalInt.of(42), engine.observe().getFirst().exits().get(MAIN).code());
        }
        assertEquals(List.of("0"), Files.readAllLines(folder.resolve("ran")));
    }

    /**
     * Goal: whatever the moment of the kill, every launch that is repeated afterwards has run
     * exactly once. Method: kill servers that launch a stream of jobs, then repeat all launches.
     */
    @Test
    void killsAtAnyMomentRunNothingTwiceAndLoseNothing() throws Exception {
        int rounds = 8;
        int perRound = 40;
        var dice = new SplittableRandom(1);
        for (int round = 0; round < rounds; round++) {
            var server = start(round * perRound, perRound, "0.02");
            assertEquals("open", server.reader().readLine());
            LockSupport.parkNanos(dice.nextLong(Duration.ofMillis(60).toNanos()));
            kill(server);
        }
        int jobs = rounds * perRound;
        try (var engine = LocalEngine.open(LocalSettings.at(home))) {
            for (int i = 0; i < jobs; i++) {
                var command = CrashingServer.command(i, "0.02");
                engine.launch(Jobs.single(CrashingServer.job(i), folder.toString(), command));
            }
            awaitAll(engine, jobs);
            for (Observation seen : engine.observe()) {
                assertEquals(OptionalInt.of(42), seen.exits().get(MAIN).code(), seen::toString);
                engine.forget(seen.attempt());
            }
        }
        var ran = new ArrayList<Integer>();
        for (String line : Files.readAllLines(folder.resolve("ran")))
            ran.add(Integer.valueOf(line));
        assertEquals(jobs, ran.size());
        assertEquals(IntStream.range(0, jobs).boxed().toList(), List.copyOf(new TreeSet<>(ran)));
    }

    @Test
    void aStopAskedOfAKilledServerIsKeptByTheNext() throws Exception {
        var server = start(0, 1, "600");
        assertEquals("open", server.reader().readLine());
        assertEquals("launched 0", server.reader().readLine());
        kill(server);
        var attempt = new AttemptId(CrashingServer.job(0), 1);
        try (var engine = LocalEngine.open(LocalSettings.at(home))) {
            engine.stop(attempt, Duration.ofMinutes(10));
            awaitAll(engine, 1);
            assertEquals(OptionalInt.of(143), engine.observe().getFirst().exits().get(MAIN).code());
            engine.forget(attempt);
            assertTrue(engine.observe().isEmpty());
        }
    }

    private record Server(Process process, BufferedReader reader) {}

    private Server start(int first, int count, String pause) throws Exception {
        var process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                CrashingServer.class.getName(),
                                home.toString(),
                                folder.toString(),
                                Integer.toString(first),
                                Integer.toString(count),
                                pause)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        return new Server(process, process.inputReader());
    }

    private static void kill(Server server) throws Exception {
        server.process().destroyForcibly();
        server.process().waitFor();
    }

    private static void awaitAll(LocalEngine engine, int jobs) throws Exception {
        Eventually.when(
                "all ended",
                () ->
                        engine.observe().stream().filter(seen -> !seen.exits().isEmpty()).count()
                                >= jobs);
    }
}
