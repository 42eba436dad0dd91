package fairlead.journals.postgres;

import fairlead.journal.Journal;
import fairlead.journal.JournalContract;
import fairlead.journals.sql.Lease;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

import java.util.Optional;

/** The journal in PostgreSQL keeps the promises of all journals. */
class PostgresJournalContractTest extends JournalContract {
    private static TestPostgres postgres;
    private String address;

    @BeforeAll
    static void startDatabase() throws Exception {
        postgres = TestPostgres.start();
    }

    @AfterAll
    static void stopDatabase() {
        postgres.close();
    }

    @Override
    protected Journal open() {
        try {
            if (address == null) address = postgres.newDatabase();
            try (Lease lease = new PostgresProvider().lease(address)) {
                return lease.take(
                                new Lease.Candidate("test", Optional.empty(), "mark"),
                                () -> {
                                    throw new AssertionError("nobody else is there");
                                })
                        .orElseThrow();
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Override
    protected boolean isDurable() {
        return true;
    }
}
