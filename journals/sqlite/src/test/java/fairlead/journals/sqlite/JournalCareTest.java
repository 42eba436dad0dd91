package fairlead.journals.sqlite;

import static fairlead.journal.JournalFixtures.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.journal.JournalException;
import fairlead.journal.JournalFixtures.Life;
import fairlead.testing.DamagedPages;
import fairlead.testing.Eventually;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

class JournalCareTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir Path folder;
    private Instant now = Instant.parse("2026-03-01T12:00:00Z");

    private Path file() {
        return folder.resolve("journal.db");
    }

    private JournalCopies copies() {
        return new JournalCopies(folder.resolve("copies"), 3);
    }

    private void fill(int from, int to) throws JournalException {
        try (var journal = SqliteJournal.open(file())) {
            for (int i = from; i < to; i++) {
                Life life = Life.of(job(i)).started();
                journal.commit(life.facts(), List.of(life.job()));
            }
        }
    }

    /** One start of a server, until the file has been checked and copied where that is due. */
    private JournalCare look() throws Exception {
        try (var journal = SqliteJournal.open(file())) {
            var bugs = new ArrayList<Throwable>();
            var care = new JournalCare(journal, copies(), () -> now, bugs::add);
            care.start();
            Eventually.when("it is checked", () -> !care.words().equals("not checked yet"));
            if (care.damage().isEmpty() && !journal.isNew())
                Eventually.when("it is copied", () -> !copies().isDue(now));
            care.stop(PATIENCE);
            assertEquals(List.of(), bugs);
            return care;
        }
    }

    @Test
    void aCopyADayIsMadeAndThreeAreKept() throws Exception {
        look();
        assertEquals(List.of(), copies().all(), "a new journal has nothing worth a copy");
        for (int day = 0; day < 5; day++) {
            fill(day, day + 1);
            look();
            now = now.plus(Duration.ofHours(23));
            look();
            now = now.plus(Duration.ofHours(1));
        }
        assertEquals(
                List.of(
                        "journal-20260303-120000.db",
                        "journal-20260304-120000.db",
                        "journal-20260305-120000.db"),
                copies().all().stream().map(each -> each.getFileName().toString()).toList());
        Path newest = copies().newest().orElseThrow();
        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(newest)));
        assertTrue(copies().advice(now).contains(newest + " (1 d old)"), copies().advice(now));
    }

    /** The steps of docs/operations.md. */
    @Test
    void aCopyIsRestoredByPuttingItInThePlaceOfTheJournal() throws Exception {
        fill(0, 50);
        look();
        DamagedPages.zero(file(), "event");
        assertTrue(look().damage().isPresent());
        Files.move(file(), folder.resolve("journal.damaged"));
        Files.deleteIfExists(folder.resolve("journal.db-wal"));
        Files.copy(copies().newest().orElseThrow(), file());
        assertEquals(Optional.empty(), look().damage());
        try (var journal = SqliteJournal.open(file())) {
            assertEquals(50, journal.unfinished().size());
            assertEquals(3, journal.history(job(7).id()).size());
        }
    }

    @Test
    void aZeroedPageIsFoundAndNoCopyIsMadeOfIt() throws Exception {
        fill(0, 50);
        DamagedPages.zero(file(), "job_finished_owner");
        JournalCare care = look();
        String words = care.damage().orElseThrow();
        assertTrue(words.contains(file() + " is damaged"), words);
        assertTrue(words.contains("fairlead server backup"), words);
        assertTrue(care.words().startsWith("damaged: "), care.words());
        assertEquals(List.of(), copies().all());
    }

    @Test
    void fiveFlippedBytesInAnIndexAreFound() throws Exception {
        fill(0, 20);
        DamagedPages.flip(file(), "event_job", 5);
        assertTrue(look().damage().isPresent());
    }

    @Test
    void aCopyThatWouldFillTheDiskIsNotMade() throws Exception {
        fill(0, 1);
        try (var journal = SqliteJournal.open(file());
                var connection = journal.connection()) {
            var problem =
                    assertThrows(
                            JournalException.class,
                            () -> copies().add(connection, Long.MAX_VALUE / 4, now));
            assertTrue(problem.getMessage().contains("too little room"), problem::getMessage);
        }
        assertEquals(List.of(), copies().all());
    }

    @Test
    void aHalfCopyOfAKilledServerIsNoCopy() throws Exception {
        fill(0, 1);
        Files.createDirectory(folder.resolve("copies"));
        Files.writeString(folder.resolve("copies/part"), "half");
        assertEquals(Optional.empty(), copies().newest());
        look();
        assertEquals(1, copies().all().size());
        assertTrue(Files.notExists(folder.resolve("copies/part")));
    }

    @Test
    void whereNoneAreKeptNoneAreMade() throws Exception {
        var none = new JournalCopies(folder.resolve("copies"), 0);
        assertTrue(copies().isDue(now));
        assertTrue(!none.isDue(now));
    }
}
