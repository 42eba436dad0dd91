package fairlead.server.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sessions of browsers, each in a signed cookie, so that they outlive a restart of the server. What
 * their user logged in with is part of what is signed: a session ends early when that token or that
 * password stops working. Whoever signs out ends theirs at once; a restart forgets that, and then
 * the session ends at its time. Any thread.
 */
public final class BrowserSessions {
    /** From the last renewal; a page that is open renews its session. */
    public static final Duration LENGTH = Duration.ofHours(12);

    /** From the login on, however often it was renewed: the screen on the wall of a lab. */
    public static final Duration LENGTH_MAX = Duration.ofDays(30);

    /** A session that was signed out is known for as long as it would last, of this many. */
    private static final int ENDED_MAX = 10_000;

    private static final Pattern COOKIE =
            Pattern.compile(
                    "([A-Za-z0-9._-]{1,32}):(\\d{1,12}):(\\d{1,12}):([0-9a-f]{64}):([0-9a-f]{64})");

    private final Hmac key;

    private final Map<String, Boolean> ended =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                    return size() > ENDED_MAX;
                }
            };

    /**
     * A session that works.
     *
     * @param credential what its user logged in with
     */
    public record Session(String name, Instant begun, Instant end, String credential) {}

    /**
     * @param secret the server's own; the key follows from it, and no other does
     */
    public BrowserSessions(String secret) {
        this.key = new Hmac(secret).keyFor("browser sessions");
    }

    /**
     * The cookie of somebody who has just logged in.
     *
     * @param credential the hash of the token or of the password that they gave
     */
    public String begin(String name, String credential, Instant now) {
        return cookie(name, now, now.plus(LENGTH), Token.fresh(), credential);
    }

    /** The same session, from now on as long as a new one, within {@link #LENGTH_MAX}. */
    public String renew(Session session, Instant now) {
        Instant longest = session.begun().plus(LENGTH_MAX);
        Instant end = now.plus(LENGTH).isBefore(longest) ? now.plus(LENGTH) : longest;
        return cookie(session.name(), session.begun(), end, Token.fresh(), session.credential());
    }

    private String cookie(String name, Instant begun, Instant end, String id, String credential) {
        String head = name + ":" + begun.getEpochSecond() + ":" + end.getEpochSecond() + ":" + id;
        return head + ":" + proof(head, credential);
    }

    private String proof(String head, String credential) {
        return key.hex(head + "\n" + credential);
    }

    /**
     * The session of a cookie; empty where it is not ours, over, or signed out.
     *
     * @param credentials the hashes of what somebody may log in with now
     */
    public Optional<Session> session(
            String cookie, Function<String, Set<String>> credentials, Instant now) {
        Matcher parts = COOKIE.matcher(cookie);
        if (!parts.matches()) return Optional.empty();
        Instant end = Instant.ofEpochSecond(Long.parseLong(parts.group(3)));
        if (!now.isBefore(end) || isEnded(parts.group(4))) return Optional.empty();
        String head = cookie.substring(0, parts.end(4));
        byte[] told = parts.group(5).getBytes(UTF_8);
        for (String credential : credentials.apply(parts.group(1))) {
            if (MessageDigest.isEqual(proof(head, credential).getBytes(UTF_8), told))
                return Optional.of(
                        new Session(
                                parts.group(1),
                                Instant.ofEpochSecond(Long.parseLong(parts.group(2))),
                                end,
                                credential));
        }
        return Optional.empty();
    }

    private boolean isEnded(String id) {
        synchronized (ended) {
            return ended.containsKey(id);
        }
    }

    /** Whoever has this cookie is signed out. */
    public void end(String cookie) {
        Matcher parts = COOKIE.matcher(cookie);
        if (!parts.matches()) return;
        synchronized (ended) {
            ended.put(parts.group(4), true);
        }
    }
}
