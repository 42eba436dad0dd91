package fairlead.server.history;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.job.Attempt;
import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.JobMachine;
import fairlead.job.Samples;
import fairlead.job.Verdict;
import fairlead.journal.Fact;
import fairlead.journals.sqlite.SqliteJournal;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A journal's past, replayed. */
class HistoryTest {
    @TempDir Path folder;
    private Path journal;

    private record Printed(int code, String out, String err) {}

    @BeforeEach
    void aTeamHasAPast() throws Exception {
        journal = folder.resolve("journal.db");
        try (var open = SqliteJournal.open(journal)) {
            var jobs = new ArrayList<Job>();
            // All at noon on 4 GPUs: two hours with 4, and then one hour with 1 and one with 2.
            jobs.add(ended(1, "ann", 4, 7_200));
            jobs.add(ended(2, "bob", 1, 3_600));
            jobs.add(ended(3, "cyd", 2, 3_600));
            jobs.add(ended(4, "dee", 0, 3_600));
            open.commit(
                    jobs.stream()
                            .map(job -> new Fact(job.id(), new Event.Submitted(job.submitted())))
                            .toList(),
                    jobs);
        }
    }

    private static Job ended(int number, String owner, int gpus, int seconds) {
        Job job = Samples.job(number, owner, Samples.spec(Samples.role("main", 1, gpus)));
        Instant start = job.submitted().plusSeconds(10);
        Attempt attempt = Samples.attempt(job, "node");
        Job running =
                JobMachine.next(
                        JobMachine.next(job, new Event.AttemptPlaced(start, attempt)),
                        new Event.AttemptStarted(start, attempt.id()));
        return JobMachine.next(
                running,
                new Event.AttemptEnded(
                        start.plusSeconds(seconds), attempt.id(), new Verdict.Succeeded()));
    }

    @Test
    void theJobsOfAJournalAreReplayedAsTheyWere() throws Exception {
        byte[] before = Files.readAllBytes(journal);
        Printed printed =
                simulate(
                        "--from-journal",
                        journal.toString(),
                        "--nodes",
                        "1",
                        "--gpus-per-node",
                        "4",
                        "--policy",
                        "fifo",
                        "--json");
        assertEquals(0, printed.code(), printed.err());
        assertTrue(printed.err().contains("never ran: 1"), printed.err());
        // The last two start when the first ends, and end an hour later.
        assertTrue(printed.out().contains("\"makespanSeconds\":10800.0"), printed.out());
        assertArrayEquals(before, Files.readAllBytes(journal), "the file stays as it was");
        try (var left = Files.list(folder)) {
            assertEquals(List.of(journal), left.toList());
        }
    }

    @Test
    void aClusterThatIsTooSmallForThePastIsRefused() {
        Printed printed =
                simulate(
                        "--from-journal",
                        journal.toString(),
                        "--nodes",
                        "1",
                        "--gpus-per-node",
                        "2");
        assertEquals(2, printed.code());
        assertTrue(printed.err().contains("used 4 GPUs, and the cluster has 2"), printed.err());
    }

    @Test
    void whatIsNoJournalIsRefused() throws Exception {
        Path text = Files.writeString(folder.resolve("text"), "no journal at all, only words");
        for (String file : List.of(text.toString(), folder.resolve("none").toString())) {
            Printed printed =
                    simulate("--from-journal", file, "--nodes", "1", "--gpus-per-node", "4");
            assertEquals(2, printed.code(), printed.err());
            assertTrue(printed.err().startsWith("fairlead simulate: "), printed.err());
        }
        assertEquals(2, simulate("--nodes", "1", "--from-journal").code());
        assertEquals(
                2,
                simulate(
                                "--from-journal",
                                journal.toString(),
                                "--trace",
                                "x.csv",
                                "--nodes",
                                "1",
                                "--gpus-per-node",
                                "4")
                        .code());
    }

    private static Printed simulate(String... arguments) {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        int code =
                SimulateHistory.run(
                        List.of(arguments),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8));
        return new Printed(
                code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
}
