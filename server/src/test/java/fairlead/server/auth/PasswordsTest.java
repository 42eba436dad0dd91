package fairlead.server.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
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

    /** Goal: the answer's time does not tell who has a password. Medians, as machines stutter. */
    @Test
    void itTakesAsLongForSomebodyWhoHasNone() throws Exception {
        Optional<String> kept = Optional.of(Passwords.hash("correct horse"));
        long with = medianNanos(kept);
        long without = medianNanos(Optional.empty());
        double ratio = (double) with / without;
        assertEquals(1, ratio, 0.5, with + " ns and " + without + " ns");
    }

    private static long medianNanos(Optional<String> kept) throws Exception {
        var times = new long[11];
        for (int i = 0; i < times.length; i++) {
            long start = System.nanoTime();
            Passwords.matches("incorrect", kept);
            times[i] = System.nanoTime() - start;
        }
        Arrays.sort(times);
        return times[times.length / 2];
    }
}
