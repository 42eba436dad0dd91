package fairlead.journals.postgres;

import fairlead.journal.JournalException;
import fairlead.journals.sql.JournalProvider;
import fairlead.journals.sql.Lease;

/** Opens journals in PostgreSQL. */
public final class PostgresProvider implements JournalProvider {
    @Override
    public String scheme() {
        return "postgres";
    }

    @Override
    public Lease lease(String address) throws JournalException {
        return PostgresLease.open(new PostgresDatabase(PostgresAddress.of(address)));
    }
}
