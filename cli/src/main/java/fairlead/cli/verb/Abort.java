package fairlead.cli.verb;

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
                List.of(Option.JSON),
                List.of(
                        Example.refusedWhenEnded(
                                "fairlead abort " + Example.JOB,
                                "any unique end of the id will do")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        return EachJob.of(
                arguments.some("job"),
                session,
                id -> {
                    var answer = session.client().abort(id);
                    if (arguments.has(Option.JSON)) {
                        session.json(answer);
                        return;
                    }
                    JobBody job = answer.value();
                    session.out().line(job.id() + " " + job.state());
                });
    }
}
