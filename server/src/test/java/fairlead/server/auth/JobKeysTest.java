package fairlead.server.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import fairlead.job.JobId;

import org.junit.jupiter.api.Test;

import java.util.Optional;
import java.util.UUID;

final class JobKeysTest {
    private static final JobId JOB = new JobId("mnist_1700000000_0000abcd");
    private static final JobId OTHER = new JobId("mnist_1700000000_0000abce");
    private final JobKeys keys = new JobKeys("a secret of the server");

    @Test
    void aTokenSpeaksForItsJobAlone() {
        assertEquals(Optional.of(JOB), keys.holder(keys.token(JOB)));
        String proof = keys.token(JOB).substring(JOB.text().length());
        assertEquals(Optional.empty(), keys.holder(OTHER.text() + proof));
    }

    @Test
    void whatIsNoTokenOfOursSpeaksForNobody() {
        String token = keys.token(JOB);
        for (String wrong :
                new String[] {
                    "",
                    ":",
                    "x",
                    token + "0",
                    JOB + ":" + "0".repeat(300),
                    token.substring(1),
                    token.toUpperCase(),
                    ":" + token
                }) assertEquals(Optional.empty(), keys.holder(wrong), wrong);
    }

    @Test
    void keysStayTheSameAsLongAsTheSecretDoes() {
        var again = new JobKeys("a secret of the server");
        assertEquals(keys.token(JOB), again.token(JOB));
        assertEquals(keys.uuid(JOB), again.uuid(JOB));
        var other = new JobKeys("another secret");
        assertNotEquals(keys.uuid(JOB), other.uuid(JOB));
        assertEquals(Optional.empty(), other.holder(keys.token(JOB)));
    }

    @Test
    void aUuidHasTheFormOfARandomOneAndSaysNothingAboutTheToken() {
        UUID uuid = keys.uuid(JOB);
        assertEquals(4, uuid.version());
        assertEquals(2, uuid.variant());
        assertNotEquals(uuid, keys.uuid(OTHER));
        String digits = uuid.toString().replace("-", "").substring(0, 8);
        assertEquals(-1, keys.token(JOB).indexOf(digits));
    }
}
