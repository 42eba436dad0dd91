package fairlead.engines.kubernetes;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** The HTTPS door of a test kubelet, where a real API server fetches the logs of pods. */
final class KubeletEndpoint implements Closeable {
    private static final String PASSWORD = "changeit";

    private final TestKubelet kubelet;
    private final HttpsServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private KubeletEndpoint(TestKubelet kubelet, HttpsServer server) {
        this.kubelet = kubelet;
        this.server = server;
    }

    /** The door before its kubelet, so that nodes can name its port. */
    static HttpsServer door(Path folder) throws IOException {
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var server = HttpsServer.create(address, 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context(folder)));
        return server;
    }

    static KubeletEndpoint open(HttpsServer door, TestKubelet kubelet) {
        var endpoint = new KubeletEndpoint(kubelet, door);
        door.createContext("/containerLogs/", endpoint::logs);
        door.setExecutor(endpoint.threads);
        door.start();
        return endpoint;
    }

    /** With a key of its own that nobody has signed, as kubelets have by default. */
    private static SSLContext context(Path folder) throws IOException {
        Path store = folder.resolve("kubelet.p12");
        String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        var make =
                new ProcessBuilder(
                                keytool,
                                "-genkeypair",
                                "-alias",
                                "kubelet",
                                "-keyalg",
                                "EC",
                                "-dname",
                                "CN=kubelet",
                                "-ext",
                                "SAN=ip:127.0.0.1",
                                "-validity",
                                "2",
                                "-storetype",
                                "PKCS12",
                                "-keystore",
                                store.toString(),
                                "-storepass",
                                PASSWORD)
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("keytool.log").toFile())
                        .start();
        try {
            if (!make.waitFor(60, TimeUnit.SECONDS) || make.exitValue() != 0) {
                throw new IOException(
                        "keytool failed: " + Files.readString(folder.resolve("keytool.log")));
            }
            var keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
            var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(keys, PASSWORD.toCharArray());
            var context = SSLContext.getInstance("TLS");
            context.init(managers.getKeyManagers(), null, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("the key of the test kubelet cannot be used", e);
        } catch (InterruptedException e) {
            throw new AssertionError("nobody interrupts a test's start", e);
        }
    }

    /** /containerLogs/NAMESPACE/POD/CONTAINER */
    private void logs(HttpExchange exchange) throws IOException {
        try (exchange) {
            String[] parts = exchange.getRequestURI().getPath().split("/");
            var life = kubelet.life(parts[2], parts[3]).filter(each -> each.process().isPresent());
            if (life.isEmpty()) {
                byte[] why =
                        ("container \""
                                        + parts[4]
                                        + "\" in pod \""
                                        + parts[3]
                                        + "\" is waiting to start")
                                .getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(400, why.length);
                exchange.getResponseBody().write(why);
                return;
            }
            ApiCall call = ApiCall.of("GET", exchange.getRequestURI().toString());
            exchange.getResponseHeaders().set("Content-Type", "text/plain");
            exchange.sendResponseHeaders(200, 0);
            // The head must go out before the first line comes.
            OutputStream out = exchange.getResponseBody();
            out.flush();
            life.get().log().copy(PodStreams.wish(call), out);
        } catch (InterruptedException e) {
            throw new AssertionError("nobody interrupts the kubelet's door", e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
