package fairlead.cli.shell;

import fairlead.api.client.ExecChannel;
import fairlead.api.client.Frame;

import java.io.IOException;
import java.net.Socket;
import java.util.Optional;

/** One connection of a program here to a port of a task. Each direction ends by itself. */
final class Forwarded {
    private final Socket local;
    private final ExecChannel channel;

    /** The program here has gone, so nothing that follows is anybody's trouble. */
    private volatile boolean left;

    Forwarded(Socket local, ExecChannel channel) {
        this.local = local;
        this.channel = channel;
    }

    /** Returns when both directions have ended; with words when that was not by themselves. */
    Optional<String> run() throws IOException {
        local.setTcpNoDelay(true);
        var upstream = new Upstream(channel);
        upstream.startBeating();
        Thread.ofVirtual().start(() -> send(upstream));
        try {
            return receive();
        } catch (IOException problem) {
            if (left) return Optional.empty();
            throw problem;
        }
    }

    private void send(Upstream upstream) {
        try {
            upstream.copy(local.getInputStream());
        } catch (IOException _) {
            leave();
        }
    }

    private void leave() {
        left = true;
        channel.close();
    }

    private Optional<String> receive() throws IOException {
        Optional<String> words = Optional.empty();
        for (var next = channel.next(); next.isPresent(); next = channel.next()) {
            Frame frame = next.get();
            switch (frame.kind()) {
                case OUTPUT -> pass(frame.payload());
                // A port has no errors of its own: it is the cluster that says why.
                case ERRORS, FAILURE -> words = Optional.of(frame.text().strip());
                case EXIT -> {
                    return words;
                }
                case INPUT, RESIZE, BEAT -> {
                    // The first two do not come this way; a beat has done its work by coming.
                }
            }
        }
        return words.isPresent() || left ? words : Optional.of("the server has hung up");
    }

    private void pass(byte[] bytes) {
        try {
            if (bytes.length == 0) local.shutdownOutput();
            else local.getOutputStream().write(bytes);
        } catch (IOException _) {
            leave();
        }
    }
}
