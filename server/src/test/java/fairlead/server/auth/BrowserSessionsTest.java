package fairlead.server.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

final class BrowserSessionsTest {
    private static final Instant NOON = Instant.parse("2026-11-18T12:00:00Z");
    private final BrowserSessions sessions = new BrowserSessions("secret");

    private Optional<String> name(String cookie, String credential, Instant now) {
        return sessions.session(cookie, _ -> Set.of(credential), now)
                .map(BrowserSessions.Session::name);
    }

    @Test
    void aSessionWorksUntilItsEndAndWithWhatItBeganWith() {
        String cookie = sessions.begin("ann", "hash", NOON);
        Instant last = NOON.plus(BrowserSessions.LENGTH).minusSeconds(1);
        assertEquals(Optional.of("ann"), name(cookie, "hash", last));
        assertEquals(Optional.empty(), name(cookie, "hash", last.plusSeconds(1)));
        assertEquals(Optional.empty(), name(cookie, "another hash", NOON));
    }

    @Test
    void aRestartKeepsItAndAnotherServerDoesNotKnowIt() {
        String cookie = sessions.begin("ann", "hash", NOON);
        var again = new BrowserSessions("secret");
        assertTrue(again.session(cookie, _ -> Set.of("hash"), NOON).isPresent());
        var other = new BrowserSessions("another secret");
        assertTrue(other.session(cookie, _ -> Set.of("hash"), NOON).isEmpty());
    }

    @Test
    void nobodyCanChangeWhatItSays() {
        String cookie = sessions.begin("ann", "hash", NOON);
        for (String forged :
                Set.of(
                        cookie.replaceFirst("ann", "bob"),
                        cookie.replaceFirst(":(\\d)", ":9$1"),
                        cookie.substring(0, cookie.length() - 1),
                        "",
                        "ann")) assertEquals(Optional.empty(), name(forged, "hash", NOON), forged);
    }

    @Test
    void whoSignsOutIsOut() {
        String cookie = sessions.begin("ann", "hash", NOON);
        sessions.end(cookie);
        assertEquals(Optional.empty(), name(cookie, "hash", NOON));
    }

    @Test
    void oneThatIsRenewedEndsAfterThirtyDays() {
        Instant now = NOON;
        String cookie = sessions.begin("ann", "hash", now);
        while (name(cookie, "hash", now).isPresent()) {
            var session = sessions.session(cookie, _ -> Set.of("hash"), now).orElseThrow();
            cookie = sessions.renew(session, now);
            now = now.plus(Duration.ofHours(6));
        }
        assertEquals(NOON.plus(BrowserSessions.LENGTH_MAX), now);
    }
}
