package fairlead.cli.runai;

import fairlead.api.JobBody;
import fairlead.api.client.Refused;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.shell.Bash;
import fairlead.cli.shell.RemoteCommand;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.util.List;

/** {@code bash} and {@code exec}: a command inside a running job. */
record RunaiShell(String verb, String operands) implements Verb {
    /** Input always passes, and a terminal where both ends are one: these two change nothing. */
    private static final Option STDIN =
            Option.flag("--stdin", "-i", "pass the input on; it always is");

    private static final Option TTY =
            Option.flag("--tty", "-t", "on a terminal, as by default where this is one");

    @Override
    public Usage usage() {
        return new Usage(
                List.of("runai " + verb),
                operands,
                Usage.MANY,
                verb.equals("exec"),
                1,
                verb.equals("bash")
                        ? "open a shell inside a running job"
                        : "run a command inside a running job",
                "",
                List.of(Runai.PROJECT, RunaiJobs.POD, STDIN, TTY),
                List.of(
                        new Example(
                                "fairlead runai " + verb + " " + Example.JOB + " date",
                                "refused for a job that has ended",
                                Runai.REFUSED)));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        List<String> command = command(arguments);
        JobBody job = RunaiJobs.running("a command cannot run in", arguments, session);
        String task = RunaiJobs.task(job, arguments, session);
        return new RemoteCommand(session).run(job.id(), task, command);
    }

    private List<String> command(Arguments arguments) throws UsageException {
        if (verb.equals("bash")) return Bash.SHELL;
        List<String> words = arguments.some("job");
        List<String> command = words.subList(1, words.size());
        if (!command.isEmpty() && command.getFirst().equals("--")) {
            command = command.subList(1, command.size());
        }
        if (command.isEmpty()) throw new UsageException("no command given: runai exec NAME ls -l");
        return command;
    }
}
