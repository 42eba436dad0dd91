package fairlead.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import fairlead.job.RetryPolicy.Decision.Again;
import fairlead.job.RetryPolicy.Decision.Over;
import fairlead.job.RetryPolicy.Kind;
import fairlead.job.RetryPolicy.Tries;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

class RetryPolicyTest {
    private static final Map<Integer, Kind> KINDS =
            Map.of(205, Kind.TRANSIENT, 206, Kind.PERMANENT, 190, Kind.CONFLICT);

    /** The limit, the kind of end, how many unknown failures were tried again already. */
    @ParameterizedTest(name = "limit {0}, {1} after {2}: {3}")
    @CsvSource({
        // Always, even after success.
        "-2, SUCCEEDED, 0, again",
        "-2, TRANSIENT, 0, again",
        "-2, CONFLICT,  0, again",
        "-2, PERMANENT, 0, again",
        "-2, UNKNOWN, 999, again",
        // Every failure that may pass, without limit.
        "-1, SUCCEEDED, 0, over",
        "-1, UNKNOWN, 999, again",
        // So many unknown failures.
        " 0, SUCCEEDED, 0, over",
        " 0, UNKNOWN,   0, over",
        " 2, UNKNOWN,   0, again",
        " 2, UNKNOWN,   1, again",
        " 2, UNKNOWN,   2, over",
    })
    void o37TheLimitCountsUnknownFailures(int limit, Kind kind, int unknowns, String expected) {
        var decision =
                new RetryPolicy(limit, KINDS).after(kind, new Tries(0, 0, 0, 0, unknowns), 0);
        assertEquals(
                expected,
                switch (decision) {
                    case Again _ -> "again";
                    case Over _ -> "over";
                });
    }

    @ParameterizedTest(name = "limit {0}")
    @ValueSource(ints = {-1, 0, 3})
    void o38TransientFailuresAreAlwaysTriedAgainAndUseNothingUp(int limit) {
        var policy = new RetryPolicy(limit, KINDS);
        var tries = Tries.NONE;
        for (int i = 0; i < 50; i++) {
            tries = assertInstanceOf(Again.class, policy.after(Kind.TRANSIENT, tries, 0)).tries();
        }
        assertEquals(new Tries(0, 50, 0, 0, 0), tries);
        assertEquals(
                limit == 0,
                policy.after(Kind.UNKNOWN, tries, 0) instanceof Over,
                "as many unknown failures are left as there were");
    }

    @ParameterizedTest(name = "limit {0}")
    @ValueSource(ints = {-1, 0, 3})
    void o38PermanentFailuresAreNeverTriedAgain(int limit) {
        assertEquals(
                new Over(), new RetryPolicy(limit, KINDS).after(Kind.PERMANENT, Tries.NONE, 0));
    }

    @ParameterizedTest(name = "{0} conflicts before, dice {1}: {2} s")
    @CsvSource({
        "0,  0.0,   600",
        "0,  0.999, 600",
        "1,  0.0,   600",
        "1,  0.5,   850",
        "3,  0.5,   1350",
        "6,  0.0,   600",
        "6,  0.5,   2100",
        "6,  0.9999, 3600",
        "60, 0.9999, 3600",
    })
    void o39ConflictsWaitForARandomTimeThatGrows(int conflicts, double dice, int seconds) {
        var decision =
                new RetryPolicy(0, KINDS)
                        .after(Kind.CONFLICT, new Tries(0, 0, conflicts, 0, 0), dice);
        assertEquals(
                new Again(new Tries(0, 0, conflicts + 1, 0, 0), Duration.ofSeconds(seconds)),
                decision);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void o37WhoAlwaysTriesAgainNeverWaits(Kind kind) {
        var decision = new RetryPolicy(RetryPolicy.ALWAYS, KINDS).after(kind, Tries.NONE, 0.5);
        var again = assertInstanceOf(Again.class, decision);
        assertEquals(Duration.ZERO, again.pause());
        assertEquals(1, again.tries().sum());
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "0, SUCCEEDED",
        "205, TRANSIENT",
        "206, PERMANENT",
        "190, CONFLICT",
        "1, UNKNOWN",
        "177, UNKNOWN",
    })
    void o40ExitCodesHaveAKind(int code, Kind kind) {
        Verdict verdict = code == 0 ? new Verdict.Succeeded() : new Verdict.Failed(code, "");
        assertEquals(kind, new RetryPolicy(0, KINDS).kind(verdict, List.of()));
    }

    @Test
    void o40ALostAttemptIsTransient() {
        assertEquals(
                Kind.TRANSIENT,
                new RetryPolicy(0, Map.of()).kind(new Verdict.Lost("node gone"), List.of()));
    }

    /** The kernel's SIGKILL alone would be transient. */
    @Test
    void o40WhoTookTooMuchMemoryIsNotTriedAgain() {
        var policy = new RetryPolicy(3, Map.of(137, Kind.TRANSIENT));
        var verdict = new Verdict.Failed(137, "killed");
        Exit killed = Exit.of(137, Samples.NOON);
        var starved = new Exit(killed.code(), false, true, "out of memory", killed.at());
        assertEquals(Kind.TRANSIENT, policy.kind(verdict, List.of(killed)));
        assertEquals(Kind.PERMANENT, policy.kind(verdict, List.of(killed, starved)));
    }

    /** Two of three may fail: no policy is asked about the first one. */
    @Test
    void o41ASingleTaskIsNeverTriedAgain() {
        var role =
                new Role(
                        "worker",
                        3,
                        List.of("true"),
                        new Resources(1, 0, 0),
                        OptionalInt.of(2),
                        OptionalInt.empty());
        JobSpec spec = Samples.spec(role);
        var one = Map.of(new TaskId("worker", 0), Exit.of(205, Samples.NOON));
        assertEquals(Optional.empty(), Completion.verdict(spec, one));
        var all = new TreeMap<>(one);
        all.put(new TaskId("worker", 1), Exit.of(0, Samples.NOON));
        all.put(new TaskId("worker", 2), Exit.of(0, Samples.NOON));
        var policy = new RetryPolicy(RetryPolicy.WITHOUT_LIMIT, KINDS);
        Kind kind = policy.kind(Completion.verdict(spec, all).orElseThrow(), all.values());
        assertEquals(new Over(), policy.after(kind, Tries.NONE, 0));
    }

    @Test
    void o46RetriesAreTheSumOfAllKinds() {
        var tries = Tries.NONE;
        var policy = new RetryPolicy(RetryPolicy.ALWAYS, KINDS);
        for (Kind kind : Kind.values()) {
            tries = assertInstanceOf(Again.class, policy.after(kind, tries, 0)).tries();
        }
        assertEquals(new Tries(1, 1, 1, 1, 1), tries);
        assertEquals(5, tries.sum());
    }

    @Test
    void policiesThatMeanNothingAreRefused() {
        assertThrows(SpecException.class, () -> new RetryPolicy(-3, Map.of()));
        assertThrows(SpecException.class, () -> new RetryPolicy(1_000_001, Map.of()));
        assertThrows(SpecException.class, () -> new RetryPolicy(0, Map.of(0, Kind.UNKNOWN)));
        assertThrows(SpecException.class, () -> new RetryPolicy(0, Map.of(7, Kind.SUCCEEDED)));
    }
}
