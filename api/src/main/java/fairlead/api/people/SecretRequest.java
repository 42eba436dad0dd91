package fairlead.api.people;

import io.avaje.jsonb.Json;

/** The value of a secret, which no answer has. */
@Json
public record SecretRequest(String value) {
    /** It must not be in a log by accident. */
    @Override
    public String toString() {
        return "a secret";
    }
}
