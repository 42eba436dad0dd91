package fairlead.cli.verb;

import fairlead.api.Refused;
import fairlead.cli.ExitCode;
import fairlead.cli.Failure;
import fairlead.cli.Refusal;
import fairlead.cli.Session;
import fairlead.cli.UsageException;

import java.io.IOException;
import java.util.List;

/** The same call for several jobs: a refusal of one does not keep the others from theirs. */
@FunctionalInterface
interface EachJob {
    void call(String id) throws UsageException, Failure, Refused, IOException;

    /** Returns the exit code of the first refusal, or ok. */
    static int of(List<String> ids, Session session, EachJob call)
            throws UsageException, Failure, IOException {
        int code = ExitCode.OK;
        for (String id : ids) {
            try {
                call.call(id);
            } catch (Refused e) {
                session.say(Refusal.words(e));
                if (code == ExitCode.OK) code = e.exitCode();
            }
        }
        return code;
    }
}
