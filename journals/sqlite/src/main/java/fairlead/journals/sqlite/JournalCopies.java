package fairlead.journals.sqlite;

import fairlead.api.client.HomeFolder;
import fairlead.journal.JournalException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The copies of a journal that a server makes by itself: files named by when they were made. A file
 * has its name only once it is whole, on the disk and checked.
 *
 * @param kept how many; zero makes none
 */
public record JournalCopies(Path folder, int kept) {
    private static final Duration EVERY = Duration.ofDays(1);
    private static final DateTimeFormatter NAME =
            DateTimeFormatter.ofPattern("'journal-'yyyyMMdd-HHmmss'.db'");
    private static final Pattern NAMED = Pattern.compile("journal-\\d{8}-\\d{6}\\.db");
    private static final String PART = "part";

    /** Those that are there, the oldest first. */
    public List<Path> all() {
        var found = new ArrayList<Path>();
        if (!Files.isDirectory(folder)) return found;
        try (var files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                if (NAMED.matcher(file.getFileName().toString()).matches()) found.add(file);
            }
        } catch (IOException unreadable) {
            return List.of();
        }
        found.sort(null);
        return found;
    }

    public Optional<Path> newest() {
        List<Path> all = all();
        return all.isEmpty() ? Optional.empty() : Optional.of(all.getLast());
    }

    /** What to do about a journal that is lost or damaged. */
    public String advice(Instant now) {
        return newest().map(
                        file ->
                                "the newest checked copy is %s (%s old), other copies are those of 'fairlead server backup'; to restore one, stop the server, move journal.db and journal.db-wal away and put the copy in the place of journal.db"
                                        .formatted(file, age(made(file), now)))
                .orElse(
                        "there are no automatic copies in %s; restore one made with 'fairlead server backup': stop the server, move journal.db and journal.db-wal away and put the copy in the place of journal.db"
                                .formatted(folder));
    }

    private static String age(Instant then, Instant now) {
        Duration age = Duration.between(then, now);
        return age.toDays() > 0 ? age.toDays() + " d" : age.toHours() + " h";
    }

    private static Instant made(Path file) {
        return LocalDateTime.parse(file.getFileName().toString(), NAME).toInstant(ZoneOffset.UTC);
    }

    /** Whether a day has passed since the newest, or the clock was set back. */
    boolean isDue(Instant now) {
        if (kept == 0) return false;
        Optional<Instant> last = newest().map(JournalCopies::made);
        return last.isEmpty() || last.get().isAfter(now) || !last.get().plus(EVERY).isAfter(now);
    }

    /**
     * Adds one and removes those that are too many. Where it fails nothing is removed.
     *
     * @param journal a connection of its own to the journal, which reads one snapshot
     * @param bytes how large the journal is
     */
    Path add(Connection journal, long bytes, Instant now) throws JournalException {
        try {
            JournalFile.createFolder(folder);
            Path part = folder.resolve(PART);
            Files.deleteIfExists(part);
            // A copy must leave at least as much room as it takes: the journal itself needs it
            // more.
            if (Files.getFileStore(folder).getUsableSpace() / 2 < bytes)
                throw new JournalException("the disk of " + folder + " has too little room");
            Backup.write(journal, part);
            check(part);
            Path file = folder.resolve(NAME.format(LocalDateTime.ofInstant(now, ZoneOffset.UTC)));
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
            JournalFile.sync(folder);
            List<Path> all = all();
            for (Path old : all.subList(0, Math.max(0, all.size() - kept))) Files.delete(old);
            return file;
        } catch (IOException problem) {
            throw new JournalException(
                    "a copy cannot be kept: " + HomeFolder.reason(problem), problem);
        }
    }

    private static void check(Path part) throws JournalException, IOException {
        Optional<String> damage;
        try (Connection copy = new JournalFile(part).reader()) {
            damage = JournalCheck.damage(copy);
        } catch (SQLException failure) {
            throw Failures.told("the copy", part, failure);
        }
        if (damage.isEmpty()) return;
        Files.delete(part);
        throw new JournalException("the copy was damaged: " + damage.get());
    }
}
