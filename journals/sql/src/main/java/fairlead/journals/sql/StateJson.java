package fairlead.journals.sql;

import static fairlead.wire.parts.Form.INT;

import fairlead.job.JobId;
import fairlead.job.JobState;
import fairlead.job.RetryPolicy;
import fairlead.wire.parts.Part;
import fairlead.wire.parts.Part.Fields;
import fairlead.wire.parts.Part.Found;
import fairlead.wire.parts.StateFacts;
import fairlead.wire.parts.StateParts;

import java.util.function.Function;

/** The stored form of a job's state, and of what its retry policy counts. */
final class StateJson {
    static final Part<RetryPolicy.Tries> TRIES = Part.of(StateJson::tries);

    private static Function<Found, RetryPolicy.Tries> tries(Fields<RetryPolicy.Tries> fields) {
        var succeeded = fields.field("succeeded", INT, RetryPolicy.Tries::succeeded);
        var transients = fields.field("transients", INT, RetryPolicy.Tries::transients);
        var conflicts = fields.field("conflicts", INT, RetryPolicy.Tries::conflicts);
        var permanents = fields.field("permanents", INT, RetryPolicy.Tries::permanents);
        var unknowns = fields.field("unknowns", INT, RetryPolicy.Tries::unknowns);
        return found ->
                new RetryPolicy.Tries(
                        succeeded.in(found),
                        transients.in(found),
                        conflicts.in(found),
                        permanents.in(found),
                        unknowns.in(found));
    }

    private StateJson() {}

    static String write(JobState state) {
        return StateParts.STATE.text(StateFacts.of(state));
    }

    static JobState read(String text, JobId job) {
        return StateParts.STATE.read(text).state(job);
    }
}
