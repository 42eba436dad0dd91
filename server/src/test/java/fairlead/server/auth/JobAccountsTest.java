package fairlead.server.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;

import fairlead.server.auth.JobAccounts.Form;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Optional;
import java.util.Set;

/** As which accounts jobs may run. The accounts root and toor may do everything. */
final class JobAccountsTest {
    private static final Caller BOB = new Caller("bob", false, "default");
    private static final Caller TOOR = new Caller("toor", false, "default");
    private static final Caller EVE = new Caller("eve", true, "default");

    private static JobAccounts accounts(boolean serverIsRoot) {
        var roots = Set.of("root", "toor");
        return new JobAccounts(
                new JobAccounts.Machine(serverIsRoot, roots::contains), Set.of("jobs", "root"));
    }

    private static Optional<String> named(Caller caller, String account) {
        return accounts(true).refusal(caller, false, true, Optional.of(account), Form.SPEC);
    }

    @Test
    void everyoneNamesTheirOwnAccountOrASharedOne() {
        assertEquals(Optional.empty(), named(BOB, "bob"));
        assertEquals(Optional.empty(), named(BOB, "jobs"));
        assertEquals(
                Optional.of(
                        "only an admin may run a job as the account ann; you are bob; you may name"
                                + " bob, jobs"),
                named(BOB, "ann"));
    }

    @Test
    void onlyWhatWouldBeAcceptedIsOffered() {
        String nameless =
                "this server is root's, and only its owner's jobs run as root: name an account to"
                        + " run as (--user, or user in a job file)";
        var some = accounts(true);
        assertEquals(
                Optional.of(nameless + "; you are an admin and may name any"),
                some.refusal(EVE, false, true, Optional.empty(), Form.SPEC));
        assertEquals(
                Optional.of(nameless + "; you may name jobs"),
                some.refusal(TOOR, false, true, Optional.empty(), Form.SPEC));
        var none = new JobAccounts(some.machine(), Set.of("root"));
        assertEquals(
                Optional.of(nameless + "; there is none that you may name, so ask an admin"),
                none.refusal(TOOR, false, true, Optional.empty(), Form.SPEC));
    }

    @Test
    void nobodyNamesAnAccountOfRootsEvenIfItIsTheirsOrShared() {
        assertEquals(true, named(BOB, "root").isPresent());
        assertEquals(true, named(TOOR, "toor").isPresent());
    }

    @Test
    void anAdminNamesAny() {
        assertEquals(Optional.empty(), named(EVE, "ann"));
        assertEquals(Optional.empty(), named(EVE, "root"));
    }

    @ParameterizedTest
    @CsvSource({
        // the server is root's, the owner's job, on this machine: refused without an account
        "true, false, true, true",
        "true, true, true, false",
        "true, false, false, false",
        "false, false, true, false",
    })
    void withoutAnAccountOnlyAJobThatWouldRunAsRootIsRefused(
            boolean serverIsRoot, boolean ownersJob, boolean here, boolean isRefused) {
        for (Caller caller : new Caller[] {BOB, EVE}) {
            var refusal =
                    accounts(serverIsRoot)
                            .refusal(caller, ownersJob, here, Optional.empty(), Form.SPEC);
            assertEquals(isRefused, refusal.isPresent(), caller.name());
        }
    }
}
