package fairlead.journals.sqlite;

import static fairlead.journal.JournalFixtures.NOON;
import static fairlead.journal.JournalFixtures.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.job.Job;
import fairlead.journal.JournalException;
import fairlead.journal.JournalFixtures.Life;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

class BackupTest {
    @TempDir Path folder;
    private SqliteJournal journal;

    @BeforeEach
    void open() throws JournalException {
        journal = SqliteJournal.open(folder.resolve("journal.db"));
    }

    @AfterEach
    void close() {
        journal.close();
    }

    @Test
    void aBackupIsAJournalThatHoldsTheSame() throws Exception {
        Life running = Life.of(job(1)).started();
        Life over = Life.of(job(2)).cancelled(NOON);
        keep(running);
        keep(over);
        Path copy = folder.resolve("it's a copy.db");
        journal.backup(copy);
        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(copy)));
        keep(Life.of(job(3)));
        try (var restored = SqliteJournal.open(copy)) {
            assertEquals(List.of(running.job()), restored.unfinished());
            assertEquals(running.facts(), restored.history(running.job().id()));
            assertEquals(java.util.Map.of("cancelled", 1L), restored.finishedCounts());
        }
    }

    /**
     * Goal: a copy is one moment of the journal. Method: commits of two jobs each go on meanwhile.
     */
    @Test
    void aBackupDuringCommitsHoldsWholeCommitsOnly() throws Exception {
        var stop = new AtomicBoolean();
        var commits = new AtomicInteger();
        var failures = new ArrayList<Throwable>();
        Thread committer =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    try {
                                        for (int n = 0; !stop.get(); n += 2) {
                                            keepBoth(Life.of(job(n)), Life.of(job(n + 1)));
                                            commits.incrementAndGet();
                                        }
                                    } catch (JournalException | RuntimeException e) {
                                        failures.add(e);
                                    }
                                });
        try {
            for (int copy = 0; copy < 5; copy++) {
                int before = commits.get();
                Path file = folder.resolve("copy" + copy + ".db");
                journal.backup(file);
                int after = commits.get() + 1;
                try (var restored = SqliteJournal.open(file)) {
                    List<Job> jobs = restored.unfinished();
                    assertEquals(0, jobs.size() % 2, "half a commit");
                    assertTrue(
                            jobs.size() / 2 >= before && jobs.size() / 2 <= after,
                            before + " <= " + jobs.size() / 2 + " <= " + after);
                }
            }
        } finally {
            stop.set(true);
            committer.join();
        }
        assertEquals(List.of(), failures);
        assertEquals(2 * commits.get(), journal.unfinished().size());
    }

    @Test
    void anExistingFileIsNeverOverwritten() throws Exception {
        Path file = Files.writeString(folder.resolve("copy.db"), "precious");
        var e = assertThrows(JournalException.class, () -> journal.backup(file));
        assertEquals("the backup would overwrite a file: " + file, e.getMessage());
        assertEquals("precious", Files.readString(file));
        Path empty = Files.createFile(folder.resolve("empty.db"));
        assertThrows(JournalException.class, () -> journal.backup(empty));
        assertTrue(Files.exists(empty));
    }

    @Test
    void aFolderThatIsNotThereIsTold() {
        Path file = folder.resolve("nowhere/copy.db");
        var e = assertThrows(JournalException.class, () -> journal.backup(file));
        assertTrue(e.getMessage().startsWith("the backup cannot be written: "), e::getMessage);
        assertTrue(e.getMessage().contains(file.toString()), e::getMessage);
        assertFalse(Files.exists(file.getParent()));
    }

    private void keep(Life life) throws JournalException {
        journal.commit(life.facts(), List.of(life.job()));
    }

    private void keepBoth(Life one, Life other) throws JournalException {
        journal.commit(List.of(one.last(), other.last()), List.of(one.job(), other.job()));
    }
}
