package fairlead.journals.sqlite;

import static fairlead.journal.JournalFixtures.NOON;

import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.journal.Fact;
import fairlead.journal.FinishedQuery;
import fairlead.journal.JournalException;
import fairlead.journal.JournalFixtures;
import fairlead.journal.JournalFixtures.Life;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Measures the journal and prints what it saw. Run its main with an optional folder on the disk to
 * measure; it asserts nothing, because times belong to a machine.
 */
public final class JournalSpeed {
    private static final int FINISHED_JOBS = 100_000;
    private static final int BATCH = 100;
    private static final Duration EACH = Duration.ofSeconds(3);

    private JournalSpeed() {}

    private interface Action {
        void run(int round) throws JournalException;
    }

    public static void main(String[] arguments) throws IOException, JournalException {
        Path folder =
                arguments.length > 0
                        ? Files.createTempDirectory(Path.of(arguments[0]), "journal-speed")
                        : Files.createTempDirectory("journal-speed");
        Path file = folder.resolve("journal.db");
        try (var journal = SqliteJournal.open(file)) {
            commits(journal);
            fill(journal);
            commits(journal);
            reads(journal);
            System.out.printf("size %d MiB%n", journal.bytes() >> 20);
            long start = System.nanoTime();
            journal.backup(folder.resolve("copy.db"));
            System.out.printf("backup %d ms%n", (System.nanoTime() - start) / 1_000_000);
        }
        long start = System.nanoTime();
        try (var journal = SqliteJournal.open(file)) {
            int waiting = journal.unfinished().size();
            System.out.printf(
                    "reopen with %d unfinished %d ms%n",
                    waiting, (System.nanoTime() - start) / 1_000_000);
        }
        remove(folder);
    }

    private static void remove(Path folder) throws IOException {
        List<Path> files;
        try (var found = Files.walk(folder)) {
            files = found.toList();
        }
        for (Path file : files.reversed()) Files.delete(file);
    }

    private static int numbers = 1;

    /** State changes of jobs that are there: one to a commit, then a hundred. */
    private static void commits(SqliteJournal journal) throws JournalException {
        var lives = new ArrayList<Life>();
        for (int i = 0; i < BATCH; i++) lives.add(Life.of(JournalFixtures.job(numbers++)));
        keep(journal, lives);
        var started = lives.stream().map(Life::started).toList();
        List<Job> queued = lives.stream().map(Life::job).toList();
        List<Job> running = started.stream().map(Life::job).toList();
        List<Fact> facts = started.stream().map(Life::last).toList();
        rate(
                "commits/s of one update",
                1,
                round -> {
                    int n = round % BATCH;
                    Job job = (round / BATCH % 2 == 0 ? running : queued).get(n);
                    journal.commit(List.of(facts.get(n)), List.of(job));
                });
        rate(
                "updates/s at " + BATCH + " to a commit",
                BATCH,
                round -> journal.commit(facts, round % 2 == 0 ? running : queued));
        rate(
                "new jobs/s at " + BATCH + " to a commit",
                BATCH,
                _ -> {
                    var fresh = new ArrayList<Life>();
                    for (int i = 0; i < BATCH; i++) {
                        fresh.add(Life.of(JournalFixtures.job(numbers++)).cancelled(NOON));
                    }
                    keep(journal, fresh);
                });
    }

    private static void fill(SqliteJournal journal) throws JournalException {
        long start = System.nanoTime();
        for (int i = 0; i < FINISHED_JOBS / 1_000; i++) {
            var lives = new ArrayList<Life>();
            for (int n = 0; n < 1_000; n++) {
                Life life = Life.of(JournalFixtures.job(numbers++)).started();
                lives.add(life.ended(0, NOON.plusSeconds(numbers)));
            }
            keep(journal, lives);
        }
        System.out.printf(
                "%d finished jobs written in %d ms%n",
                FINISHED_JOBS, (System.nanoTime() - start) / 1_000_000);
    }

    private static void reads(SqliteJournal journal) throws JournalException {
        JobId last = JournalFixtures.job(numbers - 1).id();
        JobId middle = JournalFixtures.job(numbers / 2).id();
        timed("unfinished", _ -> journal.unfinished());
        timed("find", _ -> journal.find(middle));
        timed("endingWith, 8 characters", _ -> journal.endingWith(suffix(last, 8), 20));
        timed("endingWith, 2 characters", _ -> journal.endingWith(suffix(last, 2), 20));
        timed("endingWith, 1 character", _ -> journal.endingWith(suffix(last, 1), 20));
        timed("finished, page of 50", _ -> journal.finished(page(null, null, null)));
        timed("finished, before the middle", _ -> journal.finished(page(null, null, middle)));
        timed("finished, of one owner", _ -> journal.finished(page("ann", null, null)));
        timed("finished, of nobody", _ -> journal.finished(page("bob", null, null)));
        timed("finished, failed: none", _ -> journal.finished(page(null, "failed", null)));
        timed("finished, ann's failed: none", _ -> journal.finished(page("ann", "failed", null)));
        timed("finishedBefore", _ -> journal.finishedBefore(NOON.plusSeconds(1_000_000), 100));
        timed("madeBy", _ -> journal.madeBy("r1"));
        timed("history", _ -> journal.history(middle));
        timed("finishedCounts", _ -> journal.finishedCounts());
    }

    private static String suffix(JobId id, int length) {
        return id.text().substring(id.text().length() - length);
    }

    private static FinishedQuery page(String owner, String word, JobId before) {
        return new FinishedQuery(
                Optional.ofNullable(owner),
                Optional.ofNullable(word),
                Optional.empty(),
                Optional.ofNullable(before),
                50);
    }

    private static void keep(SqliteJournal journal, List<Life> lives) throws JournalException {
        journal.commit(
                lives.stream().flatMap(life -> life.facts().stream()).toList(),
                lives.stream().map(Life::job).toList());
    }

    private static void rate(String what, int each, Action action) throws JournalException {
        long start = System.nanoTime();
        int rounds = 0;
        while (System.nanoTime() - start < EACH.toNanos()) action.run(rounds++);
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.printf("%-32s %,10.0f%n", what, rounds * each / seconds);
    }

    private static void timed(String what, Action action) throws JournalException {
        long[] nanos = new long[50];
        for (int i = 0; i < nanos.length; i++) {
            long start = System.nanoTime();
            action.run(i);
            nanos[i] = System.nanoTime() - start;
        }
        Arrays.sort(nanos);
        System.out.printf("%-32s p50 %8.3f ms%n", what, nanos[25] / 1e6);
    }
}
