package fairlead.api.client;

import fairlead.api.json.Wire;

import io.avaje.jsonb.Json;

import java.io.IOException;
import java.net.URI;

/**
 * What {@code login.json} in a user's home says: another server, and the user's token there.
 *
 * @param fingerprint of the server's certificate, where the user has accepted it; else null
 */
@Json
public record Login(String url, String token, String fingerprint) {
    public static final String NAME = "login.json";

    public static Login read(byte[] json) throws IOException {
        return Wire.read(json, Wire.type(Login.class));
    }

    public byte[] json() {
        return Wire.json(this, Login.class);
    }

    public Endpoint endpoint() {
        return new Endpoint(URI.create(url), token, fingerprint);
    }

    @Override
    public String toString() {
        return url;
    }
}
