package fairlead.cli.verb;

import fairlead.api.ErrorCode;
import fairlead.api.JobBody;
import fairlead.api.JobsAnswer;
import fairlead.api.client.Refused;
import fairlead.cli.job.JobIds;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;
import fairlead.cli.terminal.Words;

import java.io.IOException;
import java.util.List;

/** Stops jobs. Several are one call, which the server makes one commit of. */
public final class Abort implements Verb {
    /** As many as the server takes at once. */
    private static final int WORDS_MAX = 1_000;

    @Override
    public Usage usage() {
        return Usage.acts(
                List.of("abort", "a", "cancel", "stop"),
                "JOB...",
                Usage.MANY,
                "stop jobs, waiting or running",
                List.of(Option.CLUSTER, Option.JSON),
                List.of(
                        Example.refusedWhenEnded(
                                "fairlead abort " + Example.JOB,
                                "any unique end of the id, a name, or an array's id or name for"
                                        + " all its jobs")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        List<String> words = JobIds.of(arguments.some("job"));
        boolean json = arguments.has(Option.JSON);
        if (words.size() == 1) {
            abort(words.getFirst(), json, session);
            return ExitCode.OK;
        }
        int code = ExitCode.OK;
        for (int from = 0; from < words.size(); from += WORDS_MAX) {
            var some = words.subList(from, Math.min(words.size(), from + WORDS_MAX));
            var answer = session.client().abort(some);
            if (json) session.json(answer);
            else show(answer.value(), session);
            code = EachJob.first(code, EachJob.refusals(answer.value(), session));
        }
        return code;
    }

    private static void abort(String word, boolean json, Session session)
            throws UsageException, Failure, Refused, IOException {
        if (ArrayJobs.mayBe(word) && abortArray(word, json, session)) return;
        var answer = session.client().abort(word);
        if (json) {
            session.json(answer);
            return;
        }
        JobBody job = answer.value();
        session.out().line(job.id() + " " + Words.state(job.state()));
    }

    /** False where it means no array. */
    private static boolean abortArray(String word, boolean json, Session session)
            throws UsageException, Failure, Refused, IOException {
        try {
            var answer = session.client().abortArray(word);
            if (json) session.json(answer);
            else show(answer.value(), session);
            return true;
        } catch (Refused refusal) {
            if (refusal.is(ErrorCode.NOT_FOUND)) return false;
            throw refusal;
        }
    }

    private static void show(JobsAnswer answer, Session session) throws IOException {
        for (var job : answer.jobs()) session.out().line(job.id() + " " + Words.state(job.state()));
    }
}
