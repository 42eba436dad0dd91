package fairlead.api.people;

import io.avaje.jsonb.Json;

/** How somebody logs in to the portal: with a name and a password, or with a token alone. */
@Json
public record SessionRequest(String name, String password, String token) {
    /** Neither must be in a log by accident. */
    @Override
    public String toString() {
        return "a login of " + name;
    }
}
