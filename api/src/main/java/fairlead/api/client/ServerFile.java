package fairlead.api.client;

import fairlead.api.json.Wire;

import io.avaje.jsonb.Json;

import java.io.IOException;
import java.net.URI;

/** What {@code server.json} in a server's home says: where it listens, its token, its process. */
@Json
public record ServerFile(String url, String token, long pid) {
    public static final String NAME = "server.json";

    public static ServerFile read(byte[] json) throws IOException {
        return Wire.read(json, Wire.type(ServerFile.class));
    }

    public Endpoint endpoint() {
        return new Endpoint(URI.create(url), token);
    }
}
