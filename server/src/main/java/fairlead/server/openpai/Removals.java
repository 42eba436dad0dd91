package fairlead.server.openpai;

import static java.lang.System.Logger.Level.WARNING;

import fairlead.control.Refused;
import fairlead.engine.EngineException;
import fairlead.engine.OwnerOnly;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.journal.Journal;
import fairlead.journal.JournalException;
import fairlead.server.runtime.NotifyingJournal;
import fairlead.server.runtime.Retention;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Jobs that were deleted while they were active: OpenPAI answers at once, and they go once they
 * have stopped. Each is noted as a file in a folder, so that a restart forgets none. Any thread.
 */
public final class Removals implements NotifyingJournal.Listener {
    private static final System.Logger LOG = System.getLogger(Removals.class.getName());

    /** For what could not be removed, because the journal or the engine was in trouble. */
    private static final Duration AGAIN = Duration.ofSeconds(30);

    /** More than can be active; a note takes a file. */
    private static final int NOTES_MAX = 100_000;

    private final Path folder;
    private final Journal journal;
    private final Retention retention;
    private final Consumer<Throwable> bug;
    private final Set<JobId> noted = ConcurrentHashMap.newKeySet();
    private final Semaphore due = new Semaphore(1);
    private final Thread thread;
    private volatile boolean isStopped;

    /**
     * @param folder for the notes; made when the first one comes
     */
    public Removals(Path folder, Journal journal, Retention retention, Consumer<Throwable> bug) {
        this.folder = folder;
        this.journal = journal;
        this.retention = retention;
        this.bug = bug;
        this.thread = Thread.ofPlatform().name("openpai-removals").daemon().unstarted(this::run);
    }

    /** Takes up what a server before this one has noted. */
    public void start() {
        thread.start();
    }

    public void stop(Duration patience) throws InterruptedException {
        isStopped = true;
        due.release();
        thread.join(patience);
    }

    /** Removes a finished job now, and any other once it has finished. */
    void remove(Job job) throws IOException, EngineException, Refused, InterruptedException {
        if (job.isFinished()) {
            retention.delete(job);
            return;
        }
        if (noted.size() >= NOTES_MAX)
            throw new Refused(Refused.Kind.BUSY, "too many jobs are being deleted; try again");
        OwnerOnly.makeFolder(folder);
        Path note = folder.resolve(job.id().text());
        OwnerOnly.write(note, "");
        noted.add(job.id());
        due.release();
    }

    @Override
    public void finished(Job job) {
        if (noted.contains(job.id())) due.release();
    }

    @Override
    public void deleted(JobId job) {
        if (noted.contains(job)) due.release();
    }

    private void run() {
        try {
            noted.addAll(read());
            boolean isDone = noted.isEmpty();
            while (!isStopped) {
                if (isDone) due.acquire();
                else due.tryAcquire(AGAIN.toMillis(), TimeUnit.MILLISECONDS);
                due.drainPermits();
                if (!isStopped) isDone = removeThoseThatHaveStopped();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (Throwable broken) {
            bug.accept(broken);
        }
    }

    private List<JobId> read() {
        var found = new ArrayList<JobId>();
        if (Files.notExists(folder)) return found;
        try (DirectoryStream<Path> notes = Files.newDirectoryStream(folder)) {
            for (Path note : notes) found.add(new JobId(note.getFileName().toString()));
        } catch (IOException | IllegalArgumentException unread) {
            LOG.log(WARNING, "not every deleted job is known: {0}", unread.getMessage());
        }
        return found;
    }

    /** Whether nothing has to be tried again by itself. */
    private boolean removeThoseThatHaveStopped() throws InterruptedException {
        boolean isDone = true;
        for (JobId id : noted) {
            try {
                Optional<Job> job = journal.find(id);
                if (job.isPresent() && !job.get().isFinished()) continue;
                if (job.isPresent()) retention.delete(job.get());
                Files.deleteIfExists(folder.resolve(id.text()));
                noted.remove(id);
            } catch (IOException | JournalException | EngineException | Refused failure) {
                LOG.log(
                        WARNING,
                        "{0} was not deleted, will try again: {1}",
                        id,
                        failure.getMessage());
                isDone = false;
            }
        }
        return isDone;
    }
}
