package fairlead.cli.act.verb;

import fairlead.api.JobDetail;
import fairlead.api.client.Refused;
import fairlead.cli.act.ActJobs;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.shell.Bash;
import fairlead.cli.shell.Exec;
import fairlead.cli.shell.RemoteCommand;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.util.List;

/**
 * Opens a shell where a job runs, as ACT's users ask for it. The way there is the server's, so
 * neither an account nor an address of the node is needed.
 */
public final class Ssh implements Verb {
    @Override
    public Usage usage() {
        return Usage.acts(
                List.of("ssh"),
                "JOB",
                1,
                "open a shell where a job runs, in its code if it is one of ACT",
                List.of(Exec.TASK, Option.CLUSTER),
                List.of(
                        Example.refusedWhenEnded(
                                "fairlead ssh " + Example.JOB, "look around where it runs")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        JobDetail job = ActJobs.find(arguments.some("job"), session).firstEntry().getValue();
        String task = arguments.text(Exec.TASK).orElse(null);
        return new RemoteCommand(session)
                .run(job.job().id(), task, CodeFolder.around(job, Bash.SHELL));
    }
}
