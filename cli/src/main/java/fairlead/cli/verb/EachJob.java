package fairlead.cli.verb;

import fairlead.api.ErrorBody;
import fairlead.api.ErrorCode;
import fairlead.api.JobsAnswer;
import fairlead.api.client.Refused;
import fairlead.cli.line.Session;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.Refusal;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.util.List;

/** The same call for several jobs: a refusal of one does not keep the others from theirs. */
@FunctionalInterface
public interface EachJob {
    void call(String id) throws UsageException, Failure, Refused, IOException;

    /** Returns the exit code of the first refusal, or ok. */
    static int of(List<String> words, Session session, EachJob call)
            throws UsageException, Failure, IOException {
        int code = ExitCode.OK;
        for (String word : words) code = first(code, one(word, session, call));
        return code;
    }

    /** Tells what a call for several jobs was refused for; the exit code of the first, or ok. */
    static int refusals(JobsAnswer answer, Session session) {
        int code = ExitCode.OK;
        for (ErrorBody body : answer.refused()) {
            var refused = new Refused(ErrorCode.CONFLICT.status(), body);
            session.say(Refusal.words(refused));
            code = first(code, refused.exitCode());
        }
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

    static int first(int code, int next) {
        return code == ExitCode.OK ? next : code;
    }
}
