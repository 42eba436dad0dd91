package fairlead.cli.verb;

import fairlead.api.ErrorCode;
import fairlead.api.JobsAnswer;
import fairlead.api.client.Refused;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.Refusal;
import fairlead.cli.terminal.UsageException;
import fairlead.cli.terminal.Words;

import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;

/** Removes ended jobs with their logs. */
public final class Delete implements Verb {
    @Override
    public Usage usage() {
        return Usage.acts(
                List.of("delete"),
                "JOB...",
                Usage.MANY,
                "remove ended jobs and their logs",
                List.of(),
                List.of(Example.of("fairlead delete " + Example.JOB, "a running job is refused")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        int code = ExitCode.OK;
        for (String word : arguments.some("job")) code = EachJob.first(code, delete(word, session));
        return code;
    }

    private static int delete(String word, Session session)
            throws UsageException, Failure, IOException {
        try {
            if (ArrayJobs.mayBe(word)) {
                var array = deleteArray(word, session);
                if (array.isPresent()) return array.getAsInt();
            }
            session.client().delete(word);
            session.out().line(word + " deleted");
            return ExitCode.OK;
        } catch (Refused refused) {
            session.say(Refusal.words(refused));
            return refused.exitCode();
        }
    }

    /** In one call, which the server makes one commit of; empty where it means no array. */
    private static OptionalInt deleteArray(String word, Session session)
            throws UsageException, Failure, Refused, IOException {
        try {
            JobsAnswer answer = session.client().deleteArray(word).value();
            for (var job : answer.jobs())
                session.out().line(job.id() + " " + Words.state(job.state()));
            return OptionalInt.of(EachJob.refusals(answer, session));
        } catch (Refused refused) {
            if (refused.is(ErrorCode.NOT_FOUND)) return OptionalInt.empty();
            throw refused;
        }
    }
}
