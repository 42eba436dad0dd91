package fairlead.cli.philly;

import fairlead.api.JobDetail;
import fairlead.api.client.Refused;
import fairlead.cli.act.verb.CodeFolder;
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

/** Opens a shell where a job of the clusters runs. */
final class PSsh implements Verb {
    @Override
    public Usage usage() {
        return Usage.acts(
                List.of("p ssh"),
                "JOB",
                1,
                "open a shell where a job runs",
                List.of(Option.CLUSTER, Exec.TASK),
                List.of(
                        Example.refusedWhenEnded(
                                "fairlead p ssh " + Example.JOB, "any end of the id")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        var clusters = PhillyClusters.of(arguments, session);
        JobDetail job = clusters.find(arguments.some("job")).firstEntry().getValue();
        String task = arguments.text(Exec.TASK).orElse(null);
        return new RemoteCommand(session)
                .run(job.job().id(), task, CodeFolder.around(job, Bash.SHELL));
    }
}
