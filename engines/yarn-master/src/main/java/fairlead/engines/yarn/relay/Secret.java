package fairlead.engines.yarn.relay;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Shows knowledge of a secret: who knows it can answer any question. */
final class Secret {
    /** Of a question, and of an answer. */
    static final int BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";
    private static final SecureRandom DICE = new SecureRandom();

    private Secret() {}

    static byte[] question() {
        var question = new byte[BYTES];
        DICE.nextBytes(question);
        return question;
    }

    static byte[] answer(String secret, byte[] question) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret.getBytes(UTF_8), ALGORITHM));
            return mac.doFinal(question);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    static boolean isAnswer(String secret, byte[] question, byte[] answer) {
        return MessageDigest.isEqual(answer(secret, question), answer);
    }
}
