package fairlead.journals.sql;

import fairlead.journal.AuditLine;
import fairlead.journal.AuditQuery;
import fairlead.journal.Document;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Documents and lines of the audit as rows of the journal's tables. */
final class AuditRows {
    static final String KEEP_DOCUMENT =
            "INSERT INTO document (kind, name, body) VALUES (?, ?, ?)"
                    + " ON CONFLICT (kind, name) DO UPDATE SET body = excluded.body";

    static final String DELETE_DOCUMENT = "DELETE FROM document WHERE kind = ? AND name = ?";

    static final String DOCUMENTS =
            "SELECT kind, name, body FROM document WHERE kind = ? ORDER BY name";

    static final String ADD_LINE =
            "INSERT INTO audit (at, who, place, action, subject, outcome)"
                    + " VALUES (?, ?, ?, ?, ?, ?)";

    static final String FORGET_LINES = "DELETE FROM audit WHERE at < ?";

    private static final String LINES =
            "SELECT at, who, place, action, subject, outcome FROM audit";

    private AuditRows() {}

    static Document document(ResultSet row) throws SQLException {
        return new Document(row.getString(1), row.getString(2), row.getString(3));
    }

    static void bind(PreparedStatement row, AuditLine line) throws SQLException {
        row.setLong(1, Rows.nanos(line.at()));
        row.setString(2, line.who());
        row.setString(3, line.from());
        row.setString(4, line.action());
        row.setString(5, line.subject());
        row.setString(6, line.outcome());
    }

    static AuditLine line(ResultSet row) throws SQLException {
        return new AuditLine(
                Rows.instant(row.getLong(1)),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getString(5),
                row.getString(6));
    }

    /** A query in SQL, with the values of its parameters. */
    record Asked(String sql, List<Object> values) {
        static Asked of(AuditQuery query) {
            var conditions = new ArrayList<String>();
            var values = new ArrayList<Object>();
            query.who().ifPresent(who -> add(conditions, "who = ?", values, who));
            query.action().ifPresent(action -> add(conditions, "action = ?", values, action));
            query.subject().ifPresent(subject -> add(conditions, "subject = ?", values, subject));
            query.from().ifPresent(from -> add(conditions, "at >= ?", values, Rows.nanos(from)));
            query.until().ifPresent(end -> add(conditions, "at < ?", values, Rows.nanos(end)));
            values.add(query.max());
            String where = conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions);
            return new Asked(LINES + where + " ORDER BY at DESC, seq DESC LIMIT ?", values);
        }

        private static void add(
                List<String> conditions, String condition, List<Object> values, Object value) {
            conditions.add(condition);
            values.add(value);
        }
    }
}
