package fairlead.cli.verb;

import fairlead.api.client.Refused;
import fairlead.api.people.PersonBody;
import fairlead.cli.Arguments;
import fairlead.cli.Example;
import fairlead.cli.ExitCode;
import fairlead.cli.Failure;
import fairlead.cli.Option;
import fairlead.cli.Session;
import fairlead.cli.Table;
import fairlead.cli.Usage;
import fairlead.cli.UsageException;
import fairlead.cli.Verb;
import fairlead.cli.server.RunaiFile;

import java.io.IOException;
import java.util.List;

/**
 * Says as whom the server knows the caller.
 *
 * @param isRunai with the project that Run:ai's verbs use
 */
public record WhoAmI(boolean isRunai) implements Verb {
    @Override
    public Usage usage() {
        String name = isRunai ? "runai whoami" : "whoami";
        return Usage.reads(
                List.of(name),
                "",
                0,
                "show as whom which server knows you",
                List.of(),
                List.of(Example.of("fairlead " + name, "your name, server and project")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        var answer = session.client().me();
        if (arguments.has(Option.JSON)) {
            session.json(answer);
            return ExitCode.OK;
        }
        PersonBody me = answer.value();
        String set = isRunai ? RunaiFile.of(session).project() : null;
        session.out()
                .print(
                        new Table()
                                .row("User", me.name())
                                .row("Server", session.endpoint().toString())
                                .row("Project", set == null ? me.project() : set)
                                .row("Admin", me.admin() ? "yes" : "no")
                                .text());
        return ExitCode.OK;
    }
}
