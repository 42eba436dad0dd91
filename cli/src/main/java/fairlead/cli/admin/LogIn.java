package fairlead.cli.admin;

import fairlead.api.client.Client;
import fairlead.api.client.Endpoint;
import fairlead.api.client.Login;
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
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Lets all later commands use another server. */
public final class LogIn implements Verb {
    private static final Option TOKEN_STDIN =
            Option.flag("--token-stdin", null, "read the token from the standard input");

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
                "The token is the one that 'fairlead user create' printed there. It is kept in"
                        + " login.json in\n"
                        + "the home ('fairlead config' shows where), which only you can read."
                        + " FAIRLEAD_SERVER goes\n"
                        + "before it.",
                List.of(TOKEN_STDIN),
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
        if (!arguments.has(TOKEN_STDIN)) {
            throw new UsageException(
                    "the token is read from the standard input; say so with --token-stdin");
        }
        URI server = server(url);
        var login = new Login(url, token());
        var endpoint = new Endpoint(server, login.token());
        try (var client = new Client(() -> endpoint)) {
            PersonBody me = client.me().value();
            session.loginFile().write(login);
            session.out().line("logged in to " + server + " as " + me.name());
        }
        return ExitCode.OK;
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
