package fairlead.server;

import fairlead.journal.JournalException;
import fairlead.journals.sqlite.JournalCopies;
import fairlead.journals.sqlite.SqliteJournal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The journal of a home. Where a home was used before, a journal that is missing or empty is a loss
 * and not a beginning: a new one would forget all users and jobs and stop the tasks that run.
 */
final class HomeJournal {
    private HomeJournal() {}

    static SqliteJournal open(Home home, Settings.Start start, JournalCopies copies)
            throws StartException, IOException, JournalException {
        Path file = home.journal();
        List<String> traces = traces(home, start.settings());
        try {
            if (traces.isEmpty()) return SqliteJournal.open(file);
            var used = SqliteJournal.openUsed(file);
            if (used.isPresent()) return used.get();
        } catch (JournalException failure) {
            throw told(failure, copies);
        }
        if (!start.isNewJournal()) throw lost(file, traces, copies);
        if (Files.exists(log(file)))
            throw new StartException(
                    StartException.REFUSED,
                    log(file)
                            + " may hold the last commits of the journal that was here; move it"
                            + " away before a new journal is begun");
        return SqliteJournal.open(file);
    }

    /** With what to do about it, where the file itself is wrong. */
    static StartException told(JournalException failure, JournalCopies copies) {
        String advice = SqliteJournal.isDamage(failure) ? "\n" + copies.advice(Instant.now()) : "";
        return new StartException(StartException.REFUSED, failure.getMessage() + advice);
    }

    private static StartException lost(Path file, List<String> traces, JournalCopies copies) {
        return new StartException(
                StartException.REFUSED,
                """
                the journal %s is %s, but this home was used before: it has %s
                with a new journal all users and jobs would be gone, and tasks that run would be stopped
                %s
                if a new journal is what you want: fairlead server start --new-journal\
                """
                        .formatted(
                                file,
                                Files.exists(file) ? "empty" : "missing",
                                String.join(", ", traces),
                                copies.advice(Instant.now())));
    }

    /** What only a server that had a journal makes. */
    private static List<String> traces(Home home, Settings settings) throws IOException {
        var names = new ArrayList<>(List.of("secret", "logs/server.log", "copies", "openpai"));
        settings.clusters().forEach(cluster -> names.add(cluster.name()));
        // Beside a file with pages it may be that of a first start which was killed.
        if (!Files.exists(home.journal()) || Files.size(home.journal()) == 0)
            names.add(log(home.journal()).getFileName().toString());
        var found = new ArrayList<String>();
        for (String name : names) if (isSomething(home.path().resolve(name))) found.add(name);
        return found;
    }

    private static boolean isSomething(Path path) throws IOException {
        if (!Files.isDirectory(path)) return Files.exists(path);
        try (Stream<Path> entries = Files.list(path)) {
            return entries.findAny().isPresent();
        }
    }

    private static Path log(Path journal) {
        return journal.resolveSibling(journal.getFileName() + "-wal");
    }
}
