package fairlead.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.job.Person;
import fairlead.journals.sqlite.JournalCopies;
import fairlead.journals.sqlite.SqliteJournal;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What a server says to a journal that is not what it left: each row of docs/operations.md. */
final class LostJournalTest {
    @TempDir Path folder;

    /** A home with one person in its journal, and with what a server leaves beside that. */
    @BeforeEach
    void useTheHome() throws Exception {
        try (var home = Home.open(folder);
                var journal = SqliteJournal.open(home.journal())) {
            journal.keep(new Person("ann", "hash", false, "default", Optional.empty(), false));
            home.secret();
        }
    }

    private Path journal() {
        return folder.resolve("journal.db");
    }

    private JournalCopies copies() {
        return new JournalCopies(folder.resolve("copies"), 3);
    }

    private SqliteJournal open(String... flags) throws Exception {
        var arguments = new ArrayList<>(List.of("--home", folder.toString()));
        arguments.addAll(List.of(flags));
        var start = Settings.read(arguments);
        try (var home = Home.open(folder)) {
            return HomeJournal.open(home, start, copies());
        }
    }

    private String refusal(String... flags) {
        var refusal = assertThrows(StartException.class, () -> open(flags).close());
        assertEquals(StartException.REFUSED, refusal.exitCode());
        return refusal.getMessage();
    }

    private void damage(String kind) throws Exception {
        byte[] bytes = Files.readAllBytes(journal());
        switch (kind) {
            case "missing" -> Files.delete(journal());
            case "empty" -> Files.write(journal(), new byte[0]);
            case "without tables" -> {
                Files.delete(journal());
                // As after a kill during the first start, when its log is then deleted.
                try (var connection = DriverManager.getConnection("jdbc:sqlite:" + journal());
                        var statement = connection.createStatement()) {
                    statement.execute("PRAGMA journal_mode = WAL");
                }
                assertTrue(Files.size(journal()) > 0);
            }
            case "cut in the header" -> Files.write(journal(), Arrays.copyOf(bytes, 50));
            case "cut" ->
                    Files.write(journal(), Arrays.copyOf(bytes, bytes.length / 2 / 4096 * 4096));
            case "not SQLite" -> Files.writeString(journal(), "precious\n".repeat(1_000));
            default -> throw new IllegalArgumentException(kind);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"missing", "empty", "without tables"})
    void aLostJournalIsNotTakenForANewOne(String kind) throws Exception {
        damage(kind);
        String words = refusal();
        assertTrue(words.contains(journal().toString()), words);
        assertTrue(words.contains("it has secret"), words);
        assertTrue(words.contains("fairlead server backup"), words);
        assertTrue(words.contains("--new-journal"), words);
        assertTrue(refusal().contains("--new-journal"), "a second start is as careful");
        try (var meant = open("--new-journal")) {
            assertEquals(List.of(), meant.people());
        }
        open().close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"cut in the header", "cut", "not SQLite"})
    void aFileThatIsNoJournalIsRefusedAndLeftAlone(String kind) throws Exception {
        damage(kind);
        byte[] before = Files.readAllBytes(journal());
        for (String[] flags : new String[][] {{}, {"--new-journal"}}) {
            String words = refusal(flags);
            assertTrue(words.startsWith("the journal is damaged"), words);
            assertTrue(words.contains(journal().toString()), words);
            assertTrue(words.contains("fairlead server backup"), words);
        }
        assertArrayEquals(before, Files.readAllBytes(journal()));
    }

    @Test
    void theNewestCopyIsNamed() throws Exception {
        Files.createDirectory(folder.resolve("copies"));
        Path copy = folder.resolve("copies/journal-20200101-120000.db");
        Files.copy(journal(), copy);
        Files.delete(journal());
        String words = refusal();
        assertTrue(words.contains("the newest checked copy is " + copy), words);
        Files.copy(copy, journal());
        try (var restored = open()) {
            assertEquals("ann", restored.people().getFirst().name());
        }
    }

    /** SQLite deletes a log that it finds beside an empty file. */
    @Test
    void theLogBesideALostJournalIsLeftAlone() throws Exception {
        Files.delete(journal());
        Path log = Files.writeString(folder.resolve("journal.db-wal"), "commits");
        assertTrue(refusal().contains("journal.db-wal"));
        assertTrue(refusal("--new-journal").contains("move it away"));
        assertEquals("commits", Files.readString(log));
        assertFalse(Files.exists(journal()));
    }

    @Test
    void aNewHomeMayHaveSettingsAndATokenAndAFailedStart() throws Exception {
        Path other = folder.resolve("other");
        try (var home = Home.open(other)) {
            home.token();
        }
        Files.writeString(other.resolve("settings"), "gpus = 1\n");
        Files.createFile(other.resolve("journal.db"));
        Files.writeString(other.resolve("logs/server.out"), "no disk\n");
        var start = Settings.read(List.of("--home", other.toString()));
        try (var home = Home.open(other);
                var journal = HomeJournal.open(home, start, copies())) {
            assertEquals(List.of(), journal.people());
        }
    }
}
