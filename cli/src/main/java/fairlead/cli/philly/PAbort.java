package fairlead.cli.philly;

import fairlead.api.ErrorCode;
import fairlead.api.JobDetail;
import fairlead.api.client.Refused;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.Refusal;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.util.List;

/** Stops jobs of the clusters; where one of them is not clear, none. */
final class PAbort implements Verb {
    @Override
    public Usage usage() {
        return Usage.acts(
                List.of("p abort", "p a"),
                "JOB...",
                Usage.MANY,
                "stop jobs; an id that could be several stops none",
                List.of(Option.CLUSTER),
                List.of(
                        Example.refusedWhenEnded(
                                "fairlead p abort " + Example.JOB, "any end of the id")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        var clusters = PhillyClusters.of(arguments, session);
        int code = ExitCode.OK;
        for (JobDetail job : clusters.find(arguments.some("job")).values()) {
            try {
                session.client().abort(job.job().id());
                session.out().line(PhillyClusters.name(job) + " " + job.job().id());
            } catch (Refused e) {
                if (!e.is(ErrorCode.CONFLICT)) throw e;
                // The others shall be stopped all the same.
                session.say(
                        Refusal.words(e).replace("'fairlead resubmit ", "'fairlead p resubmit "));
                code = e.exitCode();
            }
        }
        return code;
    }
}
