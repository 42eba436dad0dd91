package fairlead.cli.shell;

import fairlead.api.client.Refused;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.util.List;

/** Joins a running task: shows what it writes, and types into it where it reads. */
public final class Attach implements Verb {
    @Override
    public Usage usage() {
        return new Usage(
                List.of("attach"),
                "JOB",
                1,
                false,
                "join a running job: see what it writes, type what it reads",
                "Shows what the task writes from now on; 'fairlead logs' has what came before. The"
                    + " task reads\n"
                    + "what is typed here, line by line, if the job asked for a standard input.\n"
                    + "Ctrl-C detaches and leaves the task alone. If the task ends first, its exit"
                    + " code\n"
                    + "is this command's.",
                List.of(Exec.TASK),
                List.of(
                        Example.refusedWhenEnded(
                                "fairlead attach " + Example.JOB, "until it ends, or Ctrl-C"),
                        Example.refusedWhenEnded(
                                "echo stop | fairlead attach --task main/0 " + Example.JOB,
                                "say a line to a program that listens")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        String id = arguments.some("job").getFirst();
        return new RemoteCommand(session).attach(id, arguments.text(Exec.TASK).orElse(null));
    }
}
