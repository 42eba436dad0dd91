package fairlead.storage.azureblob;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeader;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;

import reactor.core.publisher.Mono;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Azure's client over the JDK's oldest HTTP client. The two that Azure offers bring event loops and
 * hand every buffer between threads; here the thread that asks also writes and reads its socket
 * (docs/storage.md). Connections are kept and used again. Any thread.
 */
final class UrlHttpClient implements HttpClient, AutoCloseable {
    static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    /** Without a byte in either direction. A server may think for a while about a large commit. */
    static final Duration SILENCE_MAX = Duration.ofSeconds(60);

    /** The JDK keeps 5 connections, which is fewer than a transfer uses at once. */
    private static final String KEPT = "32";

    private static final int BUFFER_BYTES = 64 * 1024;

    /** What the JDK sets by itself and does not let others set. */
    private static final Set<String> RESERVED = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

    static {
        RESERVED.addAll(Set.of("Content-Length", "Host", "Connection"));
        if (System.getProperty("http.maxConnections") == null)
            System.setProperty("http.maxConnections", KEPT);
    }

    /** When each request that is being written has last written something. */
    private final Map<HttpURLConnection, Long> writing = new ConcurrentHashMap<>();

    private final ScheduledExecutorService watch =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("blob-watch").factory());

    UrlHttpClient() {
        long period = SILENCE_MAX.toSeconds() / 6;
        watch.scheduleWithFixedDelay(this::cutSilent, period, period, TimeUnit.SECONDS);
    }

    /** The JDK has a limit for silent reads, and none for writes that are not taken. */
    private void cutSilent() {
        long latest = System.nanoTime() - SILENCE_MAX.toNanos();
        writing.forEach(
                (connection, last) -> {
                    if (last - latest < 0) connection.disconnect();
                });
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request) {
        return Mono.fromCallable(() -> sendSync(request, Context.NONE));
    }

    @Override
    public HttpResponse sendSync(HttpRequest request, Context context) {
        try {
            if (Thread.currentThread().isInterrupted())
                throw new InterruptedIOException("interrupted");
            var connection = (HttpURLConnection) request.getUrl().openConnection();
            connection.setConnectTimeout((int) CONNECT_TIMEOUT.toMillis());
            connection.setReadTimeout((int) SILENCE_MAX.toMillis());
            connection.setInstanceFollowRedirects(false);
            connection.setUseCaches(false);
            connection.setRequestMethod(request.getHttpMethod().name());
            for (HttpHeader header : request.getHeaders()) {
                if (!RESERVED.contains(header.getName()))
                    connection.setRequestProperty(header.getName(), header.getValue());
            }
            write(request, connection);
            return new UrlHttpResponse(request, connection);
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    private void write(HttpRequest request, HttpURLConnection connection) throws IOException {
        BinaryData body = request.getBodyAsBinaryData();
        boolean isPut = request.getHttpMethod() == HttpMethod.PUT;
        if (body == null && !isPut) return;
        long length = body == null ? 0 : length(request, body);
        connection.setDoOutput(true);
        connection.setFixedLengthStreamingMode(length);
        try (OutputStream out = connection.getOutputStream()) {
            if (length > 0) copy(body.toStream(), out, connection);
        } catch (IOException | RuntimeException problem) {
            // Otherwise the rest of the body would be awaited.
            connection.disconnect();
            throw problem;
        } finally {
            writing.remove(connection);
        }
    }

    private static long length(HttpRequest request, BinaryData body) {
        if (body.getLength() != null) return body.getLength();
        return Long.parseLong(request.getHeaders().getValue(HttpHeaderName.CONTENT_LENGTH));
    }

    private void copy(InputStream in, OutputStream out, HttpURLConnection connection)
            throws IOException {
        var buffer = new byte[BUFFER_BYTES];
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            writing.put(connection, System.nanoTime());
            out.write(buffer, 0, count);
        }
    }

    @Override
    public void close() {
        watch.shutdownNow();
    }
}
