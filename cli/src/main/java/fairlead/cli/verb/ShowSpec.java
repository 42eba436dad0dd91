package fairlead.cli.verb;

import fairlead.api.client.Refused;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.spec.SpecYaml;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.util.List;

/** Prints a job's spec as a job file. */
public final class ShowSpec implements Verb {
    @Override
    public Usage usage() {
        return Usage.reads(
                List.of("spec"),
                "JOB",
                1,
                "print a job's spec as a job file",
                List.of(),
                List.of(
                        Example.of("fairlead spec " + Example.JOB, "all of it, defaults filled in"),
                        Example.of(
                                "fairlead spec " + Example.JOB + " | fairlead submit -f -",
                                "submit the same again")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        var answer = session.client().spec(arguments.some("job").getFirst());
        if (arguments.has(Option.JSON)) session.json(answer);
        else session.out().print(SpecYaml.of(answer.value()));
        return ExitCode.OK;
    }
}
