package fairlead.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.testing.Eventually;
import fairlead.testing.OneSeed;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * Goal: every job that was acknowledged ends exactly once with the right code, whenever the server
 * dies. Method: clients submit without pause, repeating each request until it is answered, while
 * the server is killed by SIGKILL at random moments and started again. {@code -Dfairlead.rounds=N}
 * sets how often ({@code ./check --long}: 50 times), {@code -Dfairlead.seed=N} when.
 */
class KillTest {
    private static final int ROUNDS = Integer.getInteger("fairlead.rounds", 12);
    private static final int CLIENTS = 3;

    /**
     * A kill comes so many answers after the start, not so many seconds: a busy machine is slow.
     */
    private static final int ANSWERS_MAX = 16;

    /** And then at any moment of what follows an answer. */
    private static final Duration LATER_MAX = Duration.ofMillis(100);

    private static final Duration BETWEEN_SUBMITS = Duration.ofMillis(20);

    @TempDir Path folder;

    private final Map<String, String> acknowledged = new ConcurrentHashMap<>();
    private final AtomicBoolean isOver = new AtomicBoolean();

    @Test
    void whatWasAcknowledgedEndsOnceWithItsCodeHoweverOftenTheServerDies() throws Exception {
        long seed = OneSeed.or(1);
        var dice = new SplittableRandom(seed);
        try (var installation = Installation.withSettings(folder.resolve("home"))) {
            installation.run("server", "start", "--gpus", "8").expect(0);
            var caller = new Caller(installation);
            String survivor = caller.submit("survivor", survivor(), 1).orElseThrow().id();
            Eventually.when(
                    "the survivor's start", () -> Files.exists(folder.resolve("survivor.pid")));

            var clients = new ArrayList<Thread>();
            for (int i = 0; i < CLIENTS; i++) {
                String name = "client" + i;
                clients.add(Thread.ofPlatform().start(() -> submitUntilOver(caller, name)));
            }
            for (int round = 0; round < ROUNDS; round++) {
                int answers = acknowledged.size() + dice.nextInt(ANSWERS_MAX);
                Eventually.when("answers", () -> acknowledged.size() >= answers);
                LockSupport.parkNanos(dice.nextLong(LATER_MAX.toNanos()));
                installation.killServer();
                installation.run("server", "start", "--gpus", "8").expect(0);
            }
            isOver.set(true);
            for (Thread client : clients) client.join();
            Files.createFile(folder.resolve("survivor.stop"));
            Eventually.when(
                    "the last job's end",
                    () -> !caller.get("/v1/jobs?state=active&limit=10").body().contains("_"));
            System.out.printf(
                    "seed %d: %d kills, %d jobs acknowledged%n", seed, ROUNDS, acknowledged.size());
            checkJobs(caller);
            checkSurvivor(caller, survivor);
        }
    }

    /** Each job tells that it started and that it ended, and exits with a code of its own. */
    private void submitUntilOver(Caller caller, String name) {
        for (int i = 0; !isOver.get(); i++) {
            String token = name + "." + i;
            String shell =
                    "echo start %1$s >> %2$s; sleep 0.%3$d; echo end %1$s >> %2$s; exit %4$d"
                            .formatted(token, folder.resolve("witness"), i % 4, codeOf(token));
            while (!acknowledged.containsKey(token)) {
                caller.submit(token, shell, 1)
                        .filter(reply -> reply.status() == 201 || reply.status() == 200)
                        .ifPresent(reply -> acknowledged.put(token, reply.id()));
                LockSupport.parkNanos(BETWEEN_SUBMITS.toNanos());
            }
        }
    }

    private static int codeOf(String token) {
        return Math.floorMod(token.hashCode(), 5);
    }

    private void checkJobs(Caller caller) throws IOException {
        assertTrue(
                acknowledged.size() > ROUNDS,
                "too few jobs to mean anything: " + acknowledged.size());
        Map<String, Long> told =
                Files.readAllLines(folder.resolve("witness")).stream()
                        .collect(Collectors.groupingBy(line -> line, Collectors.counting()));
        var wrong = new ArrayList<String>();
        acknowledged.forEach(
                (token, id) -> {
                    var job = caller.get("/v1/jobs/" + id);
                    boolean isRight =
                            job.field("exitCode").equals(String.valueOf(codeOf(token)))
                                    && job.field("attempts").equals("1")
                                    && told.getOrDefault("start " + token, 0L) == 1
                                    && told.getOrDefault("end " + token, 0L) == 1;
                    if (!isRight) wrong.add(token + ": " + job.body());
                });
        assertEquals(List.of(), wrong);
        assertEquals(
                acknowledged.size() * 2,
                told.size(),
                "nothing ran that was not acknowledged in the end");
    }

    private String survivor() {
        return "echo $$ >> %1$s.pid; until [ -e %1$s.stop ]; do sleep 0.1; done; exit 7"
                .formatted(folder.resolve("survivor"));
    }

    private void checkSurvivor(Caller caller, String id) throws IOException {
        List<String> pids = Files.readAllLines(folder.resolve("survivor.pid"));
        assertEquals(1, pids.size(), "it was started once");
        assertFalse(Installation.isAlive(pids.getFirst()), "and has ended");
        assertEquals("7", caller.get("/v1/jobs/" + id).field("exitCode"));
    }
}
