package fairlead.journals.sqlite;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Optional;

/**
 * What SQLite finds wrong with a file: its pages, rows and indices. A changed byte inside a text
 * that no index holds is not found, because SQLite keeps no checksums.
 */
final class JournalCheck {
    /** One is enough to know; a few show whether it is one page or the whole disk. */
    private static final int PROBLEMS_MAX = 3;

    private static final int CHARS_MAX = 300;

    private JournalCheck() {}

    /**
     * Reads the whole file. SQLite's quick_check takes half the time, but does not compare indices
     * with rows, which finds twice as many damaged bytes.
     */
    static Optional<String> damage(Connection connection) throws SQLException {
        var found = new ArrayList<String>();
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("PRAGMA integrity_check(" + PROBLEMS_MAX + ")")) {
            while (rows.next()) {
                String line = rows.getString(1).replaceAll("\\s+", " ").strip();
                if (!line.equals("ok")) found.add(line);
            }
        } catch (SQLException failure) {
            if (!Failures.isDamage(failure)) throw failure;
            found.add(failure.getMessage());
        }
        if (found.isEmpty()) return Optional.empty();
        String words = String.join("; ", found);
        return Optional.of(words.substring(0, Math.min(words.length(), CHARS_MAX)));
    }
}
