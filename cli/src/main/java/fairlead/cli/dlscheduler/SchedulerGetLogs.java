package fairlead.cli.dlscheduler;

import fairlead.api.JobBody;
import fairlead.api.client.LogQuery;
import fairlead.api.client.Refused;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.util.List;

/**
 * Shows what a script has written, in all its attempts: its users think of a job that was preempted
 * and resumed as one run.
 */
public final class SchedulerGetLogs implements Verb {
    @Override
    public Usage usage() {
        return Usage.acts(
                List.of("scheduler-get-logs"),
                "JOB",
                1,
                "show what a job has written, before and after each restart",
                List.of(),
                List.of(
                        Example.of(
                                "fairlead scheduler-get-logs " + Example.JOB,
                                "an id, or any unique end of one")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        JobBody job = session.client().job(arguments.some("job").getFirst()).value().job();
        for (int attempt = 1; attempt <= job.attempts(); attempt++) {
            var query = new LogQuery(null, attempt, null, null);
            session.client().logs(job.id(), query, session.out());
        }
        if (job.attempts() == 0) {
            session.say("job " + job.id() + " has not run: it is " + job.state() + "; see 'why'");
        }
        return ExitCode.OK;
    }
}
