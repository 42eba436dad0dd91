package fairlead.server.http;

import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

final class PersonLimitsTest {
    private static final long SECOND = 1_000_000_000L;

    private final PersonLimits limits = new PersonLimits(new PersonLimits.Most(2, 2), "ann");

    @Test
    void onePersonsCallsAreCountedForThemAlone() {
        for (int i = 0; i < 10; i++) limits.admit("bob", 0);
        assertThrows(Problem.class, () -> limits.admit("bob", 0));
        limits.admit("eve", 0);
        limits.admit("bob", SECOND);
        limits.admit("bob", SECOND);
        assertThrows(Problem.class, () -> limits.admit("bob", SECOND));
        for (int i = 0; i < 100; i++) limits.admit("ann", 0);
    }

    @Test
    void onePersonsStreamsAreCountedUntilTheyEnd() {
        limits.open("bob");
        limits.open("bob");
        assertThrows(Problem.class, () -> limits.open("bob"));
        limits.open("eve");
        limits.close("bob");
        limits.open("bob");
    }
}
