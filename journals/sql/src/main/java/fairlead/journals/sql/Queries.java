package fairlead.journals.sql;

/** The questions that a journal asks its database, which has an index for each. */
public final class Queries {
    /**
     * A job's name of its reversed id, reversed and with a line before it: what is left without the
     * eight digits of the dice, and then without the seconds.
     */
    public static final String NAME = "ltrim(substr(reversed, 10), '0123456789')";

    public static final String FIND =
            "SELECT " + Rows.JOB_COLUMNS + " FROM job" + Rows.WITH_SPEC + " WHERE reversed = ?";
    public static final String ENDING_WITH =
            "SELECT reversed FROM job WHERE reversed >= ? AND reversed < ? ORDER BY seq DESC LIMIT"
                    + " ?";

    public static final String NAMED =
            "SELECT reversed FROM job WHERE " + NAME + " = ? ORDER BY seq DESC LIMIT ?";

    public static final String MADE_BY = "SELECT reversed FROM job WHERE request = ? ORDER BY seq";
    public static final String HOLDER_OF =
            "SELECT reversed FROM job WHERE unique_key = ? ORDER BY seq LIMIT 1";
    public static final String HISTORY =
            "SELECT at, body FROM event WHERE job = (SELECT seq FROM job WHERE reversed = ?)"
                    + " ORDER BY seq";
    static final String METRICS =
            "SELECT name, body FROM metric WHERE job = (SELECT seq FROM job WHERE reversed = ?)"
                    + " ORDER BY name";
    public static final String FINISHED_BEFORE =
            "SELECT reversed FROM job WHERE finished < ? ORDER BY finished, seq LIMIT ?";

    static final String FINISHED_COUNTS = "SELECT word, jobs FROM finished_count WHERE jobs > 0";

    private Queries() {}

    public static String unfinished(Database database) {
        return "SELECT "
                + Rows.JOB_COLUMNS
                + " FROM job"
                + database.indexedBy("job_unfinished")
                + Rows.WITH_SPEC
                + " WHERE finished IS NULL ORDER BY seq";
    }

    public static String arrayCounts(Database database) {
        return "SELECT word, count(*) FROM job"
                + database.indexedBy("job_array")
                + " WHERE array_id = ? GROUP BY word";
    }

    static String predicted(Database database) {
        return "SELECT predicted_well, count(*) FROM job"
                + database.indexedBy("job_predicted")
                + " WHERE predicted_well IS NOT NULL GROUP BY predicted_well";
    }
}
