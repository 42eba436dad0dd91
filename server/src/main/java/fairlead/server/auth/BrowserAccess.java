package fairlead.server.auth;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Tells who calls by the cookie of a browser. All ways to log in to the portal end in {@link
 * #logIn}. Any thread.
 */
public final class BrowserAccess {
    private final Access access;
    private final BrowserSessions sessions;
    private final String cookieName;
    private final Supplier<Instant> clock;

    /**
     * @param secret the server's own
     */
    public BrowserAccess(Access access, String secret, Supplier<Instant> clock) {
        this.access = access;
        this.sessions = new BrowserSessions(secret);
        // A browser keeps one cookie of a name for all servers of a machine, whatever their ports.
        this.cookieName = "fairlead-" + Token.hash("cookie " + Token.hash(secret)).substring(0, 8);
        this.clock = clock;
    }

    /** Whoever is behind a Cookie header, as they are now. */
    public Optional<Caller> caller(Optional<String> header) {
        return session(header).map(session -> access.as(session.name()));
    }

    /** The session of a Cookie header that still works. */
    public Optional<BrowserSessions.Session> session(Optional<String> header) {
        return cookie(header)
                .flatMap(text -> sessions.session(text, access::credentials, clock.get()));
    }

    /** Whether there is a cookie of ours at all, be it of a session that is over. */
    public boolean isBrowser(Optional<String> header) {
        return cookie(header).isPresent();
    }

    private Optional<String> cookie(Optional<String> header) {
        if (header.isEmpty()) return Optional.empty();
        for (String pair : header.get().split(";")) {
            int sign = pair.indexOf('=');
            if (sign > 0 && pair.substring(0, sign).strip().equals(cookieName))
                return Optional.of(pair.substring(sign + 1).strip());
        }
        return Optional.empty();
    }

    /**
     * A new session for somebody who has shown that they are who they say.
     *
     * @param credential the hash of the token or password by which they have
     * @return the value of a Set-Cookie header
     */
    public String logIn(String name, String credential, boolean isEncrypted) {
        return setCookie(
                sessions.begin(name, credential, clock.get()),
                BrowserSessions.LENGTH.toSeconds(),
                isEncrypted);
    }

    /** The same session with a later end. */
    public String renew(BrowserSessions.Session session, boolean isEncrypted) {
        return setCookie(
                sessions.renew(session, clock.get()),
                BrowserSessions.LENGTH.toSeconds(),
                isEncrypted);
    }

    /** Ends the session of a Cookie header, if there is one, and takes the cookie back. */
    public String logOut(Optional<String> header, boolean isEncrypted) {
        cookie(header).ifPresent(sessions::end);
        return setCookie("", 0, isEncrypted);
    }

    /** Strict: no other site can make a browser send it. HttpOnly: no script can read it. */
    private String setCookie(String value, long seconds, boolean isEncrypted) {
        return "%s=%s; Path=/; Max-Age=%d; HttpOnly; SameSite=Strict%s"
                .formatted(cookieName, value, seconds, isEncrypted ? "; Secure" : "");
    }
}
