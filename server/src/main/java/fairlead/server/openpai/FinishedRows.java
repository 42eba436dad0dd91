package fairlead.server.openpai;

import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.journal.FinishedQuery;
import fairlead.journal.Journal;
import fairlead.journal.JournalException;
import fairlead.server.runtime.NotifyingJournal;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The rows of finished jobs, which never change again, so that OpenPAI's list needs no read of the
 * journal. It is empty until somebody asks for the list the first time; a server without clients of
 * OpenPAI pays nothing. Any thread.
 */
final class FinishedRows implements NotifyingJournal.Listener {
    /** The newest; a row takes some 700 bytes of a heap that is 160 MiB. */
    private static final int ROWS_MAX = 20_000;

    private static final int PAGE = 200;

    /** Retention deletes the oldest, so that a page's last job is gone is rare. */
    private static final int READS_MAX = 5;

    /** Where a job stands in the list: the newest first. */
    record Place(Instant submitted, JobId id) implements Comparable<Place> {
        static Place of(Job job) {
            return new Place(job.submitted(), job.id());
        }

        @Override
        public int compareTo(Place other) {
            int byTime = other.submitted.compareTo(submitted);
            return byTime != 0 ? byTime : other.id.compareTo(id);
        }
    }

    private final Journal journal;
    private final int rowsMax;
    private final NavigableMap<Place, JobRow> rows = new ConcurrentSkipListMap<>();
    private final Map<JobId, Place> places = new ConcurrentHashMap<>();
    private final Set<JobId> deletedMeanwhile = ConcurrentHashMap.newKeySet();
    private final ReentrantLock loading = new ReentrantLock();
    private volatile boolean isWanted;
    private volatile boolean isLoaded;

    FinishedRows(Journal journal) {
        this(journal, ROWS_MAX);
    }

    FinishedRows(Journal journal, int rowsMax) {
        this.journal = journal;
        this.rowsMax = rowsMax;
    }

    /** Newest first; a job that ends or is deleted meanwhile may be there or not. */
    NavigableMap<Place, JobRow> all() throws JournalException, InterruptedException {
        if (!isLoaded) load();
        return rows;
    }

    private void load() throws JournalException, InterruptedException {
        loading.lockInterruptibly();
        try {
            for (int reads = 1; !isLoaded; reads++) {
                deletedMeanwhile.clear();
                // From here on nothing that ends is missed; what was read twice is the same.
                isWanted = true;
                isLoaded = readAll();
                deletedMeanwhile.forEach(this::remove);
                if (!isLoaded && reads == READS_MAX)
                    throw new JournalException("jobs are deleted too fast to be listed");
            }
        } finally {
            loading.unlock();
        }
    }

    /** Whether that was all: a page cannot go on after a job that was deleted meanwhile. */
    private boolean readAll() throws JournalException {
        Optional<JobId> before = Optional.empty();
        for (int read = 0; read < rowsMax; read += PAGE) {
            List<Job> page = journal.finished(FinishedQuery.all(before, PAGE));
            page.forEach(this::put);
            if (page.size() < PAGE)
                return before.isEmpty() || journal.find(before.get()).isPresent();
            before = Optional.of(page.getLast().id());
        }
        return true;
    }

    private void put(Job job) {
        Place place = Place.of(job);
        rows.put(place, JobRow.of(job));
        places.put(job.id(), place);
        if (places.size() <= rowsMax) return;
        var oldest = rows.pollLastEntry();
        if (oldest != null) places.remove(oldest.getKey().id());
    }

    private void remove(JobId job) {
        Place place = places.remove(job);
        if (place != null) rows.remove(place);
    }

    @Override
    public void finished(Job job) {
        if (isWanted) put(job);
    }

    @Override
    public void deleted(JobId job) {
        if (!isWanted) return;
        if (!isLoaded) deletedMeanwhile.add(job);
        remove(job);
    }
}
