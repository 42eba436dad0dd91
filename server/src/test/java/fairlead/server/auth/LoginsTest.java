package fairlead.server.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.job.JobId;
import fairlead.job.Person;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Tokens with an end, and how often somebody may try to get one. */
final class LoginsTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Person BOB =
            new Person("bob", "ab".repeat(32), false, "default").withPassword("$argon2id$one");

    private final Logins logins = new Logins("a secret of the server");

    @Test
    void aTokenEndsAtItsEnd() {
        String token = logins.token(BOB, NOON.plusSeconds(60));
        var people = Map.of("bob", BOB);
        assertEquals(Optional.of(BOB), logins.holder(token, people, NOON));
        assertEquals(Optional.of(BOB), logins.holder(token, people, NOON.plusSeconds(59)));
        assertEquals(Optional.empty(), logins.holder(token, people, NOON.plusSeconds(60)));
    }

    @Test
    void aTokenEndsWithThePasswordThePersonAndTheSecret() {
        String token = logins.token(BOB, NOON.plusSeconds(60));
        var changed = Map.of("bob", BOB.withPassword("$argon2id$two"));
        assertEquals(Optional.empty(), logins.holder(token, changed, NOON));
        assertEquals(Optional.empty(), logins.holder(token, Map.of(), NOON));
        var other = new Logins("another secret");
        assertEquals(Optional.empty(), other.holder(token, Map.of("bob", BOB), NOON));
        Person promoted = BOB.withAdmin(true).withToken("cd".repeat(32));
        assertEquals(Optional.of(promoted), logins.holder(token, Map.of("bob", promoted), NOON));
    }

    @Test
    void aTokenOfAnotherKindIsNobodys() {
        var people = Map.of("bob", BOB);
        for (String text : new String[] {"", "login:", "login:bob", "login:bob:1:", "a:b:c:d"})
            assertEquals(Optional.empty(), logins.holder(text, people, NOON), text);
        var job = new JobId("login_1_00000000");
        String ofJob = new JobKeys("a secret of the server").token(job);
        assertEquals(Optional.empty(), logins.holder(ofJob, people, NOON));
    }

    @Test
    void aLoginIsNotTheTokenOfAJob() {
        String token = logins.token(BOB, NOON.plusSeconds(60));
        assertTrue(new JobKeys("a secret of the server").holder(token).isEmpty());
    }

    @Test
    void triesAreCountedForEachNameUntilTheWindowEnds() {
        var tries = new LoginTries();
        for (int i = 0; i < LoginTries.TRIES_MAX; i++) assertTrue(tries.begin("bob", NOON));
        assertFalse(tries.begin("bob", NOON));
        assertTrue(tries.begin("eve", NOON));
        assertFalse(tries.begin("bob", NOON.plus(LoginTries.WINDOW).minusSeconds(1)));
        assertTrue(tries.begin("bob", NOON.plus(LoginTries.WINDOW)));
    }

    @Test
    void aFloodOfInventedNamesForgetsNothing() {
        var tries = new LoginTries();
        for (int i = 0; i < LoginTries.TRIES_MAX; i++) tries.begin("bob", NOON);
        for (int i = 0; i < 100_000; i++) tries.begin("x" + i, NOON);
        assertFalse(tries.begin("bob", NOON));
    }

    @Test
    void aSuccessForgivesWhatFailedBefore() {
        var tries = new LoginTries();
        for (int i = 0; i < LoginTries.TRIES_MAX; i++) tries.begin("bob", NOON);
        tries.succeeded("bob");
        for (int i = 0; i < LoginTries.TRIES_MAX; i++) assertTrue(tries.begin("bob", NOON));
        assertFalse(tries.begin("bob", NOON));
    }
}
