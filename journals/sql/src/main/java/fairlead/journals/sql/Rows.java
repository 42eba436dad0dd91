package fairlead.journals.sql;

import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.JobState;
import fairlead.job.Prediction;
import fairlead.job.Progress;
import fairlead.job.RetryPolicy;
import fairlead.job.Setbacks;
import fairlead.journal.Fact;
import fairlead.wire.Json;
import fairlead.wire.Specs;
import fairlead.wire.parts.TrainingParts;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Jobs and facts as rows of the journal's tables. */
public final class Rows {
    public static final String UPDATE_JOB =
            "UPDATE job SET word = ?, finished = ?, priority = ?, attempts = ?, failures = ?,"
                    + " losses = ?, started = ?, served = ?, predicted_earliest = ?,"
                    + " predicted_start = ?, predicted_latest = ?, predicted_well = ?, state = ?,"
                    + " setbacks = ?, progress = ?, tries = ? WHERE reversed = ?";

    static final String INSERT_JOB =
            "INSERT INTO job (word, finished, priority, attempts, failures, losses, started,"
                + " served, predicted_earliest, predicted_start, predicted_latest, predicted_well,"
                + " state, setbacks, progress, tries, reversed, id, owner, submitted, request,"
                + " array_id, array_index, unique_key) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
                + " ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

    public static final String INSERT_SPEC =
            "INSERT INTO spec (job, body) VALUES ((SELECT seq FROM job WHERE reversed = ?), ?)";

    static final String INSERT_ARRAY_SPEC =
            "INSERT INTO array_spec (array_id, body) VALUES (?, ?) ON CONFLICT DO NOTHING";

    public static final String INSERT_EVENT =
            "INSERT INTO event (job, at, body) VALUES ((SELECT seq FROM job WHERE reversed = ?), ?,"
                    + " ?)";

    static final String KEEP_METRIC =
            "INSERT INTO metric (name, body, job) SELECT ?, ?, seq FROM job WHERE reversed = ?"
                    + " ON CONFLICT (job, name) DO UPDATE SET body = excluded.body";
    public static final String DELETE_JOB =
            "DELETE FROM job WHERE reversed = ? AND finished IS NOT NULL";

    /** What {@link #job} reads. */
    static final String JOB_COLUMNS =
            "job.id, spec.body, owner, submitted, request, array_id, array_index, priority, state,"
                + " attempts, failures, losses, started, served, predicted_earliest,"
                + " predicted_start, predicted_latest, predicted_well, setbacks, progress, tries";

    /** A job of an array has no spec for itself. */
    static final String WITH_SPEC = " LEFT JOIN spec ON spec.job = job.seq";

    private Rows() {}

    static void bindUpdate(PreparedStatement row, Job job) throws SQLException {
        row.setString(1, job.state().word());
        if (job.state() instanceof JobState.Finished over) {
            row.setLong(2, nanos(over.at()));
        } else {
            row.setObject(2, null);
        }
        row.setInt(3, job.priority());
        row.setInt(4, job.attempts());
        row.setInt(5, job.failures());
        row.setInt(6, job.losses());
        row.setObject(7, job.started().map(Rows::nanos).orElse(null));
        row.setLong(8, job.served().toNanos());
        bindPrediction(row, job.prediction());
        row.setString(13, StateJson.write(job.state()));
        boolean isUnharmed = job.setbacks().equals(Setbacks.NONE);
        row.setString(14, isUnharmed ? null : TrainingParts.SETBACKS.text(job.setbacks()));
        boolean isSilent = job.progress().equals(Progress.NONE);
        row.setString(15, isSilent ? null : TrainingParts.PROGRESS.text(job.progress()));
        boolean isFirst = job.tries().equals(RetryPolicy.Tries.NONE);
        row.setString(16, isFirst ? null : StateJson.TRIES.text(job.tries()));
        row.setString(17, reversed(job.id().text()));
        row.addBatch();
    }

    private static void bindPrediction(PreparedStatement row, Optional<Prediction> told)
            throws SQLException {
        row.setObject(9, told.map(Prediction::earliest).map(Rows::nanos).orElse(null));
        row.setObject(10, told.map(Prediction::expected).map(Rows::nanos).orElse(null));
        row.setObject(11, told.map(Prediction::latest).map(Rows::nanos).orElse(null));
        row.setObject(12, told.flatMap(Prediction::kept).map(kept -> kept ? 1 : 0).orElse(null));
    }

    static void bindInsert(PreparedStatement row, Job job) throws SQLException {
        row.setString(18, job.id().text());
        row.setString(19, job.owner());
        row.setLong(20, nanos(job.submitted()));
        row.setString(21, job.request().orElse(null));
        row.setString(22, job.array().map(Job.ArrayPlace::array).orElse(null));
        row.setObject(23, job.array().map(Job.ArrayPlace::index).orElse(null));
        row.setString(24, job.spec().uniqueKey().orElse(null));
        bindUpdate(row, job);
    }

    static void bindSpec(PreparedStatement row, Job job) throws SQLException {
        row.setString(1, reversed(job.id().text()));
        row.setString(2, body(job.spec()));
        row.addBatch();
    }

    static void bindArraySpec(PreparedStatement row, String array, JobSpec spec)
            throws SQLException {
        row.setString(1, array);
        row.setString(2, body(spec));
    }

    private static String body(JobSpec spec) {
        return Json.write(Specs.write(spec));
    }

    static void bindEvent(PreparedStatement row, Fact fact) throws SQLException {
        row.setString(1, reversed(fact.job().text()));
        row.setLong(2, nanos(fact.event().at()));
        row.setString(3, EventJson.write(fact.event()));
        row.addBatch();
    }

    static void bindDelete(PreparedStatement row, JobId job) throws SQLException {
        row.setString(1, reversed(job.text()));
        row.addBatch();
    }

    static Job job(ResultSet row, Sharing sharing) throws SQLException {
        var id = new JobId(row.getString(1));
        try {
            String array = sharing.text(row.getString(6));
            JobSpec spec = sharing.spec(row.getString(2), array);
            String setbacks = row.getString(19);
            String progress = row.getString(20);
            String tries = row.getString(21);
            return new Job(
                    id,
                    spec,
                    sharing.text(row.getString(3)),
                    instant(row.getLong(4)),
                    Optional.ofNullable(sharing.text(row.getString(5))),
                    array == null
                            ? Optional.empty()
                            : Optional.of(new Job.ArrayPlace(array, row.getInt(7))),
                    row.getInt(8),
                    StateJson.read(row.getString(9), id),
                    row.getInt(10),
                    row.getInt(11),
                    row.getInt(12),
                    time(row, 13),
                    prediction(row),
                    Duration.ofNanos(row.getLong(14)),
                    setbacks == null ? Setbacks.NONE : TrainingParts.SETBACKS.read(setbacks),
                    progress == null ? Progress.NONE : TrainingParts.PROGRESS.read(progress),
                    tries == null ? RetryPolicy.Tries.NONE : StateJson.TRIES.read(tries));
        } catch (RuntimeException e) {
            throw new UnreadableRow("the row of " + id, e);
        }
    }

    private static Optional<Prediction> prediction(ResultSet row) throws SQLException {
        Optional<Instant> earliest = time(row, 15);
        if (earliest.isEmpty()) return Optional.empty();
        int kept = row.getInt(18);
        Optional<Boolean> judgement = row.wasNull() ? Optional.empty() : Optional.of(kept == 1);
        return Optional.of(
                new Prediction(
                        earliest.get(),
                        instant(row.getLong(16)),
                        instant(row.getLong(17)),
                        judgement));
    }

    private static Optional<Instant> time(ResultSet row, int column) throws SQLException {
        long nanos = row.getLong(column);
        return row.wasNull() ? Optional.empty() : Optional.of(instant(nanos));
    }

    /** Ids are read from the column that the index holds. */
    static JobId id(ResultSet row) throws SQLException {
        return new JobId(reversed(row.getString(1)));
    }

    static Fact fact(ResultSet row, JobId job) throws SQLException {
        try {
            Event event = EventJson.read(row.getString(2), job, instant(row.getLong(1)));
            return new Fact(job, event);
        } catch (RuntimeException e) {
            throw new UnreadableRow("an event of " + job, e);
        }
    }

    static String reversed(String text) {
        return new StringBuilder(text).reverse().toString();
    }

    /** Since 1970; sorts as time does, loses nothing, and lasts until 2262. */
    static long nanos(Instant time) {
        long seconds = Math.multiplyExact(time.getEpochSecond(), 1_000_000_000L);
        return Math.addExact(seconds, time.getNano());
    }

    static Instant instant(long nanos) {
        return Instant.ofEpochSecond(0, nanos);
    }
}
