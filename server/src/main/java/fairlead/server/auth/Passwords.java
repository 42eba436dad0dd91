package fairlead.server.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.control.Refused;

import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Passwords as Argon2id hashes. A hash is kept with its salt and its costs, as {@code
 * $argon2id$v=19$m=12288,t=3,p=1$SALT$HASH}, so that costs may rise later without a new password.
 * Any thread.
 */
public final class Passwords {
    public static final int CHARS_LEAST = 6;

    /** Far more than anybody types; it bounds what is hashed. */
    public static final int CHARS_MAX = 256;

    /** One of the equally strong choices that OWASP names; a small server has 160 MiB in all. */
    private static final Costs COSTS = new Costs(12 * 1024, 3, 1);

    /** Each takes twelve mebibytes until it is done. */
    private static final int AT_ONCE_MAX = 2;

    /** A hash takes a tenth of a second; whoever would wait longer comes again. */
    private static final Duration WAIT_MAX = Duration.ofSeconds(5);

    private static final int SALT_BYTES = 16;
    private static final int HASH_BYTES = 32;

    private static final Pattern KEPT =
            Pattern.compile(
                    "\\$argon2id\\$v=19\\$m=(\\d{1,7}),t=(\\d{1,3}),p=(\\d{1,2})"
                            + "\\$([A-Za-z0-9+/]{8,100})\\$([A-Za-z0-9+/]{8,100})");

    private static final Semaphore AT_ONCE = new Semaphore(AT_ONCE_MAX, true);
    private static final SecureRandom RANDOM = new SecureRandom();

    /** What is compared where there is nothing to compare, so that it takes as long. */
    private static final Kept NOBODYS = new Kept(COSTS, new byte[SALT_BYTES], new byte[HASH_BYTES]);

    private Passwords() {}

    private record Costs(int memoryKib, int passes, int lanes) {}

    private record Kept(Costs costs, byte[] salt, byte[] hash) {
        static Kept read(String text) {
            var matcher = KEPT.matcher(text);
            if (!matcher.matches()) throw new IllegalStateException("a kept hash is damaged");
            return new Kept(
                    new Costs(
                            Integer.parseInt(matcher.group(1)),
                            Integer.parseInt(matcher.group(2)),
                            Integer.parseInt(matcher.group(3))),
                    Base64.getDecoder().decode(matcher.group(4)),
                    Base64.getDecoder().decode(matcher.group(5)));
        }

        String text() {
            var base64 = Base64.getEncoder().withoutPadding();
            return "$argon2id$v=19$m=%d,t=%d,p=%d$%s$%s"
                    .formatted(
                            costs.memoryKib(),
                            costs.passes(),
                            costs.lanes(),
                            base64.encodeToString(salt),
                            base64.encodeToString(hash));
        }
    }

    /** What to keep of a password. Refused when too many others are being hashed. */
    public static String hash(String password) throws Refused, InterruptedException {
        var salt = new byte[SALT_BYTES];
        RANDOM.nextBytes(salt);
        return new Kept(COSTS, salt, inTurn(password, COSTS, salt, HASH_BYTES)).text();
    }

    /**
     * Whether this is the password. It takes as long for somebody who has none.
     *
     * @param kept what {@link #hash} gave
     */
    public static boolean matches(String password, Optional<String> kept)
            throws Refused, InterruptedException {
        Kept wanted = kept.map(Kept::read).orElse(NOBODYS);
        byte[] found = inTurn(password, wanted.costs(), wanted.salt(), wanted.hash().length);
        return MessageDigest.isEqual(found, wanted.hash()) && kept.isPresent();
    }

    private static byte[] inTurn(String password, Costs costs, byte[] salt, int bytes)
            throws Refused, InterruptedException {
        if (!AT_ONCE.tryAcquire(WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS))
            throw new Refused(Refused.Kind.BUSY, "too many passwords are being checked; try again");
        try {
            return argon2(password, costs, salt, bytes);
        } finally {
            AT_ONCE.release();
        }
    }

    private static byte[] argon2(String password, Costs costs, byte[] salt, int bytes) {
        var generator = new Argon2BytesGenerator();
        generator.init(
                new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
                        .withVersion(Argon2Parameters.ARGON2_VERSION_13)
                        .withMemoryAsKB(costs.memoryKib())
                        .withIterations(costs.passes())
                        .withParallelism(costs.lanes())
                        .withSalt(salt)
                        .build());
        var hash = new byte[bytes];
        generator.generateBytes(password.getBytes(UTF_8), hash);
        return hash;
    }
}
