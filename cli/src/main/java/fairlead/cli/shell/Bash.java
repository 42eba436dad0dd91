package fairlead.cli.shell;

import fairlead.api.JobDetail;
import fairlead.api.client.Refused;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;
import fairlead.dialects.act.ActOrigin;
import fairlead.dialects.act.NodeProgram;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Opens a shell in the surroundings of a running task. */
public final class Bash implements Verb {
    /** Small images have no bash. */
    public static final List<String> SHELL =
            List.of(
                    "sh",
                    "-c",
                    "if command -v bash >/dev/null 2>&1; then exec bash; else exec sh; fi");

    /** The same in the code of a job of ACT or Philly, whose users look for it there. */
    public static List<String> shellIn(JobDetail job) {
        if (ActOrigin.of(job).isEmpty()) return SHELL;
        return List.of("sh", "-c", toCode(job) + "; " + SHELL.getLast());
    }

    /** A command in the same place. */
    static List<String> commandIn(JobDetail job, List<String> command) {
        if (ActOrigin.of(job).isEmpty()) return command;
        var words = new ArrayList<>(List.of("sh", "-c", toCode(job) + "; exec \"$0\" \"$@\""));
        words.addAll(command);
        return words;
    }

    private static String toCode(JobDetail job) {
        return NodeProgram.toCode(job.job().id(), job.job().attempts());
    }

    @Override
    public Usage usage() {
        return Usage.acts(
                List.of("bash"),
                "JOB",
                1,
                "open a shell inside a running job",
                List.of(Exec.TASK),
                List.of(
                        Example.refusedWhenEnded(
                                "fairlead bash " + Example.JOB, "look around where it runs"),
                        Example.refusedWhenEnded(
                                "echo pwd | fairlead bash --task main/0 " + Example.JOB,
                                "a script from the standard input")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        JobDetail job = session.client().job(arguments.some("job").getFirst()).value();
        String task = arguments.text(Exec.TASK).orElse(null);
        return new RemoteCommand(session).run(job.job().id(), task, shellIn(job));
    }
}
