package fairlead.cli.verb;

import fairlead.api.JobBody;
import fairlead.api.Refused;
import fairlead.cli.Arguments;
import fairlead.cli.Example;
import fairlead.cli.Failure;
import fairlead.cli.Session;
import fairlead.cli.Usage;
import fairlead.cli.UsageException;
import fairlead.cli.Verb;

import java.io.IOException;
import java.util.List;

/** {@code bash} and {@code exec}, which this server cannot do for any job; says so. */
record RunaiShell(String verb, String operands) implements Verb {
    @Override
    public Usage usage() {
        return new Usage(
                List.of("runai " + verb),
                operands,
                Usage.MANY,
                verb.equals("exec"),
                "refused: no command can be started inside a running job yet",
                "",
                List.of(Runai.PROJECT),
                List.of(
                        new Example(
                                "fairlead runai " + verb + " " + Example.JOB + " date",
                                "refused for every job",
                                Runai.REFUSED)));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        JobBody job = RunaiJobs.one(arguments.some("job").getFirst(), arguments, session);
        if (!job.state().equals("running")) {
            throw new Failure(
                    Runai.REFUSED,
                    "a command cannot run in a pod that is not running; the job '"
                            + job.name()
                            + "' is "
                            + job.state());
        }
        throw new Failure(
                Runai.REFUSED,
                "'runai "
                        + verb
                        + "' is not possible: no command can be started inside a running job yet;"
                        + " 'runai logs -f "
                        + job.name()
                        + "' shows what it writes");
    }
}
