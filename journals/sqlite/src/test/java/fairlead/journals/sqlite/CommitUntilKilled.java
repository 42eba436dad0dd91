package fairlead.journals.sqlite;

import static fairlead.journal.JournalFixtures.job;

import fairlead.job.Job;
import fairlead.journal.Fact;
import fairlead.journal.JournalException;
import fairlead.journal.JournalFixtures.Life;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Optional;

/**
 * A program that commits numbered batches of jobs for ever, and prints each number when its commit
 * has returned. Its arguments are the journal and the first number.
 */
final class CommitUntilKilled {
    static final int JOBS_PER_BATCH = 7;

    private CommitUntilKilled() {}

    public static void main(String[] arguments) throws JournalException {
        try (var journal = SqliteJournal.open(Path.of(arguments[0]))) {
            for (int batch = Integer.parseInt(arguments[1]); ; batch++) {
                var facts = new ArrayList<Fact>();
                var jobs = new ArrayList<Job>();
                for (int n = 0; n < JOBS_PER_BATCH; n++) {
                    Life life = life(batch, n);
                    facts.addAll(life.facts());
                    jobs.add(life.job());
                }
                journal.commit(facts, jobs);
                System.out.println(batch);
            }
        }
    }

    /** Starts the program in a process of its own; its answers come through its standard output. */
    static Process start(Path file, int first) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CommitUntilKilled.class.getName(),
                        file.toString(),
                        Integer.toString(first))
                .start();
    }

    /** The batch's number is the request, so that its jobs are found again. */
    static Life life(int batch, int n) {
        var request = Optional.of("batch-" + batch);
        return Life.of(job(batch * JOBS_PER_BATCH + n, "ann", request, Optional.empty())).started();
    }
}
