package fairlead.cli.runai;

import fairlead.api.client.Refused;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.shell.RemoteCommand;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.util.List;

/** {@code attach}: joins the first pod of a running job. */
final class RunaiAttach implements Verb {
    @Override
    public Usage usage() {
        return Usage.acts(
                List.of("runai attach"),
                "NAME",
                1,
                "join a running job; Ctrl-C leaves it alone",
                List.of(Runai.PROJECT),
                List.of(
                        new Example(
                                "fairlead runai attach " + Example.JOB,
                                "refused for a job that has ended",
                                Runai.REFUSED)));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        var job = RunaiJobs.running("nobody can attach to", arguments, session);
        return new RemoteCommand(session).attach(job.id(), null);
    }
}
