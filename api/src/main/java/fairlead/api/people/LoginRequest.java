package fairlead.api.people;

import io.avaje.jsonb.Json;

/**
 * How a command logs in: with a password, for which it gets a token.
 *
 * @param tokenName what the token shall be called in the list of its holder's
 */
@Json
public record LoginRequest(String name, String password, String tokenName) {
    /** The password must not be in a log by accident. */
    @Override
    public String toString() {
        return "a login of " + name;
    }
}
