package fairlead.server.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;

/** Who may call: whoever knows the token speaks for its user. */
public final class Access {
    private static final String SCHEME = "Bearer ";
    private final byte[] token;
    private final String user;

    public Access(String token, String user) {
        this.token = token.getBytes(StandardCharsets.UTF_8);
        this.user = user;
    }

    /** The user behind an Authorization header. Takes as long for a near miss as for any other. */
    Optional<String> user(String header) {
        if (!header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) return Optional.empty();
        byte[] told = header.substring(SCHEME.length()).strip().getBytes(StandardCharsets.UTF_8);
        return MessageDigest.isEqual(told, token) ? Optional.of(user) : Optional.empty();
    }
}
