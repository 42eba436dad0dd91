package fairlead.cli.admin;

import fairlead.api.client.Client;
import fairlead.api.client.Endpoint;
import fairlead.api.client.Fingerprint;
import fairlead.api.client.Untrusted;
import fairlead.cli.line.Session;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;

import java.io.Console;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;

/** Decides whether a server's certificate is trusted, before anything secret is sent there. */
final class Trust {
    private Trust() {}

    /**
     * The fingerprint that the server has to have from now on; null where this machine trusts its
     * certificate, or where it has none.
     *
     * @param said by the user
     */
    static String of(URI server, Optional<String> said, Session session)
            throws UsageException, Failure, IOException {
        var endpoint = new Endpoint(server, null);
        if (!endpoint.tls()) {
            if (said.isEmpty()) return null;
            throw new UsageException("only https servers have a fingerprint");
        }
        try {
            if (said.isPresent()) return Fingerprint.parse(said.get());
        } catch (IllegalArgumentException wrong) {
            throw new UsageException(wrong.getMessage());
        }
        try (var client = new Client(() -> endpoint)) {
            client.open();
            return null;
        } catch (Untrusted _) {
            return accepted(Fingerprint.shownAt(endpoint), session);
        }
    }

    private static String accepted(String shown, Session session) throws Failure {
        String words = "nobody whom this machine trusts vouches for the certificate\n  " + shown;
        Console console = System.console();
        boolean canAsk =
                session.terminal().inIsTerminal() && console != null && console.isTerminal();
        if (!canAsk)
            throw new Failure(
                    ExitCode.REFUSED,
                    words + "\nif it is the server's, say --fingerprint " + shown);
        String answer =
                console.readLine(
                        "%s%nIs it the one that the server's admins have told you? (yes/no) ",
                        words);
        if (answer != null && answer.strip().equals("yes")) return shown;
        throw new Failure(ExitCode.REFUSED, "the certificate was not accepted");
    }
}
