package fairlead.cli.admin;

import fairlead.api.client.Refused;
import fairlead.api.people.PersonBody;
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

/** Says as whom the server knows the caller. */
public final class WhoAmI implements Verb {
    @Override
    public Usage usage() {
        return usage("whoami");
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        return show(arguments, session, null);
    }

    public static Usage usage(String name) {
        return Usage.reads(
                List.of(name),
                "",
                0,
                "show your name, your server and your project",
                List.of(),
                List.of(Example.of("fairlead " + name, "your name, server and project")));
    }

    /**
     * @param project the one to use here; null for the server's choice
     */
    public static int show(Arguments arguments, Session session, String project)
            throws UsageException, Failure, Refused, IOException {
        var answer = session.client().me();
        if (arguments.has(Option.JSON)) {
            session.json(answer);
            return ExitCode.OK;
        }
        PersonBody me = answer.value();
        session.out()
                .print(
                        new Table()
                                .row("User", me.name())
                                .row("Server", session.endpoint().toString())
                                .row("Project", project == null ? me.project() : project)
                                .row("Admin", me.admin() ? "yes" : "no")
                                .text());
        return ExitCode.OK;
    }
}
