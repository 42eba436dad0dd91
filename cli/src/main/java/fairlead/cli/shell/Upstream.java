package fairlead.cli.shell;

import fairlead.api.client.ExecChannel;
import fairlead.api.client.Frame;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;

/** The way from here to the server: what is read here, and signs of life. Any thread. */
record Upstream(ExecChannel channel) {
    /** Less than what a server takes for the silence of somebody who has gone. */
    private static final Duration BEAT = Duration.ofSeconds(10);

    private static final int BLOCK_BYTES = 32 * 1024;

    /** False when the server is gone, which the reader of its frames will report. */
    boolean send(Frame frame) {
        try {
            channel.send(frame);
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    /** Sends a stream to its end. */
    void copy(InputStream in) throws IOException {
        byte[] block = new byte[BLOCK_BYTES];
        for (int n = in.read(block); n > 0; n = in.read(block)) {
            if (!send(new Frame(Frame.Kind.INPUT, Arrays.copyOf(block, n)))) return;
        }
        end();
    }

    /** There is no more to read. */
    void end() {
        send(new Frame(Frame.Kind.INPUT, new byte[0]));
    }

    /** Beats until the channel is closed. */
    void startBeating() {
        Thread.ofPlatform().daemon().name("beat").start(this::beat);
    }

    private void beat() {
        try {
            do {
                Thread.sleep(BEAT);
            } while (send(Frame.beat()));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
