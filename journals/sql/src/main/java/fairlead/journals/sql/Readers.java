package fairlead.journals.sql;

import fairlead.journal.JournalException;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A few read-only connections, shared by any number of threads. */
final class Readers implements AutoCloseable {
    /** Reads take under a millisecond each, so more would only cost memory. */
    private static final int CONNECTIONS_MAX = 4;

    /** So long a thread waits for its turn: longer than the slowest read, shorter than a client. */
    private static final int TURN_SECONDS = 10;

    private final Database database;
    private final Semaphore turns = new Semaphore(CONNECTIONS_MAX);
    private final ArrayDeque<Reader> idle = new ArrayDeque<>();
    private boolean closed;

    Readers(Database database) {
        this.database = database;
    }

    /** What is done with a connection; nothing of it may be used afterwards. */
    interface Reading<T> {
        T from(Reader reader) throws SQLException;
    }

    /** One connection with its prepared statements, used by one thread at a time. */
    static final class Reader {
        private final Connection connection;
        private final Map<String, PreparedStatement> statements = new HashMap<>();

        Reader(Connection connection) {
            this.connection = connection;
        }

        Connection connection() {
            return connection;
        }

        /** The caller closes its result set, so that the snapshot behind it is let go. */
        PreparedStatement prepared(String sql, Object... values) throws SQLException {
            PreparedStatement statement = statements.get(sql);
            if (statement == null) {
                statement = connection.prepareStatement(sql);
                statements.put(sql, statement);
            }
            for (int i = 0; i < values.length; i++) statement.setObject(i + 1, values[i]);
            return statement;
        }

        /** Lets go of what a transaction saw, where a read is one. */
        void end() throws SQLException {
            if (!connection.getAutoCommit()) connection.commit();
        }
    }

    <T> T read(Reading<T> reading) throws JournalException {
        try {
            if (!turns.tryAcquire(TURN_SECONDS, TimeUnit.SECONDS)) {
                throw new JournalException("the journal is busy with other readers", null);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new JournalException("interrupted while waiting to read the journal", e);
        }
        try {
            Reader reader = take();
            try {
                return read(reader, reading);
            } catch (SQLException e) {
                if (!database.isGone(e)) throw e;
                closeIdle();
                return read(new Reader(database.reader()), reading);
            }
        } catch (SQLException e) {
            throw database.told(e);
        } finally {
            turns.release();
        }
    }

    private <T> T read(Reader reader, Reading<T> reading) throws SQLException {
        boolean good = false;
        try {
            T result = reading.from(reader);
            reader.end();
            good = true;
            return result;
        } finally {
            giveBack(reader, good);
        }
    }

    private Reader take() throws SQLException, JournalException {
        synchronized (idle) {
            if (closed) throw new JournalException("the journal is closed", null);
            if (!idle.isEmpty()) return idle.pop();
        }
        return new Reader(database.reader());
    }

    /** A connection that failed is not used again: a fresh one may see what this one cannot. */
    private void giveBack(Reader reader, boolean good) {
        synchronized (idle) {
            if (good && !closed) {
                idle.push(reader);
                return;
            }
        }
        close(reader);
    }

    private static void close(Reader reader) {
        try {
            reader.connection.close();
        } catch (SQLException _) {
            // It only reads, so nothing is lost with it.
        }
    }

    private void closeIdle() {
        synchronized (idle) {
            idle.forEach(Readers::close);
            idle.clear();
        }
    }

    @Override
    public void close() {
        synchronized (idle) {
            closed = true;
            closeIdle();
        }
    }
}
