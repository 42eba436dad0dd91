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

import java.io.IOException;
import java.util.List;

/** Opens a shell in the surroundings of a running task. */
public record Bash(Surroundings surroundings) implements Verb {
    /** Small images have no bash. */
    public static final List<String> SHELL =
            List.of(
                    "sh",
                    "-c",
                    "if command -v bash >/dev/null 2>&1; then exec bash; else exec sh; fi");

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
        return new RemoteCommand(session)
                .run(job.job().id(), task, surroundings.around(job, SHELL));
    }
}
