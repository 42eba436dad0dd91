package fairlead.api.people;

import io.avaje.jsonb.Json;

/** A new token and whose it is. The server does not keep it, so it is shown only here. */
@Json
public record TokenAnswer(String name, String token) {
    @Override
    public String toString() {
        return "the token of " + name;
    }
}
