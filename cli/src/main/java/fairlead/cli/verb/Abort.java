package fairlead.cli.verb;

import fairlead.api.ErrorCode;
import fairlead.api.JobBody;
import fairlead.api.Refused;
import fairlead.cli.Arguments;
import fairlead.cli.Example;
import fairlead.cli.Failure;
import fairlead.cli.Option;
import fairlead.cli.Session;
import fairlead.cli.Usage;
import fairlead.cli.UsageException;
import fairlead.cli.Verb;

import java.io.IOException;
import java.util.List;

/** Stops jobs. */
public final class Abort implements Verb {
    @Override
    public Usage usage() {
        return Usage.acts(
                List.of("abort", "a"),
                "JOB...",
                Usage.MANY,
                "stop jobs, waiting or running",
                List.of(Option.CLUSTER, Option.JSON),
                List.of(
                        Example.refusedWhenEnded(
                                "fairlead abort " + Example.JOB,
                                "any unique end of the id, a unique name, or an array's id for all"
                                        + " its jobs")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        return EachJob.ofWords(
                ActJobs.ids(arguments.some("job")),
                session,
                word -> abort(word, arguments, session));
    }

    private static void abort(String word, Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        if (ArrayJobs.isId(word) && abortArray(word, arguments, session)) return;
        var answer = session.client().abort(word);
        if (arguments.has(Option.JSON)) {
            session.json(answer);
            return;
        }
        JobBody job = answer.value();
        session.out().line(job.id() + " " + job.state());
    }

    /** In one call, which the server makes one commit of; false where it is the id of no array. */
    private static boolean abortArray(String word, Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        try {
            var answer = session.client().abortArray(word);
            if (arguments.has(Option.JSON)) {
                session.json(answer);
                return true;
            }
            for (var job : answer.value().jobs()) session.out().line(job.id() + " " + job.state());
            return true;
        } catch (Refused refusal) {
            if (refusal.status() == ErrorCode.NOT_FOUND.status()) return false;
            throw refusal;
        }
    }
}
