package fairlead.server.openpai;

import static org.junit.jupiter.api.Assertions.assertEquals;

import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.journal.FinishedQuery;
import fairlead.journal.ForwardingJournal;
import fairlead.journal.Journal;
import fairlead.journal.JournalException;
import fairlead.journal.JournalFixtures;
import fairlead.journal.MemoryJournal;
import fairlead.server.runtime.NotifyingJournal;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

final class FinishedRowsTest {
    /** More than two of the pages that are read at a time. */
    private static final int JOBS = 450;

    /** A journal in which something happens after each page that is read. */
    private static final class BusyJournal extends ForwardingJournal {
        private final Consumer<List<Job>> meanwhile;

        BusyJournal(Journal real, Consumer<List<Job>> meanwhile) {
            super(real);
            this.meanwhile = meanwhile;
        }

        @Override
        public List<Job> finished(FinishedQuery query) throws JournalException {
            List<Job> page = super.finished(query);
            meanwhile.accept(page);
            return page;
        }
    }

    private static Job finish(Journal journal, int number) throws JournalException {
        var submitted = JournalFixtures.Life.of(JournalFixtures.job(number));
        var life = submitted.cancelled(JournalFixtures.NOON.plusSeconds(number + 1));
        journal.commit(life.facts(), List.of(life.job()));
        return life.job();
    }

    private static List<JobId> ids(FinishedRows rows) throws Exception {
        return rows.all().keySet().stream().map(FinishedRows.Place::id).toList();
    }

    @Test
    void onlyTheNewestAreKeptHoweverTheyCome() throws Exception {
        var journal = new NotifyingJournal(new MemoryJournal());
        var rows = new FinishedRows(journal, 3);
        journal.listen(rows);
        var all = new ArrayList<JobId>();
        for (int i = 0; i < 5; i++) all.addFirst(finish(journal, i).id());
        assertEquals(all.subList(0, 3), ids(rows));
        for (int i = 5; i < 7; i++) all.addFirst(finish(journal, i).id());
        assertEquals(all.subList(0, 3), ids(rows));
    }

    /** Goal: what ends or goes while the rows are read for the first time is as it should be. */
    @Test
    void nothingIsLostOrLeftOfWhatHappensDuringTheFirstRead() throws Exception {
        var told = new NotifyingJournal(new MemoryJournal());
        var all = new ArrayList<JobId>();
        for (int i = 0; i < JOBS; i++) all.addFirst(finish(told, i).id());
        var gone = new ArrayList<JobId>();
        var came = new ArrayList<JobId>();
        var busy =
                new BusyJournal(
                        told,
                        page -> {
                            if (came.size() == 2 || page.isEmpty()) return;
                            try {
                                // The last of a page is where the next one would go on.
                                for (Job job : List.of(page.getFirst(), page.getLast())) {
                                    told.delete(List.of(job.id()));
                                    gone.add(job.id());
                                }
                                came.addFirst(finish(told, JOBS + came.size()).id());
                            } catch (JournalException e) {
                                throw new AssertionError(e);
                            }
                        });
        var rows = new FinishedRows(busy);
        told.listen(rows);
        List<JobId> found = ids(rows);
        var expected = new ArrayList<>(came);
        expected.addAll(all);
        expected.removeAll(gone);
        assertEquals(expected, found);
        assertEquals(4, gone.size());
    }

    @Test
    void untilSomebodyAsksNothingIsKept() throws Exception {
        var told = new NotifyingJournal(new MemoryJournal());
        var reads = new ArrayList<Integer>();
        var rows = new FinishedRows(new BusyJournal(told, page -> reads.add(page.size())));
        told.listen(rows);
        finish(told, 1);
        assertEquals(List.of(), reads);
        assertEquals(1, ids(rows).size());
        finish(told, 2);
        assertEquals(2, ids(rows).size());
        assertEquals(List.of(1), reads, "read once");
    }
}
