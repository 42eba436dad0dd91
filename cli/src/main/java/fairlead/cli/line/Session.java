package fairlead.cli.line;

import fairlead.api.client.Answer;
import fairlead.api.client.Client;
import fairlead.api.client.Endpoint;
import fairlead.api.client.Fingerprint;
import fairlead.api.client.Login;
import fairlead.api.client.Unreachable;
import fairlead.cli.server.LoginFile;
import fairlead.cli.server.OtherVersion;
import fairlead.cli.server.PersonalServer;
import fairlead.cli.server.Places;
import fairlead.cli.server.ServerProgram;
import fairlead.cli.server.Tool;
import fairlead.cli.server.TransferProgram;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.Output;
import fairlead.cli.terminal.Terminal;
import fairlead.cli.terminal.UsageException;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** One call of the command: its terminal, and the server that it talks to. */
public final class Session implements AutoCloseable {
    private final Terminal terminal;
    private final Output out;
    private final Output err;
    private final ServerProgram program;
    private final TransferProgram data;
    private Client client;

    /** Whether the cursor stands behind a status; guarded by err. */
    private boolean isStatusShown;

    /** Null until somebody asks. */
    private Optional<Login> login;

    public Session(Terminal terminal, ServerProgram program, TransferProgram data) {
        this.terminal = terminal;
        this.program = program;
        this.data = data;
        this.out = new Output(terminal.out());
        this.err = new Output(terminal.err());
    }

    public Terminal terminal() {
        return terminal;
    }

    public Output out() {
        return out;
    }

    public Instant now() {
        return terminal.clock().instant();
    }

    /**
     * Tells the user something that is not the answer; in the place of a status, if one is shown.
     */
    public void say(String message) {
        try {
            out.flush();
            synchronized (err) {
                status("");
                err.line("fairlead: " + message);
                err.flush();
            }
        } catch (Output.Closed _) {
            // Nobody listens; the exit code still speaks.
            return;
        }
    }

    /** Rings the terminal's bell. */
    public void bell() throws Output.Closed {
        err.print("\u0007");
        err.flush();
    }

    /**
     * A line that the next one replaces, for progress on a terminal; an empty one takes it away. It
     * must fit into a line, as only one is rewritten.
     */
    public void status(String message) throws Output.Closed {
        synchronized (err) {
            if (message.isEmpty() && !isStatusShown) return;
            err.print("\r\u001b[K" + (message.isEmpty() ? "" : "fairlead: " + message));
            err.flush();
            isStatusShown = !message.isEmpty();
        }
    }

    /** Ends a line of a terminal that somebody else has begun; a status goes away instead. */
    public void endLine() {
        if (!terminal.errIsTerminal()) return;
        try {
            synchronized (err) {
                if (isStatusShown) status("");
                else err.line("");
                err.flush();
            }
        } catch (Output.Closed _) {
            // Nobody watches.
            return;
        }
    }

    /** The body as it came, and a line feed where it has none. */
    public void json(Answer<?> answer) throws Output.Closed {
        json(answer.body());
    }

    public void json(byte[] body) throws Output.Closed {
        out.write(body, 0, body.length);
        if (body.length == 0 || body[body.length - 1] != '\n') out.line("");
    }

    /** The server named by the environment, or by a login; null for the user's own. */
    private Endpoint named() throws UsageException, Failure {
        String url = terminal.environment().getOrDefault("FAIRLEAD_SERVER", "");
        if (url.isEmpty()) return loggedIn();
        try {
            String token = terminal.environment().get("FAIRLEAD_TOKEN");
            return new Endpoint(URI.create(url), token, fingerprint());
        } catch (IllegalArgumentException e) {
            throw new UsageException("FAIRLEAD_SERVER is " + e.getMessage());
        }
    }

    private String fingerprint() throws UsageException {
        String text = terminal.environment().getOrDefault("FAIRLEAD_FINGERPRINT", "");
        try {
            return text.isEmpty() ? null : Fingerprint.parse(text);
        } catch (IllegalArgumentException e) {
            throw new UsageException("FAIRLEAD_FINGERPRINT: " + e.getMessage());
        }
    }

    private Endpoint loggedIn() throws UsageException, Failure {
        if (login == null) login = loginFile().read();
        return login.map(Login::endpoint).orElse(null);
    }

    /** Where the server of this session listens now. */
    public Endpoint endpoint() throws UsageException, Failure, Unreachable {
        Endpoint named = named();
        return named == null ? personal().locate() : named;
    }

    public LoginFile loginFile() throws UsageException {
        return LoginFile.in(personal().home());
    }

    public boolean isPersonal() throws UsageException, Failure {
        return named() == null;
    }

    /** Refuses what is only for a personal server when another one is named. */
    public void onlyPersonal(String what) throws UsageException, Failure {
        Endpoint named = named();
        if (named == null) return;
        boolean isLogin = terminal.environment().getOrDefault("FAIRLEAD_SERVER", "").isEmpty();
        throw new UsageException(
                "'"
                        + what
                        + "' is for a personal server, but "
                        + (isLogin
                                ? "you are logged in to " + named + " ('fairlead logout' ends that)"
                                : "FAIRLEAD_SERVER names another"));
    }

    public PersonalServer personal() throws UsageException {
        return new PersonalServer(places(), program);
    }

    public Places places() throws UsageException {
        return Places.of(terminal.environment(), terminal.folder());
    }

    /** The connected client; a personal server is started where none answers. */
    public Client client() throws UsageException, Failure, Unreachable {
        if (client != null) return client;
        Client candidate = another();
        try {
            candidate.open();
        } catch (Unreachable e) {
            if (!isPersonal()) throw e;
            personal().start(List.of(), false, this::say);
            candidate.open();
        }
        client = candidate;
        return client;
    }

    /** What there is to say of the server's release; empty where it is that of the command. */
    public Optional<String> otherVersion() {
        return client == null
                ? Optional.empty()
                : client.serverVersion().flatMap(OtherVersion::words);
    }

    /** Says it to people, once for each two releases. */
    public void tellOtherVersion() throws UsageException {
        var words = otherVersion();
        if (words.isEmpty() || !terminal.errIsTerminal()) return;
        String server = client.serverVersion().orElseThrow();
        if (OtherVersion.isFirstMeeting(places().home(), server)) say(words.get());
    }

    /** What a program of the server's prints; its errors go to the user. */
    public Printed toolPrints(String main, List<String> arguments) throws IOException, Failure {
        flush();
        var printed = new ByteArrayOutputStream();
        int code = new Tool(program, terminal).run(main, arguments, printed);
        return new Printed(code, printed.toString(StandardCharsets.UTF_8));
    }

    public record Printed(int code, String text) {}

    /** Hands work to a program of the server's, and returns its exit code. */
    public int tool(String main, List<String> arguments) throws IOException, Failure {
        flush();
        return new Tool(program, terminal).run(main, arguments, out);
    }

    /** Hands the terminal to the program that moves code and data, and returns its exit code. */
    public int data(List<String> arguments) throws IOException, Failure {
        flush();
        return data.run(arguments, terminal);
    }

    /** A client of the same server for another thread, or for a server that must not be started. */
    public Client another() throws UsageException, Failure {
        Endpoint named = named();
        return new Client(named == null ? personal() : () -> named);
    }

    public void flush() throws IOException {
        out.flush();
        err.flush();
    }

    @Override
    public void close() {
        if (client != null) client.close();
    }
}
