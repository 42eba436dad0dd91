package fairlead.storage.azureblob;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.BinaryData;
import com.azure.core.util.CoreUtils;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Map;

/** The answer to a request; its body is read from the connection when it is asked for. */
final class UrlHttpResponse extends HttpResponse {
    private final int status;
    private final HttpHeaders headers = new HttpHeaders();
    private final InputStream body;
    private byte[] bytes;

    UrlHttpResponse(HttpRequest request, HttpURLConnection connection) throws IOException {
        super(request);
        status = connection.getResponseCode();
        for (Map.Entry<String, List<String>> header : connection.getHeaderFields().entrySet()) {
            // The status line has no name.
            if (header.getKey() == null) continue;
            for (String value : header.getValue())
                headers.add(HttpHeaderName.fromString(header.getKey()), value);
        }
        InputStream in = status < 400 ? connection.getInputStream() : connection.getErrorStream();
        body = in == null ? InputStream.nullInputStream() : in;
    }

    @Override
    public int getStatusCode() {
        return status;
    }

    @Override
    @Deprecated
    public String getHeaderValue(String name) {
        return headers.getValue(HttpHeaderName.fromString(name));
    }

    @Override
    public HttpHeaders getHeaders() {
        return headers;
    }

    private synchronized byte[] bytes() {
        if (bytes != null) return bytes;
        try (body) {
            bytes = body.readAllBytes();
            return bytes;
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    @Override
    public Flux<ByteBuffer> getBody() {
        return Flux.defer(() -> Flux.just(ByteBuffer.wrap(bytes())));
    }

    @Override
    public BinaryData getBodyAsBinaryData() {
        return BinaryData.fromBytes(bytes());
    }

    @Override
    public Mono<byte[]> getBodyAsByteArray() {
        return Mono.fromCallable(this::bytes);
    }

    @Override
    public Mono<String> getBodyAsString() {
        return Mono.fromCallable(
                () ->
                        CoreUtils.bomAwareToString(
                                bytes(), headers.getValue(HttpHeaderName.CONTENT_TYPE)));
    }

    @Override
    public Mono<String> getBodyAsString(Charset charset) {
        return Mono.fromCallable(() -> new String(bytes(), charset));
    }

    /** Not from memory: the one way for a large body. */
    @Override
    public synchronized InputStream getBodyAsInputStreamSync() {
        return bytes == null ? body : new ByteArrayInputStream(bytes);
    }

    @Override
    public Mono<InputStream> getBodyAsInputStream() {
        return Mono.fromCallable(this::getBodyAsInputStreamSync);
    }

    @Override
    public HttpResponse buffer() {
        bytes();
        return this;
    }

    /** What is not read to its end cannot be kept for the next request. */
    @Override
    public void close() {
        try (body) {
            if (status >= 400) body.transferTo(OutputStream.nullOutputStream());
        } catch (IOException _) {
            // The answer is known; only the connection is lost.
        }
    }
}
