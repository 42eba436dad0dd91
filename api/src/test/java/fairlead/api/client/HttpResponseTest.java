package fairlead.api.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Answers as they come over the wire, good and bad. */
class HttpResponseTest {
    private static InputStream wire(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String body(HttpResponse response) throws IOException {
        return new String(response.body().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void aLengthEndsTheBody() throws IOException {
        var in =
                wire(
                        "HTTP/1.1 200 OK\r\n"
                                + "Content-Length: 2\r\n\r\n"
                                + "okHTTP/1.1 404 \r\n"
                                + "CONTENT-LENGTH:0\r\n\r\n");
        var first = HttpResponse.read(in);
        assertEquals(200, first.status());
        assertEquals("ok", body(first));
        assertTrue(first.keepsConnection());
        var second = HttpResponse.read(in);
        assertEquals(404, second.status());
        assertEquals("", body(second));
    }

    @Test
    void chunksEndTheBody() throws IOException {
        var in =
                wire(
                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                                + "3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\nrest");
        assertEquals("abc0123456789", body(HttpResponse.read(in)));
        assertEquals("rest", new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }

    @Test
    void withoutEitherTheConnectionEndsTheBody() throws IOException {
        var response = HttpResponse.read(wire("HTTP/1.0 200 OK\nConnection: close\n\nall of it"));
        assertEquals("all of it", body(response));
        assertFalse(response.keepsConnection());
    }

    @Test
    void anAnswerBeforeTheAnswerIsPassedOver() throws IOException {
        var in = wire("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n");
        var response = HttpResponse.read(in);
        assertEquals(204, response.status());
        assertEquals("", body(response));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n",
            })
    void aBodyThatBreaksOffIsNotTakenForWhole(String text) throws IOException {
        var response = HttpResponse.read(wire(text));
        assertThrows(EOFException.class, () -> body(response));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "SSH-2.0-x\r\n\r\n",
                "HTTP/1.1 2xx OK\r\n\r\n",
                "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
                "HTTP/1.1 200 OK\r\nA: b",
            })
    void whatIsNoHttpIsRefused(String text) {
        assertThrows(IOException.class, () -> HttpResponse.read(wire(text)));
    }

    @Test
    void aHeadWithoutEndIsRefused() {
        String endless = "HTTP/1.1 200 OK\r\n" + "A: b\r\n".repeat(20_000);
        assertThrows(IOException.class, () -> HttpResponse.read(wire(endless)));
        String wide = "HTTP/1.1 200 OK\r\nA: " + "b".repeat(100_000) + "\r\n\r\n";
        assertThrows(IOException.class, () -> HttpResponse.read(wire(wide)));
    }

    @Test
    void aChunkSizeThatIsNoneIsRefused() throws IOException {
        var response =
                HttpResponse.read(
                        wire("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"));
        assertThrows(IOException.class, () -> body(response));
    }
}
