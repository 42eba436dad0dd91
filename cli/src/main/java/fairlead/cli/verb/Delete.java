package fairlead.cli.verb;

import fairlead.api.Refused;
import fairlead.cli.Arguments;
import fairlead.cli.Example;
import fairlead.cli.Failure;
import fairlead.cli.Session;
import fairlead.cli.Usage;
import fairlead.cli.UsageException;
import fairlead.cli.Verb;

import java.io.IOException;
import java.util.List;

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
        return EachJob.of(
                arguments.some("job"),
                session,
                id -> {
                    session.client().delete(id);
                    session.out().line(id + " deleted");
                });
    }
}
