package fairlead.cli.admin;

import fairlead.api.Release;
import fairlead.api.client.Refused;
import fairlead.api.client.Unreachable;
import fairlead.api.clusters.ServerBody;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.server.OtherVersion;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.util.List;

/** Says which fairlead this is, and which one the server is, where one runs. */
public final class Version implements Verb {
    @Override
    public Usage usage() {
        return Usage.reads(
                List.of("version"),
                "",
                0,
                "show the versions of this command and of the server, and how to upgrade",
                List.of(),
                List.of(Example.of("fairlead version", "both versions, if a server runs")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        String own = Release.VERSION;
        String java = Runtime.version().toString();
        ServerBody server = server(session);
        if (arguments.has(Option.JSON)) {
            String value = server == null ? "null" : "\"" + server.version() + "\"";
            session.out()
                    .line(
                            "{\"version\":\""
                                    + own
                                    + "\",\"java\":\""
                                    + java
                                    + "\",\"server\":"
                                    + value
                                    + "}");
            return ExitCode.OK;
        }
        session.out().line("fairlead " + own + " (Java " + java + ")");
        if (server == null) session.out().line("no server is running");
        else session.out().line("server " + server.version() + Server.clusters(server));
        if (server != null) {
            var other = OtherVersion.words(server.version());
            if (other.isPresent()) session.out().line(other.get());
        }
        session.out().line("to upgrade: " + OtherVersion.upgrade());
        return ExitCode.OK;
    }

    private static ServerBody server(Session session)
            throws UsageException, Failure, Refused, IOException {
        try (var client = session.another()) {
            return client.server().value();
        } catch (Unreachable _) {
            // Not an error: this verb starts no server.
            return null;
        }
    }
}
