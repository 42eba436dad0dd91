package fairlead.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Ctrl-C, sent to the program itself. */
class InterruptTest {
    @TempDir Path top;

    private static Process start(Sandbox user, String... words) throws IOException {
        var builder = new ProcessBuilder();
        builder.command().add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        builder.command().addAll(List.of("-cp", System.getProperty("java.class.path")));
        builder.command().addAll(List.of("-Dfairlead.terminal=0", "fairlead.transfer.Main"));
        builder.command().addAll(List.of(words));
        builder.environment().putAll(user.environment);
        return builder.directory(user.here.toFile()).start();
    }

    private static void interrupt(Process process) throws Exception {
        var kill = new ProcessBuilder("sh", "-c", "kill -INT " + process.pid()).start();
        assertEquals(0, kill.waitFor());
        assertTrue(process.waitFor(1, TimeUnit.MINUTES));
        assertEquals(130, process.exitValue());
    }

    private static String until(InputStream in, String end) throws IOException {
        var text = new StringBuilder();
        for (int b = in.read(); b >= 0; b = in.read()) {
            text.append((char) b);
            if (text.toString().endsWith(end)) return text.toString();
        }
        throw new IOException("it ended: " + text);
    }

    private static String rest(InputStream in) throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void atTheQuestionNothingIsDeleted() throws Exception {
        var user = new Sandbox(top);
        Path kept = user.keep("coco/a", "1");
        Process process = start(user, "rm", "--", "data/coco");
        until(process.getErrorStream(), "? [y/N] ");
        interrupt(process);
        assertEquals(
                "\nfairlead: interrupted; nothing was deleted\n", rest(process.getErrorStream()));
        assertTrue(Files.exists(kept));
    }

    @Test
    void aDownloadOfASmallFileLeavesNoHalfOfIt() throws Exception {
        var user = new Sandbox(top);
        try (var store = new StallingStore()) {
            user.write(
                    "aux_data/configs/a_account.yaml",
                    """
                    account_name: vig
                    sas_token: ?sig=x
                    container_name: box
                    endpoint: http://127.0.0.1:%d/vig
                    """
                            .formatted(store.port()));
            user.write(
                    "aux_data/aml/slow.yaml",
                    """
                    engine: local
                    config_param:
                      code_path: {azure_blob_config_file: aux_data/configs/a_account.yaml, path: c}
                      data_folder: {azure_blob_config_file: aux_data/configs/a_account.yaml, path: d}
                    """);
            Process process = start(user, "download", "--cluster", "slow", "--", "data/small");
            store.awaitHalf(process);
            Path here = user.here.resolve("data");
            while (process.isAlive() && Sandbox.files(here).isEmpty()) Thread.onSpinWait();
            assertEquals(1, Sandbox.files(here).size());
            interrupt(process);
            assertEquals(
                    "\nfairlead: interrupted; the same command goes on where it was\n",
                    rest(process.getErrorStream()));
            assertEquals(Set.of(), Sandbox.files(here));
        }
    }

    /** A store of blobs with one small file, of which it sends the first half and then nothing. */
    private static final class StallingStore implements AutoCloseable {
        private static final int BYTES = 400_000;

        private final CountDownLatch half = new CountDownLatch(1);
        private final CountDownLatch closed = new CountDownLatch(1);
        private final ExecutorService threads = Executors.newCachedThreadPool();
        private final HttpServer server;

        StallingStore() throws IOException {
            var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            server = HttpServer.create(address, 0);
            server.setExecutor(threads);
            server.createContext("/", this::answer);
            server.start();
        }

        int port() {
            return server.getAddress().getPort();
        }

        void awaitHalf(Process process) throws Exception {
            while (!half.await(1, TimeUnit.SECONDS)) {
                assertTrue(process.isAlive(), () -> said(process));
            }
        }

        private static String said(Process process) {
            try {
                return rest(process.getErrorStream());
            } catch (IOException e) {
                return e.toString();
            }
        }

        private void answer(HttpExchange call) throws IOException {
            String query = String.valueOf(call.getRequestURI().getQuery());
            if (query.contains("comp=list")) {
                byte[] list =
                        "<EnumerationResults><Blobs/><NextMarker/></EnumerationResults>".getBytes();
                call.getResponseHeaders().add("Content-Type", "application/xml");
                call.sendResponseHeaders(200, list.length);
                call.getResponseBody().write(list);
                call.close();
                return;
            }
            call.getResponseHeaders().add("ETag", "\"1\"");
            call.getResponseHeaders().add("Last-Modified", "Mon, 16 Nov 2026 00:00:00 GMT");
            call.getResponseHeaders().add("x-ms-blob-type", "BlockBlob");
            if (call.getRequestMethod().equals("HEAD")) {
                call.getResponseHeaders().add("Content-Length", "" + BYTES);
                call.sendResponseHeaders(200, -1);
                call.close();
                return;
            }
            call.sendResponseHeaders(200, BYTES);
            call.getResponseBody().write(new byte[BYTES / 2]);
            call.getResponseBody().flush();
            half.countDown();
            try {
                closed.await();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() {
            closed.countDown();
            server.stop(0);
            threads.shutdownNow();
        }
    }
}
