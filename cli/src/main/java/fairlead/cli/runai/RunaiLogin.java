package fairlead.cli.runai;

import fairlead.api.client.Refused;
import fairlead.cli.admin.LogIn;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.util.List;

/** Says as whom the server knows the caller; with a server's address it is {@code login}. */
final class RunaiLogin implements Verb {
    @Override
    public Usage usage() {
        return new Usage(
                List.of("runai login"),
                "[URL]",
                1,
                false,
                "log in to another server, or check that you are logged in",
                "There is no web page to log in by: with URL and --token-stdin this is 'fairlead"
                        + " login'.",
                new LogIn().usage().options(),
                List.of(Example.of("fairlead runai login", "your name and your server")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        if (!arguments.operands().isEmpty()) return new LogIn().run(arguments, session);
        String name = session.client().me().value().name();
        String where = session.endpoint() + " as " + name;
        session.out()
                .line(
                        session.isPersonal()
                                ? "No login is needed: you use your own server " + where
                                : "Logged in to " + where);
        return ExitCode.OK;
    }
}
