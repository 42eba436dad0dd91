package fairlead.journals.sql;

import fairlead.journal.FinishedQuery;

import java.util.ArrayList;
import java.util.List;

/**
 * The SQL for one page of finished jobs. Each combination of filters names the index that it walks,
 * so that a page costs the same however many jobs are kept.
 */
public record Finished(String sql, List<Object> values) {
    public static Finished of(FinishedQuery query, Database database) {
        var values = new ArrayList<Object>();
        var sql =
                new StringBuilder("SELECT ")
                        .append(Rows.JOB_COLUMNS)
                        .append(" FROM job")
                        .append(database.indexedBy(index(query)))
                        .append(Rows.WITH_SPEC)
                        .append(" WHERE finished IS NOT NULL");
        query.array().ifPresent(array -> filter(sql, values, " AND array_id = ?", array));
        query.owner().ifPresent(owner -> filter(sql, values, " AND owner = ?", owner));
        query.word().ifPresent(word -> filter(sql, values, " AND word = ?", word));
        query.before()
                .ifPresent(
                        id ->
                                filter(
                                        sql,
                                        values,
                                        " AND seq < (SELECT seq FROM job WHERE reversed = ?)",
                                        Rows.reversed(id.text())));
        if (query.arraysOnce()) newestOfItsArray(query, database, sql, values);
        filter(sql, values, " ORDER BY seq DESC LIMIT ?", query.max());
        return new Finished(sql.toString(), values);
    }

    private static void filter(
            StringBuilder sql, List<Object> values, String condition, Object value) {
        sql.append(condition);
        values.add(value);
    }

    /** The owner is the same for all of an array. */
    private static void newestOfItsArray(
            FinishedQuery query, Database database, StringBuilder sql, List<Object> values) {
        sql.append(
                " AND (array_id IS NULL OR seq = (SELECT max(sibling.seq) FROM job AS sibling"
                        + database.indexedBy("job_finished_array")
                        + " WHERE sibling.finished IS NOT NULL"
                        + " AND sibling.array_id = job.array_id");
        query.word().ifPresent(word -> filter(sql, values, " AND sibling.word = ?", word));
        sql.append("))");
    }

    private static String index(FinishedQuery query) {
        if (query.array().isPresent()) return "job_finished_array";
        if (query.owner().isPresent()) {
            return query.word().isPresent() ? "job_finished_owner_word" : "job_finished_owner";
        }
        if (query.word().isPresent()) return "job_finished_word";
        return "job_finished";
    }
}
