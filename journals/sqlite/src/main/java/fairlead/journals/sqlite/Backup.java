package fairlead.journals.sqlite;

import fairlead.api.client.HomeFolder;
import fairlead.journal.JournalException;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** A copy of a journal, made while the server runs. */
final class Backup {
    private Backup() {}

    static void write(JournalFile journal, Path target) throws JournalException {
        try (Connection connection = journal.reader()) {
            write(connection, target);
        } catch (SQLException e) {
            throw Failures.told("the journal", journal.path(), e);
        }
    }

    static void write(Connection journal, Path target) throws JournalException {
        try {
            JournalFile.createPrivate(target);
        } catch (FileAlreadyExistsException e) {
            throw new JournalException("the backup would overwrite a file: " + target, e);
        } catch (IOException e) {
            throw new JournalException("the backup cannot be written: " + HomeFolder.reason(e), e);
        }
        boolean done = false;
        try {
            copy(journal, target);
            JournalFile.sync(target);
            JournalFile.sync(target.getParent());
            done = true;
        } catch (SQLException e) {
            throw Failures.told("the backup", target, e);
        } catch (IOException e) {
            throw new JournalException("the backup cannot be written: " + HomeFolder.reason(e), e);
        } finally {
            if (!done) target.toFile().delete();
        }
    }

    /** SQLite fills an empty file, and reads one snapshot of the journal for it. */
    private static void copy(Connection journal, Path target) throws SQLException {
        try (PreparedStatement vacuum = journal.prepareStatement("VACUUM INTO ?")) {
            vacuum.setString(1, target.toString());
            vacuum.execute();
        }
    }
}
