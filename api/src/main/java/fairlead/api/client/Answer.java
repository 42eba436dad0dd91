package fairlead.api.client;

import fairlead.api.json.Wire;

import io.avaje.jsonb.JsonType;

import java.io.IOException;

/** A body as the server sent it, and the value that it stands for. */
public final class Answer<T> {
    private final byte[] body;
    private final JsonType<T> type;

    Answer(byte[] body, JsonType<T> type) {
        this.body = body;
        this.type = type;
    }

    /** The JSON itself. The array is not copied. */
    public byte[] body() {
        return body;
    }

    public T value() throws IOException {
        try {
            return Wire.read(body, type);
        } catch (IOException e) {
            throw new IOException("the server's answer is " + e.getMessage(), e);
        }
    }
}
