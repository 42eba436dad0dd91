package fairlead.server.history;

import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.Resources;
import fairlead.journal.FinishedQuery;
import fairlead.journal.Journal;
import fairlead.journal.JournalException;
import fairlead.journals.sqlite.SqliteJournal;
import fairlead.simulator.Trace;
import fairlead.simulator.TraceException;
import fairlead.simulator.TraceJob;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The finished jobs of a journal that have used GPUs: when they were submitted, by whom, and how
 * long they ran on how many. A part of a GPU counts as one, because traces know whole ones.
 *
 * @param leftOut jobs without GPUs, and those that never ran
 */
public record History(List<Job> jobs, int leftOut) {
    private static final int PAGE = 1_000;

    /** As many rows as the simulator takes from a file. */
    private static final int JOBS_MAX = 100_000;

    public History {
        jobs = List.copyOf(jobs);
    }

    /** Reads a copy of the file, so that the file itself stays as it is. */
    public static History read(Path file) throws TraceException {
        if (!Files.isRegularFile(file)) throw new TraceException("no file " + file);
        try {
            Path folder = Files.createTempDirectory("fairlead-history");
            Path copy = folder.resolve("journal.db");
            try {
                Files.copy(file, copy);
                try (Journal journal = SqliteJournal.open(copy)) {
                    return of(journal);
                }
            } finally {
                delete(folder);
            }
        } catch (IOException | JournalException unreadable) {
            throw new TraceException(
                    file + " cannot be read as a journal: " + unreadable.getMessage());
        }
    }

    /** With what the database has put beside its file. */
    private static void delete(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(file);
        }
    }

    static History of(Journal journal) throws JournalException {
        var jobs = new ArrayList<Job>();
        int leftOut = 0;
        Optional<JobId> before = Optional.empty();
        while (jobs.size() < JOBS_MAX) {
            List<Job> page = journal.finished(FinishedQuery.all(before, PAGE));
            for (Job job : page) {
                if (job.spec().gpus() > 0 && job.served().isPositive()) jobs.add(job);
                else leftOut++;
            }
            if (page.size() < PAGE) break;
            before = Optional.of(page.getLast().id());
        }
        return new History(jobs.reversed(), leftOut);
    }

    /** Throws when there is nothing to replay, or a job is larger than the cluster. */
    public Trace trace(Trace.Shape shape) throws TraceException {
        if (jobs.isEmpty()) {
            throw new TraceException(
                    "the journal has no finished job that used GPUs (%d others left out)"
                            .formatted(leftOut));
        }
        Instant zero = jobs.getFirst().submitted();
        for (Job job : jobs) if (job.submitted().isBefore(zero)) zero = job.submitted();
        var trace = new ArrayList<TraceJob>();
        for (Job job : jobs) {
            int gpus = gpus(job);
            if (gpus > shape.gpus()) {
                throw new TraceException(
                        "%s used %d GPUs, and the cluster has %d: give more --nodes or --gpus-per-node"
                                .formatted(job.id(), gpus, shape.gpus()));
            }
            Duration submit = Duration.between(zero, job.submitted());
            trace.add(new TraceJob(job.id().text(), job.owner(), submit, gpus, job.served()));
        }
        return new Trace(trace);
    }

    private static int gpus(Job job) {
        return (int) ((job.spec().milliGpus() + Resources.GPU - 1) / Resources.GPU);
    }
}
