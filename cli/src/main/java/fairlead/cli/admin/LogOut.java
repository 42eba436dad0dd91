package fairlead.cli.admin;

import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.util.List;

/** Forgets another server, so that commands use the user's own again. */
public final class LogOut implements Verb {
    @Override
    public Usage usage() {
        return Usage.acts(
                List.of("logout"),
                "",
                0,
                "use your own server again",
                List.of(),
                List.of(Example.of("fairlead logout", "forgets the other server's token")));
    }

    @Override
    public int run(Arguments arguments, Session session) throws UsageException, IOException {
        boolean was = session.loginFile().delete();
        session.out().line(was ? "logged out" : "not logged in");
        return ExitCode.OK;
    }
}
