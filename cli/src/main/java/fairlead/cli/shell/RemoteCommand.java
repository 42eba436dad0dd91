package fairlead.cli.shell;

import fairlead.api.AttachBody;
import fairlead.api.ExecBody;
import fairlead.api.client.ExecChannel;
import fairlead.api.client.Frame;
import fairlead.api.client.Refused;
import fairlead.api.client.Unreachable;
import fairlead.cli.line.Session;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.Terminal;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * A command or a task elsewhere with the streams of this one. What is typed here is read there. At
 * a terminal a command gets it key by key, so that Ctrl-C is its to answer; a task gets lines, and
 * Ctrl-C ends only this end of it.
 */
public final class RemoteCommand {
    private static final String USUAL_TERMINAL = "xterm";

    private final Session session;
    private final Terminal terminal;

    /** What the server has to say; printed when the terminal is again as it was. */
    private String words = "";

    public RemoteCommand(Session session) {
        this.session = session;
        this.terminal = session.terminal();
    }

    /** Returns the exit code of the command. */
    public int run(String id, String task, List<String> command)
            throws UsageException, Failure, Refused, IOException {
        boolean isTyped = terminal.inIsTerminal() && terminal.outIsTerminal();
        if (isTyped && !RawTerminal.isPossible())
            session.say("this terminal gives whole lines only: what you type is sent at Enter");
        int code =
                isTyped && RawTerminal.isPossible()
                        ? onTerminal(id, task, command)
                        : onStreams(id, task, command);
        if (!words.isEmpty()) session.say(words);
        return code;
    }

    /** Returns the exit code of the task, once it ends. */
    public int attach(String id, String task) throws UsageException, Failure, Refused, IOException {
        try (var channel = session.client().attach(id, new AttachBody(task))) {
            session.say(
                    "attached to "
                            + id
                            + (channel.readsInput() ? "" : ", which reads nothing from here")
                            + "; Ctrl-C detaches, and the task goes on");
            return converse(channel);
        }
    }

    private int onStreams(String id, String task, List<String> command)
            throws UsageException, Failure, Refused, IOException {
        var body = new ExecBody(command, task, null, null, null);
        try (var channel = session.client().exec(id, body)) {
            return converse(channel);
        }
    }

    private int onTerminal(String id, String task, List<String> command)
            throws UsageException, Failure, Refused, IOException {
        String kind = terminal.environment().getOrDefault("TERM", "");
        var raw = new RawTerminal();
        RawTerminal.Size size = raw.size();
        var body =
                new ExecBody(
                        command,
                        task,
                        kind.isEmpty() ? USUAL_TERMINAL : kind,
                        size.rows(),
                        size.columns());
        try (var channel = session.client().exec(id, body)) {
            var upstream = new Upstream(channel);
            raw.begin(changed -> upstream.send(Frame.resize(changed.rows(), changed.columns())));
            return converse(channel);
        } finally {
            raw.close();
        }
    }

    private int converse(ExecChannel channel) throws Failure, IOException {
        var upstream = new Upstream(channel);
        if (channel.readsInput())
            Thread.ofPlatform().daemon().name("input").start(() -> input(upstream));
        upstream.startBeating();
        for (Optional<Frame> next = channel.next(); next.isPresent(); next = channel.next()) {
            Frame frame = next.get();
            switch (frame.kind()) {
                case OUTPUT -> {
                    session.out().write(frame.payload(), 0, frame.payload().length);
                    session.out().flush();
                }
                case ERRORS -> terminal.err().write(frame.payload());
                case FAILURE -> words = frame.text();
                case EXIT -> {
                    return frame.number(0);
                }
                case INPUT, RESIZE, BEAT -> {
                    // The first two do not come this way; a beat has done its work by coming.
                }
            }
        }
        if (!words.isEmpty()) throw new Failure(ExitCode.REFUSED, words);
        throw new Unreachable("the connection to the command broke off");
    }

    private void input(Upstream upstream) {
        try {
            upstream.copy(terminal.in());
        } catch (IOException _) {
            // What cannot be read here has ended, for the command there.
            upstream.end();
        }
    }
}
