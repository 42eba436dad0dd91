package fairlead.journals.sql;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;

/** Rows from one database into another, and what they are, for a comparison. */
final class TableCopy {
    /** What rows name comes before them. Counts of finished jobs are made by the tables. */
    private static final List<Table> TABLES =
            List.of(
                    new Table("job", "seq"),
                    new Table("spec", "job"),
                    new Table("array_spec", "array_id"),
                    new Table("event", "seq"),
                    new Table("metric", "job, name"),
                    new Table("project", "name"),
                    new Table("person", "name"),
                    new Table("document", "kind, name"),
                    new Table("audit", "seq"));

    private static final int BATCH = 500;

    /**
     * @param key in whose order its rows are read
     */
    private record Table(String name, String key) {
        String select() {
            return "SELECT * FROM " + name + " ORDER BY " + key;
        }
    }

    private TableCopy() {}

    static boolean isEmpty(Connection connection) throws SQLException {
        for (Table table : TABLES) {
            try (var statement = connection.createStatement();
                    ResultSet row =
                            statement.executeQuery("SELECT * FROM " + table.name + " LIMIT 1")) {
                if (row.next()) return false;
            }
        }
        return true;
    }

    static void copy(Connection from, Connection to) throws SQLException {
        for (Table table : TABLES) {
            try (var statement = from.createStatement();
                    ResultSet rows = statement.executeQuery(table.select())) {
                List<String> columns = columns(rows);
                String sql =
                        "INSERT INTO %s (%s) VALUES (%s)"
                                .formatted(
                                        table.name,
                                        String.join(", ", columns),
                                        String.join(
                                                ", ", Collections.nCopies(columns.size(), "?")));
                try (PreparedStatement insert = to.prepareStatement(sql)) {
                    copy(rows, columns.size(), insert);
                }
            }
        }
    }

    private static void copy(ResultSet rows, int columns, PreparedStatement insert)
            throws SQLException {
        int waiting = 0;
        while (rows.next()) {
            for (int i = 1; i <= columns; i++) insert.setObject(i, rows.getObject(i));
            insert.addBatch();
            if (++waiting % BATCH == 0) insert.executeBatch();
        }
        insert.executeBatch();
    }

    private static List<String> columns(ResultSet rows) throws SQLException {
        var columns = new ArrayList<String>();
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++)
            columns.add(rows.getMetaData().getColumnName(i));
        return columns;
    }

    /** The same for the same rows, whatever database they are in. */
    static List<SqlJournal.TableSum> sums(Connection connection) throws SQLException {
        var sums = new ArrayList<SqlJournal.TableSum>();
        for (Table table : TABLES) {
            try (var statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery(table.select())) {
                sums.add(sum(table, rows));
            }
        }
        return sums;
    }

    private static SqlJournal.TableSum sum(Table table, ResultSet rows) throws SQLException {
        MessageDigest digest = digest();
        List<String> columns = columns(rows);
        // Databases may have made their columns in another order.
        List<String> sorted = columns.stream().sorted().toList();
        long count = 0;
        while (rows.next()) {
            count++;
            for (String column : sorted) {
                String value = rows.getString(columns.indexOf(column) + 1);
                byte[] bytes = value == null ? null : value.getBytes(StandardCharsets.UTF_8);
                String head = column + (bytes == null ? " null;" : " " + bytes.length + ":");
                digest.update(head.getBytes(StandardCharsets.UTF_8));
                if (bytes != null) digest.update(bytes);
            }
        }
        return new SqlJournal.TableSum(
                table.name, count, HexFormat.of().formatHex(digest.digest()));
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
