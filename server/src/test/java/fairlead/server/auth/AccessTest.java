package fairlead.server.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.Person;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.journal.JournalException;
import fairlead.journal.MemoryJournal;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Who calls, by the header of the call. The server's owner is ann. */
final class AccessTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final String OWNERS = "the token of the owner";
    private static final String BOBS = "the token of bob";
    private static final Person BOB = new Person("bob", Token.hash(BOBS), false, "vision");
    private static final Person EVE = new Person("eve", Token.hash("eve's"), true, "default");

    private final JobKeys jobs = new JobKeys("a secret of the server");
    private final Logins logins = new Logins("a secret of the server");
    private Map<String, Person> people = Map.of("bob", BOB, "eve", EVE);
    private final Access access =
            new Access(OWNERS, "ann", () -> people, jobs, logins, roster(), () -> NOON);

    private static Roster roster() {
        try {
            return new Roster(new MemoryJournal());
        } catch (JournalException e) {
            throw new IllegalStateException(e);
        }
    }

    private Optional<Caller> caller(String token) {
        return access.caller("Bearer " + token);
    }

    @Test
    void aTokenIsItsHolders() {
        assertEquals(Optional.of(new Caller("ann", true, "default")), caller(OWNERS));
        assertEquals(Optional.of(new Caller("bob", false, "vision")), caller(BOBS));
        assertEquals(Optional.of(new Caller("eve", true, "default")), caller("eve's"));
        assertEquals(Optional.empty(), caller("nobody's"));
        assertEquals(Optional.empty(), caller(Token.hash(BOBS)), "a hash is no token");
    }

    @Test
    void onlyTheSchemeOfTokensCountsInAnyLetters() {
        assertTrue(access.caller("bEARER " + BOBS).isPresent());
        assertTrue(access.caller("Bearer  " + BOBS + " ").isPresent());
        assertEquals(Optional.empty(), access.caller("Basic " + BOBS));
        assertEquals(Optional.empty(), access.caller(BOBS));
        assertEquals(Optional.empty(), access.caller(""));
    }

    @Test
    void aChangeOfPeopleCountsAtOnce() {
        assertTrue(caller(BOBS).isPresent());
        people = Map.of("bob", BOB.withToken(Token.hash("another")).withAdmin(true));
        assertEquals(Optional.empty(), caller(BOBS));
        assertEquals(Optional.of(new Caller("bob", true, "vision")), caller("another"));
        people = Map.of();
        assertEquals(Optional.empty(), caller("another"));
    }

    /** The row keeps their project and password; that they are an admin needs no row. */
    @Test
    void theOwnerIsAnAdminWhateverTheirRowSays() {
        Person row = new Person("ann", Token.hash("of the row"), false, "vision");
        people = Map.of("ann", row);
        var owner = new Caller("ann", true, "vision");
        assertEquals(Optional.of(owner), caller(OWNERS));
        assertEquals(Optional.of(owner), caller("of the row"));
        assertEquals(owner, access.as("ann"));
        assertEquals(Map.of("ann", owner), access.everyone());
        assertTrue(access.isOwner("ann"));
        assertFalse(access.isOwner("bob"));
    }

    @Test
    void aLoginIsItsHoldersUntilItEnds() {
        Person bob = BOB.withPassword("$argon2id$one");
        people = Map.of("bob", bob);
        var expected = Optional.of(new Caller("bob", false, "vision"));
        assertEquals(expected, caller(logins.token(bob, NOON.plusSeconds(1))));
        assertEquals(Optional.empty(), caller(logins.token(bob, NOON)));
    }

    @Test
    void anyoneIsSpokenForAsTheyAre() {
        assertEquals(new Caller("bob", false, "vision"), access.as("bob"));
        assertEquals(new Caller("eve", true, "default"), access.as("eve"));
        assertEquals(new Caller("stranger", false, "default"), access.as("stranger"));
        assertEquals(
                List.of("ann", "bob", "eve"), List.copyOf(access.everyone().keySet()), "by name");
    }

    @Test
    void aJobsTokenIsTheJobsAndNobodysElse() {
        var job = new JobId("mnist_1700000000_0000abcd");
        assertEquals(Optional.of(job), access.job("Bearer " + jobs.token(job)));
        assertEquals(Optional.empty(), access.job(jobs.token(job)));
        assertEquals(Optional.empty(), access.job("Bearer " + BOBS));
        assertEquals(Optional.empty(), caller(jobs.token(job)));
    }

    @Test
    void aBrowsersPasswordIsTheToken() {
        assertEquals("Bearer a:b", Access.bearer(basic("bob:a:b")), "only the name has no colon");
        assertEquals("Bearer tok", Access.bearer(basic(":tok")));
        assertEquals("Bearer tok", Access.bearer(basic("tok")));
        assertEquals("Bearer x", Access.bearer("Bearer x"));
        assertEquals("Basic !!!", Access.bearer("Basic !!!"));
        assertEquals("Bearer tok", Access.bearer(basic("bob:tok").replace("Basic", "bASIC")));
        assertEquals("Bearer tok", Access.bearer(basic("bob:tok") + " "));
    }

    private static String basic(String pair) {
        return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(UTF_8));
    }

    @Test
    void aFreshTokenIsLongAndNeverTheSame() {
        String token = Token.fresh();
        assertTrue(token.matches("[0-9a-f]{64}"), token);
        assertNotEquals(token, Token.fresh());
        assertEquals(
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                Token.hash("abc"));
    }

    @Test
    void aJobIsItsOwnersAndEveryAdmins() {
        var role =
                new Role(
                        Role.MAIN,
                        1,
                        List.of("true"),
                        new Resources(0, 1, 0),
                        OptionalInt.empty(),
                        OptionalInt.empty());
        var spec =
                JobSpec.of(
                        edit -> {
                            edit.name = "a";
                            edit.cluster = "local";
                            edit.project = "default";
                            edit.roles = List.of(role);
                            edit.workingFolder = "/";
                        });
        var id = new JobId("a_1700000000_00000001");
        Job job = Job.submitted(id, spec, "bob", NOON, Optional.empty(), Optional.empty());
        assertTrue(new Caller("bob", false, "default").owns(job));
        assertFalse(new Caller("Bob", false, "default").owns(job));
        assertFalse(new Caller("dan", false, "default").owns(job));
        assertTrue(new Caller("eve", true, "default").owns(job));
    }
}
