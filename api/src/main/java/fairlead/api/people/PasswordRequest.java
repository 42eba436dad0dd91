package fairlead.api.people;

import io.avaje.jsonb.Json;

/** Somebody's new password. */
@Json
public record PasswordRequest(String password) {
    /** It must not be in a log by accident. */
    @Override
    public String toString() {
        return "a new password";
    }
}
