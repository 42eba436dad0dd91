package fairlead.cli.verb;

import fairlead.api.JobBody;
import fairlead.api.Refused;
import fairlead.cli.ExitCode;
import fairlead.cli.Failure;
import fairlead.cli.Refusal;
import fairlead.cli.Session;
import fairlead.cli.UsageException;

import java.io.IOException;
import java.util.List;

/**
 * The same call for several jobs: a refusal of one does not keep the others from theirs. An array's
 * id stands for all of its jobs.
 */
@FunctionalInterface
interface EachJob {
    void call(String id) throws UsageException, Failure, Refused, IOException;

    /** Returns the exit code of the first refusal, or ok. */
    static int of(List<String> words, Session session, EachJob call)
            throws UsageException, Failure, Refused, IOException {
        int code = ExitCode.OK;
        for (String word : words) {
            List<JobBody> array = ArrayJobs.of(word, session);
            if (array.isEmpty()) code = first(code, one(word, session, call));
            for (JobBody job : array) code = first(code, one(job.id(), session, call));
        }
        return code;
    }

    /** The same for a call that knows arrays itself. */
    static int ofWords(List<String> words, Session session, EachJob call)
            throws UsageException, Failure, IOException {
        int code = ExitCode.OK;
        for (String word : words) code = first(code, one(word, session, call));
        return code;
    }

    private static int one(String id, Session session, EachJob call)
            throws UsageException, Failure, IOException {
        try {
            call.call(id);
            return ExitCode.OK;
        } catch (Refused e) {
            session.say(Refusal.words(e));
            return e.exitCode();
        }
    }

    private static int first(int code, int next) {
        return code == ExitCode.OK ? next : code;
    }
}
