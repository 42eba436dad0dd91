package fairlead.engines.kubernetes;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * A plain HTTP/1.1 server on loopback that stands before the mock: it counts calls, lets ordered
 * faults happen, streams watches from the mock's history, serves what a real server has the kubelet
 * serve, and hands the rest on. A thread for each connection.
 */
public final class ApiFront implements Closeable {
    private static final Duration LOOK_FOR_THE_END = Duration.ofSeconds(1);
    private static final int PORT_TRIES_MAX = 100;
    private static final Duration ANSWER_PATIENCE = Duration.ofSeconds(120);

    /** For a minute: a connection of somebody else may end at any time. */
    private static final int BACK_TRIES_MAX = 600;

    private static final Duration BACK_PAUSE = Duration.ofMillis(100);

    private final MockApi api;
    private final int mockPort;
    private final PodStreams streams;
    private final HttpClient mock =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Tally tally = new Tally();
    private final Faults faults = new Faults();
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final Set<Socket> watches = ConcurrentHashMap.newKeySet();
    private final int port;
    private ServerSocket door;

    private ApiFront(MockApi api, int mockPort, PodStreams streams) throws IOException {
        this.api = api;
        this.mockPort = mockPort;
        this.streams = streams;
        this.port = listenSomewhere();
    }

    /**
     * Below the ports that the kernel gives to clients: one of them could take ours while we are
     * away, even by connecting to itself.
     */
    private int listenSomewhere() throws IOException {
        for (int i = 0; i < PORT_TRIES_MAX; i++) {
            int candidate = ThreadLocalRandom.current().nextInt(20_000, 32_000);
            try {
                listen(candidate);
                return candidate;
            } catch (BindException _) {
                // Someone else has it.
            }
        }
        throw new IOException("no free port after " + PORT_TRIES_MAX + " tries");
    }

    static ApiFront open(MockApi api, int mockPort, PodStreams streams) throws IOException {
        return new ApiFront(api, mockPort, streams);
    }

    public String url() {
        return "http://127.0.0.1:" + port;
    }

    public Tally tally() {
        return tally;
    }

    public Faults faults() {
        return faults;
    }

    /** The API server goes away: connections end, and new ones are refused. */
    public synchronized void away() {
        closeQuietly(door);
        connections.forEach(ApiFront::closeQuietly);
    }

    /** It is back where it was, once nobody else holds its port. */
    public synchronized void back() {
        for (int tries = 1; door.isClosed(); tries++) {
            try {
                listen(port);
            } catch (IOException e) {
                if (tries == BACK_TRIES_MAX)
                    throw new UncheckedIOException("the port of the API server is taken", e);
                LockSupport.parkNanos(BACK_PAUSE.toNanos());
            }
        }
    }

    /** Ends all watches, as a restart or a proxy does. */
    public void cutWatches() {
        watches.forEach(ApiFront::closeQuietly);
    }

    /** How many watches are open now. */
    public int openWatches() {
        return watches.size();
    }

    @Override
    public void close() {
        away();
        mock.close();
    }

    private void listen(int at) throws IOException {
        var opened = new ServerSocket();
        opened.setReuseAddress(true);
        try {
            opened.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), at), 1_000);
        } catch (IOException e) {
            opened.close();
            throw e;
        }
        door = opened;
        Thread.startVirtualThread(
                () -> {
                    while (true) {
                        try {
                            Socket socket = opened.accept();
                            connections.add(socket);
                            // A connection may slip in while the door closes.
                            if (opened.isClosed()) closeQuietly(socket);
                            Thread.startVirtualThread(() -> serve(socket));
                        } catch (IOException _) {
                            return;
                        }
                    }
                });
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            OutputStream out = socket.getOutputStream();
            boolean more = true;
            while (more) {
                var request = FrontRequest.read(in);
                if (request.isEmpty()) return;
                more = answer(socket, request.get(), in, out);
            }
        } catch (IOException _) {
            // The other side has gone, or a fault has cut the connection.
        } catch (InterruptedException e) {
            throw new AssertionError("nobody interrupts the front", e);
        } finally {
            connections.remove(socket);
            watches.remove(socket);
        }
    }

    /** False: the connection is used up. */
    private boolean answer(Socket socket, FrontRequest request, InputStream in, OutputStream out)
            throws IOException, InterruptedException {
        ApiCall call = request.call();
        tally.count(call);
        var fault = faults.take(call);
        if (fault.isPresent()) {
            switch (fault.get()) {
                case Faults.Answer(int code, String reason, String message, int after) -> {
                    String status = ApiError.status(code, reason, message);
                    write(out, code, status, after > 0 ? "Retry-After: " + after + "\r\n" : "");
                    return true;
                }
                case Faults.Cut cut -> {
                    if (cut == Faults.Cut.AFTER) ask(request);
                    return false;
                }
            }
        }
        if (call.verb().equals("watch")) {
            watches.add(socket);
            watch(socket, request, in, out);
            return false;
        }
        try {
            if (streams.serves(call)) {
                streams.serve(request, in, out);
                return false;
            }
        } catch (ApiError e) {
            write(out, e.code(), e.body(), "");
            return true;
        }
        var answer = ask(request);
        write(out, answer.statusCode(), answer.body(), "");
        return true;
    }

    private HttpResponse<String> ask(FrontRequest request)
            throws IOException, InterruptedException {
        var copy =
                HttpRequest.newBuilder(
                                URI.create("http://127.0.0.1:" + mockPort + request.target()))
                        .timeout(ANSWER_PATIENCE)
                        .method(
                                request.method(),
                                HttpRequest.BodyPublishers.ofByteArray(request.body()));
        Optional.ofNullable(request.headers().get("content-type"))
                .ifPresent(type -> copy.header("Content-Type", type));
        return mock.send(copy.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static void write(OutputStream out, int code, String body, String headers)
            throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        String head =
                "HTTP/1.1 "
                        + code
                        + " Answer\r\nContent-Type: application/json\r\n"
                        + headers
                        + "Content-Length: "
                        + bytes.length
                        + "\r\n\r\n";
        byte[] all = new byte[head.length() + bytes.length];
        System.arraycopy(head.getBytes(StandardCharsets.US_ASCII), 0, all, 0, head.length());
        System.arraycopy(bytes, 0, all, head.length(), bytes.length);
        out.write(all);
        out.flush();
    }

    /** Where the events of a watch go. */
    private interface Events {
        void send(String event) throws IOException;

        /** Says that no more will come. */
        void end() throws IOException;
    }

    private void watch(Socket socket, FrontRequest request, InputStream in, OutputStream out)
            throws IOException, InterruptedException {
        ApiCall call = request.call();
        MockApi.Start start;
        try {
            start = api.watch(call);
        } catch (ApiError e) {
            write(out, e.code(), e.body(), "");
            return;
        }
        Events events = events(socket, request, in, out);
        String from = call.parameter("resourceVersion");
        long seen;
        if (from.isEmpty() || from.equals("0")) {
            for (String each : start.objects()) events.send(WatchHistory.event("ADDED", each));
            seen = start.version();
        } else {
            seen = Long.parseLong(from);
        }
        String limit = call.parameter("timeoutSeconds");
        long end = limit.isEmpty() ? Long.MAX_VALUE : Long.parseLong(limit) * 1_000_000_000;
        long began = System.nanoTime();
        while (!socket.isClosed() && System.nanoTime() - began < end) {
            if (!api.history().reaches(seen)) {
                String gone = ApiError.status(410, "Expired", "too old resource version: " + seen);
                events.send(WatchHistory.event("ERROR", gone));
                break;
            }
            for (var change : api.history().after(seen, LOOK_FOR_THE_END)) {
                var event = change.event(start.selection());
                if (event.isPresent()) events.send(event.get());
                seen = change.version();
            }
        }
        events.end();
    }

    private static Events events(
            Socket socket, FrontRequest request, InputStream in, OutputStream out)
            throws IOException {
        if (request.webSocket()) {
            var frames = WebSocketFrames.accept(request, in, out, List.of());
            Thread.startVirtualThread(() -> closeAtTheEnd(socket, () -> frames.read().isPresent()));
            return new Events() {
                @Override
                public void send(String event) throws IOException {
                    frames.text(event);
                }

                @Override
                public void end() throws IOException {
                    frames.close();
                }
            };
        }
        String head =
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                        + "Transfer-Encoding: chunked\r\n\r\n";
        out.write(head.getBytes(StandardCharsets.US_ASCII));
        out.flush();
        Thread.startVirtualThread(() -> closeAtTheEnd(socket, () -> in.read() >= 0));
        return new Events() {
            @Override
            public void send(String event) throws IOException {
                byte[] bytes = (event + "\n").getBytes(StandardCharsets.UTF_8);
                String size = Integer.toHexString(bytes.length) + "\r\n";
                out.write(size.getBytes(StandardCharsets.US_ASCII));
                out.write(bytes);
                out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
                out.flush();
            }

            @Override
            public void end() throws IOException {
                out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                out.flush();
            }
        };
    }

    /** Whether there is more to read, once it is known. */
    private interface More {
        boolean read() throws IOException;
    }

    /** A watch hears nothing but its end. */
    private static void closeAtTheEnd(Socket socket, More more) {
        try (socket) {
            while (more.read()) {
                // Whatever it says, it still listens.
            }
        } catch (IOException _) {
            // It has ended.
        }
    }

    private static void closeQuietly(Closeable each) {
        try {
            each.close();
        } catch (IOException _) {
            // It is of no more use either way.
        }
    }
}
