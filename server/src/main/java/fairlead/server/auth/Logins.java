package fairlead.server.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.job.Person;

import java.security.MessageDigest;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Tokens with an end, for people who logged in with their password. They are signed and kept
 * nowhere, so they work after a restart too. The hash of the password is part of what is signed: a
 * token ends early when its holder gets another password or is forgotten. Any thread.
 */
public final class Logins {
    /** No job's id and no other token begins so. */
    private static final String PREFIX = "login:";

    private static final Pattern TOKEN =
            Pattern.compile(PREFIX + "([A-Za-z0-9._-]{1,32}):(\\d{1,12}):([0-9a-f]{64})");

    private final Hmac key;

    /**
     * @param secret the server's own; the key follows from it, and the keys of jobs do not
     */
    public Logins(String secret) {
        this.key = new Hmac(secret).keyFor("logins");
    }

    /** A token for somebody with a password; it works until this second. */
    public String token(Person person, Instant end) {
        String hash = person.passwordHash().orElseThrow();
        return token(person.name(), end.getEpochSecond(), hash);
    }

    private String token(String name, long end, String passwordHash) {
        String proof = key.hex(name + "\n" + end + "\n" + passwordHash);
        return PREFIX + name + ":" + end + ":" + proof;
    }

    /** Who holds a token that works now; empty when it is not one of ours or is over. */
    public Optional<Person> holder(String token, Map<String, Person> people, Instant now) {
        var matcher = TOKEN.matcher(token);
        if (!matcher.matches()) return Optional.empty();
        Person person = people.get(matcher.group(1));
        if (person == null || person.passwordHash().isEmpty()) return Optional.empty();
        long end = Long.parseLong(matcher.group(2));
        String ours = token(person.name(), end, person.passwordHash().get());
        boolean isOurs = MessageDigest.isEqual(ours.getBytes(UTF_8), token.getBytes(UTF_8));
        return isOurs && now.getEpochSecond() < end ? Optional.of(person) : Optional.empty();
    }
}
