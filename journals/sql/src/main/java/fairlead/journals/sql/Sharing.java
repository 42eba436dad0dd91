package fairlead.journals.sql;

import fairlead.api.spec.SpecBody;
import fairlead.job.JobSpec;
import fairlead.wire.Json;
import fairlead.wire.Specs;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/**
 * What the jobs that one query reads have in common, so that each of it is in memory once: the spec
 * of an array, and the texts that many rows repeat. Belongs to one query.
 */
final class Sharing {
    static final String ARRAY_SPEC = "SELECT body FROM array_spec WHERE array_id = ?";

    /** A stored spec is complete, so none of these is ever taken. */
    private static final Specs.Defaults UNUSED =
            new Specs.Defaults("nobody", "default", "/", false, "local", Map.of(), true);

    private final Readers.Reader reader;
    private final Map<String, JobSpec> specs = new HashMap<>();
    private final Map<String, String> texts = new HashMap<>();

    Sharing(Readers.Reader reader) {
        this.reader = reader;
    }

    /**
     * @param body what the job has for itself; null where it has its array's
     */
    JobSpec spec(String body, String array) throws SQLException {
        if (body != null) return read(body);
        JobSpec known = specs.get(array);
        if (known != null) return known;
        // The rows that are being read keep the snapshot, so the two queries agree.
        try (ResultSet row = reader.prepared(ARRAY_SPEC, array).executeQuery()) {
            if (!row.next()) throw new SQLException("there is no spec of the array " + array);
            JobSpec spec = read(row.getString(1));
            specs.put(array, spec);
            return spec;
        }
    }

    private static JobSpec read(String body) {
        return Specs.read(Json.read(SpecBody.class, body), UNUSED);
    }

    /** The same text as an earlier row's; null stays null. */
    String text(String text) {
        return text == null ? null : texts.computeIfAbsent(text, same -> same);
    }
}
