package fairlead.cli.dlscheduler;

import fairlead.api.client.Refused;
import fairlead.cli.Arguments;
import fairlead.cli.Example;
import fairlead.cli.Failure;
import fairlead.cli.Session;
import fairlead.cli.Usage;
import fairlead.cli.UsageException;
import fairlead.cli.Verb;
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
