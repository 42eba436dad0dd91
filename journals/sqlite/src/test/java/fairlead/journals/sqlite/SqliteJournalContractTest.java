package fairlead.journals.sqlite;

import fairlead.journal.Journal;
import fairlead.journal.JournalContract;
import fairlead.journal.JournalException;

import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** The journal in SQLite keeps the promises of all journals. */
class SqliteJournalContractTest extends JournalContract {
    @TempDir Path folder;

    @Override
    protected Journal open() throws JournalException {
        return SqliteJournal.open(folder.resolve("journal.db"));
    }

    @Override
    protected boolean isDurable() {
        return true;
    }
}
