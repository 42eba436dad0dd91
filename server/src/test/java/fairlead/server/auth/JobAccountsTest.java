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
                new JobAccounts.Machine(serverIsRoot, name -> !name.equals("bob"), roots::contains),
                Set.of("jobs", "root"));
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
                                + " jobs"),
                named(BOB, "ann"));
    }

    @Test
    void onlyWhatWouldBeAcceptedIsOffered() {
        String nameless =
                "name an account to run as ('fairlead submit --user NAME', or user in a job file)";
        String why = ". This server is root's, and only its owner's jobs run as root";
        var some = accounts(true);
        assertEquals(
                Optional.of(nameless + "; you are an admin and may name any" + why),
                some.refusal(EVE, false, true, Optional.empty(), Form.SPEC));
        assertEquals(
                Optional.of(nameless + "; you may name jobs" + why),
                some.refusal(TOOR, false, true, Optional.empty(), Form.SPEC));
        var none = new JobAccounts(some.machine(), Set.of("root"));
        assertEquals(
                Optional.of(
                        "ask an admin for an account of this machine called bob, as there is none"
                                + " that your jobs may run as"
                                + why),
                none.refusal(BOB, false, true, Optional.empty(), Form.OPENPAI));
    }

    @Test
    void nobodyNamesAnAccountOfRootsEvenIfItIsTheirsOrShared() {
        assertEquals(true, named(BOB, "root").isPresent());
        assertEquals(true, named(TOOR, "toor").isPresent());
    }

    @Test
    void jobsHaveTheAccountThatIsCalledAsTheirOwner() {
        assertEquals(Optional.of("dora"), accounts(true).usual("dora"));
        assertEquals(Optional.empty(), accounts(false).usual("dora"), "it cannot become her");
        assertEquals(Optional.empty(), accounts(true).usual("bob"), "there is none");
        assertEquals(Optional.empty(), accounts(true).usual("toor"), "it is root's");
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
