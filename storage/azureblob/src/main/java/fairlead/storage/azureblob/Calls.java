package fairlead.storage.azureblob;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.blob.specialized.BlockBlobClient;

import fairlead.storage.Piece;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * The three calls that carry content. They are requests of our own in the pipeline of Azure's
 * client, which signs and repeats them: its own methods for the same hand every call to other
 * threads and back. Any thread.
 */
final class Calls {
    private static final HttpHeaderName BLOB_TYPE = HttpHeaderName.fromString("x-ms-blob-type");
    private static final HttpHeaderName VERSION = HttpHeaderName.fromString("x-ms-version");
    private static final HttpHeaderName MARK = HttpHeaderName.fromString("x-ms-meta-" + Names.MARK);

    private final BlobContainerClient container;

    Calls(BlobContainerClient container) {
        this.container = container;
    }

    BlockBlobClient blob(String name) {
        return container.getBlobClient(name).getBlockBlobClient();
    }

    /** The answer's body is the content; the caller closes it. */
    HttpResponse get(String name, String range, String etag) {
        HttpRequest request = request(HttpMethod.GET, name, "");
        // Without it Azure's client would sign the word null in its place. It is not sent.
        request.setHeader(HttpHeaderName.CONTENT_LENGTH, "0");
        if (!range.isEmpty()) request.setHeader(HttpHeaderName.RANGE, range);
        if (!etag.isEmpty()) request.setHeader(HttpHeaderName.IF_MATCH, etag);
        return sent(request);
    }

    /** Writes a whole blob. The service compares the MD5 with what arrives, and keeps it. */
    void put(String name, byte[] content) {
        HttpRequest request = request(HttpMethod.PUT, name, "");
        request.setHeader(BLOB_TYPE, "BlockBlob");
        request.setHeader(HttpHeaderName.CONTENT_TYPE, "application/octet-stream");
        String md5 = Base64.getEncoder().encodeToString(md5().digest(content));
        request.setHeader(HttpHeaderName.CONTENT_MD5, md5);
        request.setBody(BinaryData.fromBytes(content));
        sent(request).close();
    }

    /** Writes an empty blob that stands for a folder, where nothing is yet. */
    void putMark(String name) {
        HttpRequest request = request(HttpMethod.PUT, name, "");
        request.setHeader(BLOB_TYPE, "BlockBlob");
        request.setHeader(MARK, "true");
        request.setHeader(HttpHeaderName.IF_NONE_MATCH, "*");
        request.setBody(BinaryData.fromBytes(new byte[0]));
        sent(request).close();
    }

    /**
     * @param block in Base64
     */
    void putBlock(String name, String block, Piece piece) throws IOException {
        String query = "?comp=block&blockid=" + block.replace("+", "%2B").replace("=", "%3D");
        HttpRequest request = request(HttpMethod.PUT, name, query.replace("/", "%2F"));
        request.setHeader(HttpHeaderName.CONTENT_TYPE, "application/octet-stream");
        try (var content = new Reopened(piece)) {
            request.setBody(BinaryData.fromStream(content, piece.bytes()));
            sent(request).close();
        } catch (Unreadable problem) {
            throw problem.reason;
        }
    }

    private HttpRequest request(HttpMethod method, String name, String query) {
        var request = new HttpRequest(method, blob(name).getBlobUrl() + query);
        request.setHeader(VERSION, container.getServiceVersion().getVersion());
        return request;
    }

    private HttpResponse sent(HttpRequest request) {
        HttpResponse response = container.getHttpPipeline().sendSync(request, Context.NONE);
        if (response.getStatusCode() < 300) return response;
        response.buffer();
        throw new BlobStorageException("HTTP " + response.getStatusCode(), response, null);
    }

    static MessageDigest md5() {
        try {
            return MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A piece that can be sent again: Azure's client goes back to its mark before another try. */
    private static final class Reopened extends InputStream {
        private final Piece piece;
        private InputStream now;

        Reopened(Piece piece) throws IOException {
            this.piece = piece;
            this.now = piece.opener().open();
        }

        @Override
        public int read() {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) {
            try {
                return now.read(buffer, offset, length);
            } catch (IOException problem) {
                throw new Unreadable(problem);
            }
        }

        @Override
        public boolean markSupported() {
            return true;
        }

        @Override
        public void mark(int limit) {
            // It is always the beginning.
        }

        @Override
        public void reset() throws IOException {
            now.close();
            now = piece.opener().open();
        }

        @Override
        public void close() {
            try {
                now.close();
            } catch (IOException problem) {
                throw new UncheckedIOException(problem);
            }
        }
    }

    /** The content cannot be read: no network is to blame, so the call is not repeated. */
    private static final class Unreadable extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final IOException reason;

        Unreadable(IOException reason) {
            super(reason.getMessage());
            this.reason = reason;
        }
    }
}
