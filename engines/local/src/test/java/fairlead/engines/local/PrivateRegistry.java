package fairlead.engines.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;

/**
 * A registry of one image, which is shown to one user alone. It speaks as much of the protocol of
 * registries as fetching an image takes.
 */
final class PrivateRegistry implements Closeable {
    static final String USER = "ann";
    static final String PASSWORD = "s3 cret";

    private static final String MANIFEST = "application/vnd.docker.distribution.manifest.v2+json";

    private final HttpServer server;
    private final Path image;

    /**
     * @param image a folder as {@code podman save --format docker-dir} makes it
     */
    PrivateRegistry(Path image) throws IOException {
        this.image = image;
        this.server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    String host() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    String image() {
        return host() + "/lab/private:1";
    }

    private void answer(HttpExchange call) throws IOException {
        try (call) {
            String pair =
                    Base64.getEncoder().encodeToString((USER + ":" + PASSWORD).getBytes(UTF_8));
            if (!("Basic " + pair).equals(call.getRequestHeaders().getFirst("Authorization"))) {
                call.getResponseHeaders().add("WWW-Authenticate", "Basic realm=\"lab\"");
                call.sendResponseHeaders(401, -1);
                return;
            }
            String path = call.getRequestURI().getPath();
            String last = path.substring(path.lastIndexOf('/') + 1).replace("sha256:", "");
            if (path.equals("/v2/")) call.sendResponseHeaders(200, -1);
            else if (path.contains("/manifests/")) send(call, image.resolve("manifest.json"));
            else send(call, image.resolve(last));
        }
    }

    private static void send(HttpExchange call, Path file) throws IOException {
        if (!Files.exists(file)) {
            call.sendResponseHeaders(404, -1);
            return;
        }
        byte[] bytes = Files.readAllBytes(file);
        boolean isManifest = file.endsWith("manifest.json");
        call.getResponseHeaders()
                .add("Content-Type", isManifest ? MANIFEST : "application/octet-stream");
        if (isManifest) call.getResponseHeaders().add("Docker-Content-Digest", digest(bytes));
        boolean isHead = call.getRequestMethod().equals("HEAD");
        call.sendResponseHeaders(200, isHead ? -1 : bytes.length);
        if (!isHead) call.getResponseBody().write(bytes);
    }

    private static String digest(byte[] bytes) {
        try {
            return "sha256:"
                    + HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
