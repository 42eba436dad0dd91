package fairlead.server.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.util.HexFormat;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Codes that only who has the key can make: HMAC-SHA256. Any thread. */
public final class Hmac {
    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;

    public Hmac(String secret) {
        this(secret.getBytes(UTF_8));
    }

    private Hmac(byte[] key) {
        this.key = new SecretKeySpec(key, ALGORITHM);
    }

    /** With a key for one purpose, which follows from this one and tells nothing about it. */
    Hmac keyFor(String purpose) {
        return new Hmac(code(purpose));
    }

    public byte[] code(String text) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac.doFinal(text.getBytes(UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }

    String hex(String text) {
        return HexFormat.of().formatHex(code(text));
    }
}
