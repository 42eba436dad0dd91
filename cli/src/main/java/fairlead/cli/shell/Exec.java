package fairlead.cli.shell;

import fairlead.api.JobDetail;
import fairlead.api.client.Refused;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.util.List;

/** Runs a command in the surroundings of a running task, as if it were a local one. */
public record Exec(Surroundings surroundings) implements Verb {
    public static final Option TASK =
            Option.valued("--task", null, "ROLE/INDEX", "which task; by default the first");

    @Override
    public Usage usage() {
        return new Usage(
                List.of("exec"),
                "JOB -- COMMAND...",
                Usage.MANY,
                false,
                "run a command inside a running job",
                """
                The command has the account, folder, variables, GPUs and mounts of the task, and ends
                with it at the latest; in a job of ACT the folder is that of the code. Its exit code is
                this command's. It gets a terminal when both the input and the output here are one.\
                """,
                List.of(TASK),
                List.of(
                        Example.refusedWhenEnded(
                                "fairlead exec " + Example.JOB + " -- nvidia-smi",
                                "what the job's GPUs do"),
                        Example.refusedWhenEnded(
                                "fairlead exec --task main/0 "
                                        + Example.JOB
                                        + " -- sh -c 'ls | wc -l'",
                                "by a shell, in the folder of that task")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        List<String> words = arguments.some("job");
        if (words.size() == 1)
            throw new UsageException(
                    "which command? Write it after '--': fairlead exec "
                            + words.getFirst()
                            + " -- ls");
        JobDetail job = session.client().job(words.getFirst()).value();
        List<String> command = surroundings.around(job, words.subList(1, words.size()));
        return new RemoteCommand(session)
                .run(job.job().id(), arguments.text(TASK).orElse(null), command);
    }
}
