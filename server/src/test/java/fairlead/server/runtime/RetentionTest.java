package fairlead.server.runtime;

import static fairlead.journal.JournalFixtures.NOON;
import static fairlead.journal.JournalFixtures.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import fairlead.control.Message;
import fairlead.control.Refused;
import fairlead.job.JobId;
import fairlead.journal.JournalFixtures.Life;
import fairlead.journals.sqlite.SqliteJournal;
import fairlead.testing.Eventually;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Which jobs are deleted by themselves, and which never. The clock stands at noon. */
final class RetentionTest {
    private static final Duration KEEP = Duration.ofHours(1);

    @TempDir Path folder;
    private SqliteJournal journal;
    private final List<JobId> deleted = new CopyOnWriteArrayList<>();
    private final List<Throwable> bugs = new CopyOnWriteArrayList<>();
    private boolean isFull;
    private Retention retention;

    @BeforeEach
    void open() throws Exception {
        journal = SqliteJournal.open(folder.resolve("journal.db"));
        retention = new Retention(journal, Map.of(), this::take, () -> NOON, KEEP, bugs::add);
    }

    @AfterEach
    void close() throws Exception {
        journal.close();
        assertEquals(List.of(), bugs);
    }

    private boolean take(Message message) {
        if (isFull) return false;
        var delete = (Message.Delete) message;
        deleted.addAll(delete.jobs());
        delete.answer().complete(delete.jobs());
        return true;
    }

    private Life kept(Life life) throws Exception {
        journal.commit(life.facts(), List.of(life.job()));
        return life;
    }

    @Test
    void onlyWhatEndedLongerAgoThanIsKeptGoes() throws Exception {
        kept(Life.of(job(1)));
        kept(Life.of(job(2)).cancelled(NOON.minus(KEEP)));
        kept(Life.of(job(3)).cancelled(NOON));
        Life old = kept(Life.of(job(4)).cancelled(NOON.minus(KEEP).minusMillis(1)));
        Life older = kept(Life.of(job(5)).cancelled(NOON.minus(KEEP.multipliedBy(9))));
        retention.start();
        Eventually.when("two are deleted", () -> deleted.size() >= 2);
        retention.stop(Duration.ofSeconds(10));
        assertEquals(List.of(older.job().id(), old.job().id()), deleted);
    }

    @Test
    void aJobThatIsNotOverIsNotDeletedForAnyone() throws Exception {
        Life waits = kept(Life.of(job(1)));
        Life runs = kept(Life.of(job(2)).started());
        for (Life life : List.of(waits, runs)) {
            var refused = assertThrows(Refused.class, () -> retention.delete(life.job()));
            assertEquals(Refused.Kind.CONFLICT, refused.kind());
        }
        assertEquals(List.of(), deleted);
    }

    @Test
    void aFullInboxIsReported() throws Exception {
        isFull = true;
        Life over = kept(Life.of(job(1)).cancelled(NOON));
        var refused = assertThrows(Refused.class, () -> retention.delete(over.job()));
        assertEquals(Refused.Kind.BUSY, refused.kind());
    }
}
