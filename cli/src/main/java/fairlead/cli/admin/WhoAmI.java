package fairlead.cli.admin;

import fairlead.api.client.Refused;
import fairlead.api.people.PersonBody;
import fairlead.cli.job.RunaiFile;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.Table;
import fairlead.cli.terminal.UsageException;

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
                "show your name, your server and your project",
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
