package fairlead.cli.admin;

import fairlead.api.client.Client;
import fairlead.api.client.Endpoint;
import fairlead.api.client.Login;
import fairlead.api.client.Refused;
import fairlead.api.people.LoginRequest;
import fairlead.api.people.PersonBody;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Lets all later commands use another server. */
public final class LogIn implements Verb {
    private static final Option TOKEN_STDIN =
            Option.flag("--token-stdin", null, "read the token from the standard input");

    private static final Option USER =
            Option.valued("--user", null, "NAME", "log in with the password of this user");
    private static final Option PASSWORD_STDIN =
            Option.flag("--password-stdin", null, "read the password from the standard input");
    private static final Option FINGERPRINT =
            Option.valued(
                    "--fingerprint", null, "SHA256", "trust the certificate with this fingerprint");

    /** How the tokens of logins begin in the list of their holder's. */
    private static final String TOKEN_NAME = "login-";

    /** No token is longer; what comes through the pipe may be anything. */
    private static final int TOKEN_BYTES_MAX = 4_096;

    @Override
    public Usage usage() {
        return new Usage(
                List.of("login"),
                "URL",
                1,
                false,
                "use another server from now on",
                "With --user it asks for the password and gets a token for 90 days.\n"
                    + "The token of --token-stdin is the one that 'fairlead user create' printed"
                    + " there. It is kept in login.json in\n"
                    + "the home ('fairlead config' shows where), which only you can read."
                    + " FAIRLEAD_SERVER overrides\n"
                    + "it. A certificate that this machine does not trust is shown by its"
                    + " fingerprint;\n"
                    + "once accepted, it alone is trusted there. 'fairlead server status' shows it"
                    + " on the server.",
                List.of(USER, PASSWORD_STDIN, TOKEN_STDIN, FINGERPRINT),
                List.of(
                        new Example(
                                "echo $TOKEN | fairlead login http://127.0.0.1:7 --token-stdin",
                                "check the token there, and keep it",
                                ExitCode.USAGE)));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        String url = arguments.some("server").getFirst();
        boolean byPassword = arguments.has(USER);
        if (byPassword == arguments.has(TOKEN_STDIN)) {
            throw new UsageException(
                    "say --user NAME to log in with a password, or --token-stdin for a token,"
                            + " which is read from the standard input");
        }
        if (arguments.has(PASSWORD_STDIN) && !byPassword)
            throw new UsageException("whose password? Say --user NAME.");
        URI server = server(url);
        String fingerprint = Trust.of(server, arguments.text(FINGERPRINT), session);
        String token = byPassword ? bought(server, fingerprint, arguments, session) : token();
        var login = new Login(url, token, fingerprint);
        try (var client = new Client(login::endpoint)) {
            PersonBody me = client.me().value();
            session.loginFile().write(login);
            session.out().line("logged in to " + server + " as " + me.name());
        }
        return ExitCode.OK;
    }

    /** A token for a password. */
    private static String bought(
            URI server, String fingerprint, Arguments arguments, Session session)
            throws UsageException, Refused, IOException {
        String name = arguments.text(USER).orElseThrow();
        String password =
                arguments.has(PASSWORD_STDIN)
                        ? NewPassword.piped()
                        : NewPassword.known(name, session);
        var endpoint = new Endpoint(server, null, fingerprint);
        try (var client = new Client(() -> endpoint)) {
            return client.team()
                    .logIn(
                            new LoginRequest(
                                    name, password, TOKEN_NAME + System.currentTimeMillis()))
                    .value()
                    .token();
        }
    }

    private static URI server(String url) throws UsageException {
        try {
            return new Endpoint(URI.create(url), null).url();
        } catch (IllegalArgumentException e) {
            throw new UsageException(e.getMessage());
        }
    }

    private static String token() throws IOException, UsageException {
        byte[] input = System.in.readNBytes(TOKEN_BYTES_MAX);
        String token = new String(input, StandardCharsets.UTF_8).strip();
        if (token.isEmpty()) throw new UsageException("the standard input holds no token");
        if (!token.matches("[\\x21-\\x7e]+")) {
            throw new UsageException("the standard input is not a token");
        }
        return token;
    }
}
