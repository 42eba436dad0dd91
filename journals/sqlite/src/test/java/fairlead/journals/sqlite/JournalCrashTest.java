package fairlead.journals.sqlite;

import static fairlead.journals.sqlite.CommitUntilKilled.JOBS_PER_BATCH;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.job.JobId;
import fairlead.journal.JournalException;
import fairlead.journal.JournalFixtures.Life;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Goal: what a commit has promised survives a kill, and nothing is half there. Method: a program
 * that commits is killed after a random number of answers, mostly inside the next commit, again and
 * again over one journal.
 */
class JournalCrashTest {
    private static final int ROUNDS = 20;
    private static final int ANSWERS_MAX = 60;
    private static final long SEED = 20_261_115;

    @TempDir Path folder;

    /** The bound is for a hang: on a busy machine the twenty programs took two minutes. */
    @Test
    @Timeout(600)
    void everyAnsweredCommitSurvivesAKillAndNoneIsHalfThere() throws Exception {
        var dice = new SplittableRandom(SEED);
        Path file = folder.resolve("journal.db");
        int next = 0;
        for (int round = 0; round < ROUNDS; round++) {
            int answered = runAndKill(file, next, 1 + dice.nextInt(ANSWERS_MAX), dice);
            try (var journal = SqliteJournal.open(file)) {
                for (int batch = next; batch <= answered; batch++) assertWhole(journal, batch);
                // At most one commit may have succeeded without having been answered.
                int unanswered = answered + 1;
                boolean kept = !journal.madeBy("batch-" + unanswered).isEmpty();
                if (kept) assertWhole(journal, unanswered);
                assertEquals(List.of(), journal.madeBy("batch-" + (unanswered + 1)));
                next = kept ? unanswered + 1 : unanswered;
                assertEquals(next * JOBS_PER_BATCH, journal.unfinished().size());
            }
        }
        assertTrue(next >= ROUNDS, "too few commits to mean anything: " + next);
        try (var left = Files.list(folder)) {
            assertEquals(Set.of("journal.db", "native"), names(left), "nothing else is left");
        }
        try (var left = Files.list(folder.resolve("native"))) {
            assertEquals(1, names(left).size(), "one library, however often it was killed");
        }
    }

    private static Set<String> names(Stream<Path> files) {
        return files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
    }

    private static void assertWhole(SqliteJournal journal, int batch) throws JournalException {
        List<Life> lives =
                IntStream.range(0, JOBS_PER_BATCH)
                        .mapToObj(n -> CommitUntilKilled.life(batch, n))
                        .toList();
        List<JobId> ids = lives.stream().map(life -> life.job().id()).toList();
        assertEquals(ids, journal.madeBy("batch-" + batch));
        for (Life life : lives) {
            assertEquals(Optional.of(life.job()), journal.find(life.job().id()));
            assertEquals(life.facts(), journal.history(life.job().id()));
        }
    }

    /** Returns the last number that was answered. */
    private int runAndKill(Path file, int first, int answers, SplittableRandom dice)
            throws IOException, InterruptedException {
        Process process = CommitUntilKilled.start(file, first);
        int last = first - 1;
        try (BufferedReader lines = process.inputReader()) {
            String line = null;
            while (last < first + answers - 1 && (line = lines.readLine()) != null) {
                last = Integer.parseInt(line);
            }
            long until = System.nanoTime() + dice.nextLong(2_000_000);
            while (System.nanoTime() < until) Thread.onSpinWait();
            // By its handle, because the process itself would close the pipe that is read below.
            process.toHandle().destroyForcibly();
            process.waitFor();
            // What was printed before the kill counts as answered too; a torn last line does not.
            var rest = new StringBuilder();
            for (int c = lines.read(); c >= 0; c = lines.read()) rest.append((char) c);
            int end = rest.lastIndexOf("\n");
            if (end > 0) last = Integer.parseInt(rest.substring(0, end).lines().toList().getLast());
            String errors = new String(process.getErrorStream().readAllBytes(), UTF_8);
            assertTrue(last >= first, "it died before its first answer: " + errors);
        } finally {
            process.destroyForcibly();
        }
        return last;
    }
}
