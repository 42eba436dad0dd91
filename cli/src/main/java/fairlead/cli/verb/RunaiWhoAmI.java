package fairlead.cli.verb;

import fairlead.api.Refused;
import fairlead.cli.Arguments;
import fairlead.cli.Example;
import fairlead.cli.ExitCode;
import fairlead.cli.Failure;
import fairlead.cli.Option;
import fairlead.cli.Session;
import fairlead.cli.Usage;
import fairlead.cli.UsageException;
import fairlead.cli.Verb;

import java.io.IOException;
import java.util.List;

/** Says as whom the server knows the caller, with the project that Run:ai's verbs use. */
final class RunaiWhoAmI implements Verb {
    @Override
    public Usage usage() {
        return Usage.reads(
                List.of("runai whoami"),
                "",
                0,
                "show as whom which server knows you",
                List.of(),
                List.of(Example.of("fairlead runai whoami", "your name, server and project")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        var answer = session.client().me();
        if (arguments.has(Option.JSON)) {
            session.json(answer);
            return ExitCode.OK;
        }
        String set = RunaiFile.of(session).project();
        WhoAmI.show(answer.value(), set == null ? answer.value().project() : set, session);
        return ExitCode.OK;
    }
}
