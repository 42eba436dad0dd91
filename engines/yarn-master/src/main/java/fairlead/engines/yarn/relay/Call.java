package fairlead.engines.yarn.relay;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;

/**
 * A connection with a master or a keeper, on which one thing was asked. The caller has shown that
 * it knows the application's secret, which itself never travels.
 */
public final class Call implements Closeable {
    private static final int CONNECT_MILLIS_MAX = 5_000;

    /** For the few bytes with which a call begins. */
    static final int GREETING_MILLIS_MAX = 10_000;

    private static final int BUFFER_BYTES = 32 << 10;

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;

    Call(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        // A machine that vanishes is noticed in the end.
        socket.setKeepAlive(true);
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        this.out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
    }

    /** A plain connection to somebody who knows nothing of calls. */
    public static Call of(Socket socket) throws IOException {
        return new Call(socket);
    }

    /**
     * Asks for something.
     *
     * @throws RefusedException when the other side answers, and says why not
     */
    public static Call open(String host, int port, String secret, String... words)
            throws IOException {
        var socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(host, port), CONNECT_MILLIS_MAX);
            socket.setSoTimeout(GREETING_MILLIS_MAX);
            var call = new Call(socket);
            byte[] question = call.in.readNBytes(Secret.BYTES);
            call.out.write(Secret.answer(secret, question));
            Fields.write(call.out, List.of(words));
            call.out.flush();
            String problem = Fields.text(call.in);
            if (!problem.isEmpty()) throw new RefusedException(problem);
            socket.setSoTimeout(0);
            return call;
        } catch (IOException | RuntimeException problem) {
            socket.close();
            throw problem;
        }
    }

    public DataInputStream in() {
        return in;
    }

    public DataOutputStream out() {
        return out;
    }

    /** A read that takes longer fails. */
    public void within(int millis) throws IOException {
        socket.setSoTimeout(millis);
    }

    /** The other side reads the end of what was written; its answer still comes. */
    public void endOutput() throws IOException {
        out.flush();
        socket.shutdownOutput();
    }

    /** Tells the caller that what it asked for comes now; whoever is asked says it once. */
    public void accept() throws IOException {
        Fields.write(out, "");
        out.flush();
    }

    /**
     * Passes everything on between this call and another, each direction until its own end, and
     * returns when both have ended.
     */
    public void join(Call other) throws InterruptedException {
        var back = new Thread(() -> pass(other, this), "relay back");
        back.setDaemon(true);
        back.start();
        pass(this, other);
        back.join();
    }

    private static void pass(Call from, Call to) {
        var buffer = new byte[BUFFER_BYTES];
        try {
            int length = from.in.read(buffer);
            while (length >= 0) {
                to.out.write(buffer, 0, length);
                if (from.in.available() == 0) to.out.flush();
                length = from.in.read(buffer);
            }
            to.endOutput();
        } catch (IOException broken) {
            // A side that breaks off takes the other along.
            from.close();
            to.close();
        }
    }

    void refuse(String why) throws IOException {
        Fields.write(out, why.isEmpty() ? "refused" : why);
        out.flush();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException ignored) {
            // It is gone in any case.
        }
    }
}
