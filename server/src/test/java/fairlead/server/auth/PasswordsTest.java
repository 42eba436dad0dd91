package fairlead.server.auth;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Optional;

final class PasswordsTest {
    @Test
    void aPasswordMatchesItsOwnHashAlone() throws Exception {
        String kept = Passwords.hash("correct horse");
        assertTrue(
                kept.matches("\\$argon2id\\$v=19\\$m=12288,t=3,p=1\\$[^$]{22}\\$[^$]{43}"), kept);
        assertTrue(Passwords.matches("correct horse", Optional.of(kept)));
        assertFalse(Passwords.matches("correct horsf", Optional.of(kept)));
        assertFalse(Passwords.matches("", Optional.of(kept)));
        assertFalse(Passwords.matches("correct horse", Optional.empty()));
        assertNotEquals(kept, Passwords.hash("correct horse"), "each has a salt of its own");
    }

    /** Made by the reference implementation of Argon2, with its own costs. */
    @Test
    void aHashOfAnotherProgramWithOtherCostsIsUnderstood() throws Exception {
        var kept =
                Optional.of(
                        "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ"
                                + "$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc");
        assertTrue(Passwords.matches("password", kept));
        assertFalse(Passwords.matches("passwore", kept));
    }

    @Test
    void aDamagedHashIsABug() {
        assertThrows(
                IllegalStateException.class,
                () -> Passwords.matches("password", Optional.of("$argon2id$v=19$nonsense")));
    }

    /**
     * Goal: the answer's time does not tell who has a password. Method: medians of turns, as
     * machines stutter; without the work for nobody they would differ by a factor of thousands.
     */
    @Test
    void itTakesAsLongForSomebodyWhoHasNone() throws Exception {
        Optional<String> kept = Optional.of(Passwords.hash("correct horse"));
        var with = new long[11];
        var without = new long[11];
        for (int i = 0; i < with.length; i++) {
            with[i] = nanos(kept);
            without[i] = nanos(Optional.empty());
        }
        double ratio = (double) median(with) / median(without);
        assertTrue(ratio > 0.2 && ratio < 5, "ratio " + ratio);
    }

    private static long nanos(Optional<String> kept) throws Exception {
        long start = System.nanoTime();
        Passwords.matches("incorrect", kept);
        return System.nanoTime() - start;
    }

    private static long median(long[] times) {
        Arrays.sort(times);
        return times[times.length / 2];
    }
}
