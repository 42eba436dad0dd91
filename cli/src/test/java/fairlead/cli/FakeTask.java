package fairlead.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.api.ErrorBody;
import fairlead.api.ErrorCode;
import fairlead.api.ExecAnswer;
import fairlead.api.JobDetail;
import fairlead.api.client.Frame;

import io.avaje.jsonb.Jsonb;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A server with one job, which people attach to and whose ports they reach: it greets, echoes what
 * it is sent, and ends at the end of its input. It speaks frames on connections of its own, which
 * the JDK's server cannot.
 */
final class FakeTask implements AutoCloseable {
    private static final Jsonb JSON = Jsonb.builder().build();

    private final ServerSocket listener = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());

    /** The one job that there is, whatever it is asked by. */
    final FakeJob job;

    /** The bodies of the calls that began a session, as they came. */
    final List<String> asked = new CopyOnWriteArrayList<>();

    /** What it was sent, in all sessions together. */
    final StringBuffer heard = new StringBuffer();

    /** Refuses sessions from now on with these words; null ends that. */
    volatile String refusal;

    volatile boolean readsInput = true;

    /** What the cluster says instead of carrying a connection; null: it carries it. */
    volatile String trouble;

    /** Says all that it has to say at once, and then only listens. */
    volatile boolean listensAfterTheEnd;

    FakeTask(FakeJob job) throws IOException {
        this.job = job;
        Thread.ofVirtual().start(this::accept);
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort());
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listener.accept();
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException _) {
            // Closed.
            return;
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            var in = new BufferedInputStream(socket.getInputStream());
            String request = line(in);
            int length = 0;
            for (String header = line(in); !header.isEmpty(); header = line(in)) {
                if (header.startsWith("Content-Length: "))
                    length = Integer.parseInt(header.substring("Content-Length: ".length()));
            }
            answer(request, new String(in.readNBytes(length), UTF_8), in, socket.getOutputStream());
        } catch (IOException _) {
            // The command has gone away.
            return;
        }
    }

    private static String line(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) throw new EOFException();
            if (c != '\r') line.append((char) c);
        }
        return line.toString();
    }

    private void answer(String request, String body, InputStream in, OutputStream out)
            throws IOException {
        if (request.startsWith("GET /v1/exec/session ")) {
            String head = "HTTP/1.1 101 Switching Protocols\r\n";
            out.write(
                    (head + "Upgrade: fairlead-exec\r\nConnection: Upgrade\r\n\r\n")
                            .getBytes(UTF_8));
            converse(in, out);
        } else if (request.startsWith("GET /v1/jobs/")) {
            send(out, 200, JSON.type(JobDetail.class).toJsonBytes(job.detail()));
        } else if (refusal != null) {
            var error = new ErrorBody(ErrorCode.CONFLICT.word(), refusal, null, null);
            send(out, 409, JSON.type(ErrorBody.class).toJsonBytes(error));
        } else {
            asked.add(body);
            var begun = new ExecAnswer("session", readsInput);
            send(out, 201, JSON.type(ExecAnswer.class).toJsonBytes(begun));
        }
    }

    private static void send(OutputStream out, int status, byte[] json) throws IOException {
        String head = "HTTP/1.1 " + status + " x\r\nConnection: close\r\nContent-Length: ";
        out.write((head + json.length + "\r\n\r\n").getBytes(UTF_8));
        out.write(json);
    }

    private void converse(InputStream in, OutputStream out) throws IOException {
        if (trouble != null) {
            out.write(new Frame(Frame.Kind.ERRORS, (trouble + "\n").getBytes(UTF_8)).bytes());
            out.write(Frame.exit(0).bytes());
            return;
        }
        write(out, "hello\n");
        if (listensAfterTheEnd) write(out, "");
        if (!readsInput) {
            out.write(Frame.exit(7).bytes());
            return;
        }
        for (Frame frame = Frame.read(in); ; frame = Frame.read(in)) {
            if (frame.kind() != Frame.Kind.INPUT) continue;
            if (frame.payload().length == 0) break;
            heard.append(frame.text());
            if (!listensAfterTheEnd) write(out, frame.text());
        }
        if (!listensAfterTheEnd) write(out, "");
        out.write(Frame.exit(7).bytes());
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(new Frame(Frame.Kind.OUTPUT, text.getBytes(UTF_8)).bytes());
    }
}
