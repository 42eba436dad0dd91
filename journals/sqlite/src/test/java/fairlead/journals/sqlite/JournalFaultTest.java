package fairlead.journals.sqlite;

import static fairlead.journal.JournalFixtures.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.job.Job;
import fairlead.journal.Fact;
import fairlead.journal.JournalException;
import fairlead.journal.JournalFixtures.Life;
import fairlead.testing.Root;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/** Bad times of the disk: clear words, nothing half kept, and everything well again afterwards. */
class JournalFaultTest {
    private static final int DISK_KIBIBYTES = 2_048;

    /** More commits than fit on the small disk, so that one of them must fail. */
    private static final int COMMITS_MAX = 10_000;

    @TempDir Path folder;

    @Test
    void aFullDiskIsToldAndTheJournalGoesOnOnceThereIsRoom() throws Exception {
        try (var disk = SmallDisk.mount(folder, DISK_KIBIBYTES)) {
            Path file = disk.folder().resolve("journal.db");
            var kept = new ArrayList<Job>();
            try (var journal = SqliteJournal.open(file)) {
                kept.add(keep(journal, 1));
                disk.fill();
                String problem = commitUntilRefused(journal, kept);
                assertEquals("the journal's disk is full: " + file, problem);
                assertEquals(kept, journal.unfinished(), "reading goes on, nothing is half there");
                var again = Life.of(job(kept.size() + 1));
                for (int repeat = 0; repeat < 5; repeat++) {
                    assertThrows(
                            JournalException.class,
                            () -> journal.commit(again.facts(), List.of(again.job())));
                }
                assertEquals(kept, journal.unfinished());

                disk.free();
                kept.add(keep(journal, kept.size() + 1));
                assertEquals(kept, journal.unfinished());
                assertEquals(1, journal.history(kept.getLast().id()).size());
                disk.fill();
            }
            // Closing on a full disk cannot tidy up, and must not lose anything for that.
            disk.free();
            try (var journal = SqliteJournal.open(file)) {
                assertEquals(kept, journal.unfinished());
            }
        }
    }

    @Test
    void aDiskThatIsFullFromTheStartRefusesToOpen() throws Exception {
        try (var disk = SmallDisk.mount(folder, DISK_KIBIBYTES)) {
            disk.fill();
            Path file = disk.folder().resolve("journal.db");
            var e = assertThrows(JournalException.class, () -> SqliteJournal.open(file));
            assertTrue(e.getMessage().contains(file.toString()), e::getMessage);
            disk.free();
            SqliteJournal.open(file).close();
        }
    }

    @Test
    void aBackupThatDoesNotFitLeavesNoFile() throws Exception {
        try (var disk = SmallDisk.mount(folder, DISK_KIBIBYTES);
                var journal = SqliteJournal.open(folder.resolve("journal.db"))) {
            Job job = keep(journal, 1);
            disk.fill();
            Path target = disk.folder().resolve("copy.db");
            var e = assertThrows(JournalException.class, () -> journal.backup(target));
            assertEquals("the backup's disk is full: " + target, e.getMessage());
            assertFalse(Files.exists(target));
            disk.free();
            journal.backup(target);
            assertEquals(List.of(job), journal.unfinished());
        }
    }

    @Test
    void aReadOnlyFileSystemIsToldWhenOpening() throws Exception {
        try (var disk = SmallDisk.mount(folder, DISK_KIBIBYTES)) {
            Path file = disk.folder().resolve("journal.db");
            SqliteJournal.open(file).close();
            disk.makeReadOnly();
            var e = assertThrows(JournalException.class, () -> SqliteJournal.open(file));
            assertEquals("the journal cannot be written, it is read-only: " + file, e.getMessage());
            Path other = disk.folder().resolve("other.db");
            e = assertThrows(JournalException.class, () -> SqliteJournal.open(other));
            assertTrue(e.getMessage().startsWith("the journal cannot be made: "), e::getMessage);
        }
    }

    @Test
    void aReadOnlyFileIsToldWhenOpening() throws Exception {
        Path file = folder.resolve("journal.db");
        SqliteJournal.open(file).close();
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--------"));
        // Root may write every file, so for root it is mounted upon itself, read-only.
        boolean mounted =
                Files.isWritable(file)
                        && Root.succeeds("mount", "--bind", file.toString(), file.toString());
        try {
            if (mounted)
                assertTrue(Root.succeeds("mount", "-o", "remount,bind,ro", file.toString()));
            var e = assertThrows(JournalException.class, () -> SqliteJournal.open(file));
            assertEquals("the journal cannot be written, it is read-only: " + file, e.getMessage());
        } finally {
            if (mounted) assertTrue(Root.succeeds("umount", file.toString()));
        }
    }

    @Test
    void filesThatBecomeImmutableUnderARunningJournalAreToldAndNothingIsLost() throws Exception {
        Root.neededToMount();
        Path file = folder.resolve("journal.db");
        try (var journal = SqliteJournal.open(file)) {
            var kept = new ArrayList<>(List.of(keep(journal, 1)));
            assertTrue(immutable(true), "chattr works on this file system");
            try {
                String problem = commitUntilRefused(journal, kept);
                assertTrue(problem.endsWith(file.toString()), problem);
                assertTrue(
                        problem.startsWith("the journal's disk reports an error (SQLITE_IOERR")
                                || problem.startsWith("the journal cannot be written"),
                        problem);
                assertEquals(kept, journal.unfinished());
            } finally {
                immutable(false);
            }
            kept.add(keep(journal, kept.size() + 1));
            assertEquals(kept, journal.unfinished());
        }
    }

    private boolean immutable(boolean on) {
        String flag = on ? "+i" : "-i";
        Path file = folder.resolve("journal.db");
        return Root.succeeds("chattr", flag, file.toString(), file + "-wal");
    }

    private static Job keep(SqliteJournal journal, int number) throws JournalException {
        Life life = Life.of(job(number));
        journal.commit(life.facts(), List.of(life.job()));
        return life.job();
    }

    /** Adds what was kept; the log beside the file has some room left of its own. */
    private static String commitUntilRefused(SqliteJournal journal, List<Job> kept) {
        for (int i = 0; i < COMMITS_MAX; i++) {
            Life life = Life.of(job(kept.size() + 1)).started();
            List<Fact> facts = life.facts();
            try {
                journal.commit(facts, List.of(life.job()));
                kept.add(life.job());
            } catch (JournalException e) {
                return e.getMessage();
            }
        }
        throw new AssertionError("the disk never refused");
    }
}
