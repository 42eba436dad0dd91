package fairlead.server.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.job.JobId;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.UUID;

/**
 * The two secrets by which a job is known: a token, which speaks for that job alone, and a UUID,
 * which is all that the published training library sends. Both follow from the server's own secret:
 * they are the same in every attempt and after every restart, and are kept nowhere. Any thread.
 */
public final class JobKeys {
    /** Between the job's id and its proof; no id contains it. */
    private static final char SEPARATOR = ':';

    private static final long VERSION_BITS = 0xF000L;
    private static final long RANDOM_VERSION = 0x4000L;
    private static final long VARIANT_BITS = 0xC000_0000_0000_0000L;
    private static final long RFC_VARIANT = 0x8000_0000_0000_0000L;

    private final Hmac secret;

    public JobKeys(String secret) {
        this.secret = new Hmac(secret);
    }

    /** The value of FAIRLEAD_JOB_TOKEN. */
    public String token(JobId job) {
        return token(job.text());
    }

    private String token(String job) {
        return job + SEPARATOR + secret.hex("token " + job);
    }

    /** The value of JOB_UUID; it has the form of a random one. */
    public UUID uuid(JobId job) {
        var bits = ByteBuffer.wrap(secret.code("uuid " + job.text()));
        return new UUID(
                bits.getLong() & ~VERSION_BITS | RANDOM_VERSION,
                bits.getLong() & ~VARIANT_BITS | RFC_VARIANT);
    }

    /** The job that a token speaks for; empty when it is not one of ours. */
    public Optional<JobId> holder(String token) {
        int end = token.indexOf(SEPARATOR);
        if (end < 0) return Optional.empty();
        String job = token.substring(0, end);
        boolean isOurs = MessageDigest.isEqual(token(job).getBytes(UTF_8), token.getBytes(UTF_8));
        return isOurs ? Optional.of(new JobId(job)) : Optional.empty();
    }
}
