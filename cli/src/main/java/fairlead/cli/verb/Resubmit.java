package fairlead.cli.verb;

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

/** Submits a job's spec again; an active job is aborted first. */
public final class Resubmit implements Verb {
    @Override
    public Usage usage() {
        return Usage.acts(
                List.of("resubmit"),
                "JOB...",
                Usage.MANY,
                "submit jobs again, and abort them first where they are active",
                List.of(Option.GPUS, Option.JSON),
                List.of(
                        Example.of("fairlead resubmit " + Example.JOB, "the same once more"),
                        Example.of("fairlead -n 0 resubmit " + Example.JOB, "with other GPUs")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        Integer gpus = arguments.numberOrNull(Option.GPUS, 0);
        return EachJob.of(
                arguments.some("job"),
                session,
                id -> {
                    var answer = session.client().resubmit(id, gpus);
                    if (arguments.has(Option.JSON)) {
                        session.json(answer);
                        return;
                    }
                    for (String made : answer.value().ids()) session.out().line(made);
                });
    }
}
