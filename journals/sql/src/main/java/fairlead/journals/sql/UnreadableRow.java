package fairlead.journals.sql;

import java.sql.SQLException;

/** What was written could be read, so a row that cannot be read is damaged. */
public final class UnreadableRow extends SQLException {
    private static final long serialVersionUID = 1;

    UnreadableRow(String row, RuntimeException cause) {
        super(row + " cannot be read: " + cause.getMessage(), cause);
    }
}
