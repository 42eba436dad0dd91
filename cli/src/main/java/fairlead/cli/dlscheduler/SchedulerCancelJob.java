package fairlead.cli.dlscheduler;

import fairlead.api.client.Refused;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;
import fairlead.cli.verb.Abort;

import java.io.IOException;
import java.util.List;

/** {@code abort}, by the name that users of the Kubernetes DL scheduler know. */
public final class SchedulerCancelJob implements Verb {
    @Override
    public Usage usage() {
        return Usage.acts(
                List.of("scheduler-cancel-job"),
                "JOB",
                1,
                "stop a job, waiting or running",
                List.of(),
                List.of(
                        Example.refusedWhenEnded(
                                "fairlead scheduler-cancel-job " + Example.JOB,
                                "an id, or any unique end of one")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        return new Abort().run(arguments, session);
    }
}
