package fairlead.engines.kubernetes;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a real API server has the kubelet serve: the logs of pods, commands inside them, their
 * standard input and output, and their ports. Streams are WebSockets with numbered channels.
 */
final class PodStreams {
    private static final List<String> SERVED =
            List.of("pods/log", "pods/exec", "pods/attach", "pods/portforward");
    private static final List<String> PROTOCOLS = List.of("v5.channel.k8s.io", "v4.channel.k8s.io");
    private static final int STDIN = 0;
    private static final int STDOUT = 1;
    private static final int STDERR = 2;
    private static final int ERROR = 3;
    private static final int RESIZE = 4;
    private static final int CLOSE = 255;
    private static final int PIECE_BYTES = 32 << 10;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final MockApi api;
    private final Supplier<TestKubelet> kubelet;

    PodStreams(MockApi api, Supplier<TestKubelet> kubelet) {
        this.api = api;
        this.kubelet = kubelet;
    }

    boolean serves(ApiCall call) {
        return SERVED.contains(call.resource());
    }

    /** Serves it to its end; the connection is used up then. */
    void serve(FrontRequest request, InputStream in, OutputStream out)
            throws ApiError, IOException, InterruptedException {
        ApiCall call = request.call();
        ObjectNode pod = api.pod(call.namespace(), call.name());
        var life = kubelet.get().life(call.namespace(), call.name());
        if (call.resource().equals("pods/log")) {
            var started = life.filter(each -> each.process().isPresent());
            if (started.isEmpty()) throw notStarted(pod);
            log(call, started.get().log(), out);
            return;
        }
        String phase = pod.path("status").path("phase").asText();
        if (phase.equals("Succeeded") || phase.equals("Failed")) {
            throw ApiError.badRequest(
                    "cannot exec into a container in a completed pod; current phase is " + phase);
        }
        var process = life.flatMap(PodLife::process).filter(each -> !each.exit().isDone());
        if (process.isEmpty()) {
            throw new ApiError(
                    500,
                    "InternalError",
                    "Internal error occurred: error executing command in container: container not"
                            + " found (\""
                            + pod.path("spec").path("containers").path(0).path("name").asText()
                            + "\")");
        }
        if (!request.webSocket())
            throw ApiError.badRequest("unable to upgrade: Upgrade is required");
        switch (call.subresource()) {
            case "exec" -> exec(call, process.get(), accept(request, in, out));
            case "attach" -> attach(call, process.get(), accept(request, in, out));
            case "portforward" -> forward(call, accept(request, in, out));
            default -> throw ApiError.notFound(call);
        }
    }

    private static ApiError notStarted(ObjectNode pod) {
        String name = pod.path("metadata").path("name").asText();
        if (pod.path("spec").path("nodeName").asText("").isEmpty()) {
            return ApiError.badRequest("pod " + name + " does not have a host assigned");
        }
        String reason =
                pod.at("/status/containerStatuses/0/state/waiting/reason")
                        .asText("ContainerCreating");
        return ApiError.badRequest(
                "container \""
                        + pod.at("/spec/containers/0/name").asText()
                        + "\" in pod \""
                        + name
                        + "\" is waiting to start: "
                        + reason);
    }

    private static WebSocketFrames accept(FrontRequest request, InputStream in, OutputStream out)
            throws IOException {
        return WebSocketFrames.accept(request, in, out, PROTOCOLS);
    }

    /** What a request for a log wants, by its parameters. */
    static PodLog.Wish wish(ApiCall call) {
        String tail = call.parameter("tailLines");
        String time = call.parameter("sinceTime");
        String seconds = call.parameter("sinceSeconds");
        Optional<Instant> since = Optional.empty();
        if (!time.isEmpty()) since = Optional.of(Instant.parse(time));
        if (!seconds.isEmpty()) {
            since = Optional.of(Instant.now().minusSeconds(Long.parseLong(seconds)));
        }
        return new PodLog.Wish(
                call.parameter("follow").equals("true"),
                tail.isEmpty() ? Optional.empty() : Optional.of(Integer.parseInt(tail)),
                since,
                call.parameter("timestamps").equals("true"));
    }

    private static void log(ApiCall call, PodLog log, OutputStream out)
            throws IOException, InterruptedException {
        String head =
                "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n"
                        + "Connection: close\r\n\r\n";
        out.write(head.getBytes(StandardCharsets.US_ASCII));
        out.flush();
        log.copy(wish(call), new Chunks(out));
        out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    /** Each write is a chunk of an answer whose length is not known. */
    private static final class Chunks extends OutputStream {
        private final OutputStream out;

        Chunks(OutputStream out) {
            this.out = out;
        }

        @Override
        public void write(int each) throws IOException {
            write(new byte[] {(byte) each}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            if (count == 0) return;
            out.write((Integer.toHexString(count) + "\r\n").getBytes(StandardCharsets.US_ASCII));
            out.write(bytes, from, count);
            out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
        }

        @Override
        public void flush() throws IOException {
            out.flush();
        }
    }

    private static void exec(ApiCall call, PodProcess process, WebSocketFrames frames)
            throws IOException, InterruptedException {
        List<String> command = call.parameters("command");
        boolean tty = call.parameter("tty").equals("true");
        var plan = process.plan();
        String path = plan.environment().getOrDefault("PATH", "");
        if (!PodMounts.canRun(plan.binds(), command.getFirst(), plan.workingFolder(), path)) {
            String message =
                    "Internal error occurred: error executing command in container: failed to exec"
                            + " in container: OCI runtime exec failed: exec failed: unable to start"
                            + " container process: exec: \""
                            + command.getFirst()
                            + "\": executable file not found in $PATH: unknown";
            finish(frames, ApiError.status(500, "InternalError", message));
            return;
        }
        var exec = process.exec(command, tty);
        var running = exec.process();
        Thread.startVirtualThread(() -> feed(frames, running.getOutputStream(), exec::resize));
        var pumps = new ArrayList<Thread>();
        pumps.add(pump(running.getInputStream(), STDOUT, frames));
        pumps.add(pump(running.getErrorStream(), STDERR, frames));
        int code = running.waitFor();
        for (Thread pump : pumps) pump.join();
        finish(frames, exitStatus(code));
    }

    private static void finish(WebSocketFrames frames, String status) throws IOException {
        byte[] bytes = status.getBytes(StandardCharsets.UTF_8);
        frames.send(ERROR, bytes, bytes.length);
        frames.close();
    }

    private static String exitStatus(int code) {
        var status =
                JsonNodeFactory.instance.objectNode().put("apiVersion", "v1").put("kind", "Status");
        status.putObject("metadata");
        if (code == 0) return status.put("status", "Success").toString();
        status.put("status", "Failure")
                .put("reason", "NonZeroExitCode")
                .put("message", "command terminated with non-zero exit code: exit status " + code);
        status.putObject("details")
                .putArray("causes")
                .addObject()
                .put("reason", "ExitCode")
                .put("message", Integer.toString(code));
        return status.toString();
    }

    private static Thread pump(InputStream from, int channel, WebSocketFrames frames) {
        return Thread.startVirtualThread(
                () -> {
                    byte[] piece = new byte[PIECE_BYTES];
                    try (from) {
                        for (int count = from.read(piece); count >= 0; count = from.read(piece)) {
                            frames.send(channel, piece, count);
                        }
                    } catch (IOException _) {
                        // The other side listens no more; the command goes on alone.
                    }
                });
    }

    /** What can be done with a terminal's new size. */
    private interface Resize {
        void to(int rows, int columns);
    }

    /** Carries what the other side sends to a standard input, until it closes either. */
    private static void feed(WebSocketFrames frames, OutputStream stdin, Resize resize) {
        try (stdin) {
            for (var read = frames.read(); read.isPresent(); read = frames.read()) {
                byte[] message = read.get();
                if (message.length == 0) continue;
                int channel = message[0] & 0xff;
                if (channel == STDIN) {
                    stdin.write(message, 1, message.length - 1);
                    stdin.flush();
                } else if (channel == RESIZE) {
                    var size = JSON.readTree(Arrays.copyOfRange(message, 1, message.length));
                    resize.to(size.path("Height").asInt(), size.path("Width").asInt());
                } else if (channel == CLOSE && message.length > 1 && message[1] == STDIN) {
                    stdin.close();
                }
            }
        } catch (IOException _) {
            // Either side has ended.
        }
    }

    private static void attach(ApiCall call, PodProcess process, WebSocketFrames frames)
            throws IOException, InterruptedException {
        boolean wantsInput = call.parameter("stdin").equals("true");
        OutputStream stdin =
                process.stdin()
                        .filter(_ -> wantsInput)
                        .map(PodStreams::unclosed)
                        .orElse(OutputStream.nullOutputStream());
        long from = process.log().length();
        Thread.startVirtualThread(() -> feed(frames, stdin, process::resize));
        process.log()
                .copy(
                        from,
                        true,
                        false,
                        new OutputStream() {
                            @Override
                            public void write(int each) throws IOException {
                                frames.send(STDOUT, new byte[] {(byte) each}, 1);
                            }

                            @Override
                            public void write(byte[] bytes, int at, int count) throws IOException {
                                frames.send(
                                        STDOUT, Arrays.copyOfRange(bytes, at, at + count), count);
                            }
                        });
        finish(frames, exitStatus(process.exit().join()));
    }

    /** Whoever attaches may leave, and another may come. */
    private static OutputStream unclosed(OutputStream stdin) {
        return new OutputStream() {
            @Override
            public void write(int each) throws IOException {
                stdin.write(each);
            }

            @Override
            public void write(byte[] bytes, int at, int count) throws IOException {
                stdin.write(bytes, at, count);
            }

            @Override
            public void flush() throws IOException {
                stdin.flush();
            }
        };
    }

    /** One port: channel 0 is its data, 1 its trouble; each begins with the port's number. */
    private static void forward(ApiCall call, WebSocketFrames frames)
            throws IOException, InterruptedException {
        int port = Integer.parseInt(call.parameter("ports"));
        byte[] number = {(byte) port, (byte) (port >> 8)};
        frames.send(0, number, 2);
        frames.send(1, number, 2);
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            Thread pump = pump(socket.getInputStream(), 0, frames);
            var feeder =
                    Thread.startVirtualThread(
                            () -> {
                                try (socket) {
                                    feed(frames, socket.getOutputStream(), (_, _) -> {});
                                } catch (IOException _) {
                                    // The port has ended.
                                }
                            });
            pump.join();
            frames.close();
            feeder.interrupt();
        } catch (java.net.ConnectException e) {
            byte[] message =
                    ("error forwarding port "
                                    + port
                                    + " to pod "
                                    + call.name()
                                    + ": failed to execute portforward in network namespace: dial"
                                    + " tcp4 127.0.0.1:"
                                    + port
                                    + ": connect: connection refused")
                            .getBytes(StandardCharsets.UTF_8);
            frames.send(1, message, message.length);
            frames.close();
        }
    }
}
