package fairlead.cli.verb;

import fairlead.api.ExecBody;
import fairlead.api.ExecChannel;
import fairlead.api.Frame;
import fairlead.api.Refused;
import fairlead.api.Unreachable;
import fairlead.cli.ExitCode;
import fairlead.cli.Failure;
import fairlead.cli.Session;
import fairlead.cli.Terminal;
import fairlead.cli.UsageException;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A command elsewhere with the streams of this one. What is typed here is read there, key by key
 * where this is a terminal, so that Ctrl-C is the other one's to answer.
 */
final class RemoteCommand {
    /** Less than what a server takes for the silence of somebody who has gone. */
    private static final Duration BEAT = Duration.ofSeconds(10);

    private static final int BLOCK_BYTES = 32 * 1024;
    private static final String USUAL_TERMINAL = "xterm";

    private final Session session;
    private final Terminal terminal;

    /** What the server has to say; told when the terminal is again as it was. */
    private String words = "";

    RemoteCommand(Session session) {
        this.session = session;
        this.terminal = session.terminal();
    }

    /** Returns the exit code of the command. */
    int run(String id, String task, List<String> command)
            throws UsageException, Failure, Refused, IOException {
        int code =
                terminal.inIsTerminal() && terminal.outIsTerminal()
                        ? onTerminal(id, task, command)
                        : onStreams(id, task, command);
        if (!words.isEmpty()) session.say(words);
        return code;
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
            raw.begin(changed -> send(channel, Frame.resize(changed.rows(), changed.columns())));
            return converse(channel);
        } finally {
            raw.close();
        }
    }

    private int converse(ExecChannel channel) throws Failure, IOException {
        Thread.ofPlatform().daemon().name("input").start(() -> input(channel));
        Thread.ofPlatform().daemon().name("beat").start(() -> beat(channel));
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

    private void input(ExecChannel channel) {
        byte[] block = new byte[BLOCK_BYTES];
        try {
            for (int n = terminal.in().read(block); n > 0; n = terminal.in().read(block)) {
                if (!send(channel, new Frame(Frame.Kind.INPUT, Arrays.copyOf(block, n)))) return;
            }
        } catch (IOException _) {
            // What cannot be read here has ended, for the command there.
        }
        send(channel, new Frame(Frame.Kind.INPUT, new byte[0]));
    }

    private static void beat(ExecChannel channel) {
        try {
            do {
                Thread.sleep(BEAT);
            } while (send(channel, Frame.beat()));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** False when the server is gone, of which the reader of its frames will tell. */
    private static boolean send(ExecChannel channel, Frame frame) {
        try {
            channel.send(frame);
            return true;
        } catch (IOException _) {
            return false;
        }
    }
}
