package fairlead.testing;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;

/** Damage to the file of a closed journal, as a bad disk or a half copy makes it. */
public final class DamagedPages {
    private DamagedPages() {}

    /** Zeroes the first page of a table or an index. */
    public static void zero(Path journal, String name) throws SQLException, IOException {
        Page page = page(journal, name);
        try (var file = new RandomAccessFile(journal.toFile(), "rw")) {
            file.seek(page.offset());
            file.write(new byte[page.bytes()]);
        }
    }

    /** Flips all bits of the last bytes of that page, where its rows are. */
    public static void flip(Path journal, String name, int bytes) throws SQLException, IOException {
        Page page = page(journal, name);
        try (var file = new RandomAccessFile(journal.toFile(), "rw")) {
            for (long at = page.offset() + page.bytes() - bytes;
                    at < page.offset() + page.bytes();
                    at++) {
                file.seek(at);
                int old = file.read();
                file.seek(at);
                file.write(~old);
            }
        }
    }

    private record Page(long offset, int bytes) {}

    private static Page page(Path journal, String name) throws SQLException {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + journal);
                var statement =
                        connection.prepareStatement(
                                "SELECT rootpage, (SELECT page_size FROM pragma_page_size) FROM"
                                        + " sqlite_schema WHERE name = ?")) {
            statement.setString(1, name);
            try (var row = statement.executeQuery()) {
                if (!row.next()) throw new IllegalArgumentException("nothing called " + name);
                return new Page((row.getLong(1) - 1) * row.getInt(2), row.getInt(2));
            }
        }
    }
}
