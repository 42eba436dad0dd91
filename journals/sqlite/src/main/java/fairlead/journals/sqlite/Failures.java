package fairlead.journals.sqlite;

import fairlead.journal.JournalException;
import fairlead.journals.sql.UnreadableRow;

import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

import java.nio.file.Path;
import java.sql.SQLException;

/** What SQLite's errors mean to whoever runs the server. */
final class Failures {
    private Failures() {}

    /** What is the thing that failed, such as {@code the journal}. */
    static JournalException told(String what, Path file, SQLException cause) {
        String code = code(cause);
        String words =
                switch (kind(code)) {
                    case "SQLITE_FULL" -> what + "'s disk is full: " + file;
                    case "SQLITE_READONLY" -> what + " cannot be written, it is read-only: " + file;
                    case "SQLITE_IOERR" ->
                            what + "'s disk reports an error (" + code + "): " + file;
                    case "SQLITE_CORRUPT" ->
                            what + " is damaged (" + found(cause) + "), restore a backup: " + file;
                    case "SQLITE_NOTADB" -> what + " is damaged or not a SQLite file: " + file;
                    case "SQLITE_CANTOPEN" -> what + " cannot be opened (" + code + "): " + file;
                    case "SQLITE_BUSY" -> what + " is in use by another process: " + file;
                    default -> what + " failed (" + reason(cause) + "): " + file;
                };
        return new JournalException(words, cause);
    }

    static boolean isConstraint(SQLException cause) {
        return kind(code(cause)).equals("SQLITE_CONSTRAINT");
    }

    /** Whether the file itself is wrong, rather than the disk or its room. */
    static boolean isDamage(SQLException cause) {
        String kind = kind(code(cause));
        return kind.equals("SQLITE_CORRUPT") || kind.equals("SQLITE_NOTADB");
    }

    /** SQLite's own words say no more than its code; those about a row say which. */
    private static String found(SQLException damage) {
        return damage.getCause() == null ? code(damage) : damage.getMessage();
    }

    /** The driver wraps what went wrong before SQLite itself was reached. */
    private static String reason(SQLException cause) {
        Throwable inner = cause.getCause();
        boolean more = inner != null && inner.getMessage() != null;
        return more ? cause.getMessage() + ": " + inner.getMessage() : cause.getMessage();
    }

    private static String code(SQLException cause) {
        if (cause instanceof UnreadableRow) return SQLiteErrorCode.SQLITE_CORRUPT.name();
        return cause instanceof SQLiteException known
                ? known.getResultCode().name()
                : SQLiteErrorCode.UNKNOWN_ERROR.name();
    }

    /** {@code SQLITE_IOERR_WRITE} is one of several {@code SQLITE_IOERR}. */
    private static String kind(String code) {
        String[] words = code.split("_", 3);
        return words.length < 2 ? code : words[0] + "_" + words[1];
    }
}
