package fairlead.cli.verb;

import fairlead.cli.Arguments;
import fairlead.cli.Example;
import fairlead.cli.ExitCode;
import fairlead.cli.Session;
import fairlead.cli.Usage;
import fairlead.cli.UsageException;
import fairlead.cli.Verb;

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
