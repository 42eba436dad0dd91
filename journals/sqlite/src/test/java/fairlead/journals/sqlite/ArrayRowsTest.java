package fairlead.journals.sqlite;

import static fairlead.journal.JournalFixtures.NOON;

import static org.junit.jupiter.api.Assertions.assertEquals;

import fairlead.job.Job;
import fairlead.journal.FinishedQuery;
import fairlead.journal.Journal;
import fairlead.journal.JournalException;
import fairlead.journal.JournalFixtures;
import fairlead.journal.JournalFixtures.Life;
import fairlead.journal.MemoryJournal;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Arrays as one row each, in both journals. */
class ArrayRowsTest {
    @TempDir Path folder;

    private static Life member(int number, String array) {
        var place = Optional.of(new Job.ArrayPlace(array, number));
        return Life.of(JournalFixtures.job(number, "ann", Optional.empty(), place));
    }

    private static void keep(Journal journal, Life life) throws JournalException {
        journal.commit(life.facts(), List.of(life.job()));
    }

    private static List<String> once(Journal journal, String word, Job before)
            throws JournalException {
        var query =
                new FinishedQuery(
                        Optional.empty(),
                        Optional.ofNullable(word),
                        Optional.empty(),
                        Optional.ofNullable(before).map(Job::id),
                        true,
                        10);
        return journal.finished(query).stream().map(job -> job.id().text()).toList();
    }

    private void check(Journal journal) throws JournalException {
        Life alone = Life.of(JournalFixtures.job(1)).cancelled(NOON);
        Life succeeded = member(2, "aaaaaaaa").started().ended(0, NOON.plusSeconds(60));
        Life cancelled = member(3, "aaaaaaaa").cancelled(NOON);
        Life running = member(4, "aaaaaaaa").started();
        Life other = member(5, "bbbbbbbb").cancelled(NOON);
        for (Life life : List.of(alone, succeeded, cancelled, running, other)) keep(journal, life);
        assertEquals(
                Map.of("succeeded", 1L, "cancelled", 1L, "running", 1L),
                journal.arrayCounts("aaaaaaaa"));
        assertEquals(Map.of(), journal.arrayCounts("nothing"));
        String first = alone.job().id().text();
        String ofA = cancelled.job().id().text();
        String ofB = other.job().id().text();
        assertEquals(List.of(ofB, ofA, first), once(journal, null, null));
        assertEquals(List.of(succeeded.job().id().text()), once(journal, "succeeded", null));
        // The next page begins after the whole array.
        assertEquals(List.of(first), once(journal, null, cancelled.job()));
    }

    @Test
    void anArrayIsOneRowWithCountsOfAllItsJobs() throws JournalException {
        check(new MemoryJournal());
        try (var journal = SqliteJournal.open(folder.resolve("journal.db"))) {
            check(journal);
        }
    }
}
