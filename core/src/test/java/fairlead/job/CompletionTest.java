package fairlead.job;

import static fairlead.job.Samples.NOON;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

class CompletionTest {
    /** Exits are written as role, index and code: {@code w0=0 w1=7 p0=lost}. */
    @ParameterizedTest(name = "{0} of 3 workers and 1 ps, rules {1}/{2}: {3}")
    @CsvSource({
        // The default: one failure fails the attempt, all successes end it well.
        "'',                    1,  , open",
        "'w0=0 w1=0',           1,  , open",
        "'w0=0 w1=7',           1,  , failed 7",
        "'w0=0 w1=0 w2=0 p0=0', 1,  , succeeded",
        // Two failures are needed.
        "'w0=7',                2,  , open",
        "'w0=7 w1=9',           2,  , failed 9",
        // Enough successes end it while others run.
        "'w0=0',                1, 2, open",
        "'w0=0 w2=0',           1, 2, succeeded",
        // No rule fires: when all have ended it has succeeded, whatever the codes.
        "'w0=7 w1=7 w2=7',       ,  , open",
        "'w0=7 w1=7 w2=7 p0=0',  ,  , succeeded",
        // A rule of another role counts too.
        "'p0=3',                1,  , failed 3",
        // A lost task is nobody's fault, even beside a failed one.
        "'w0=7 w1=lost',        1,  , lost",
    })
    void exitsEndTheAttempt(
            String exits, Integer minFailed, Integer minSucceeded, String expected) {
        var spec = Samples.spec(worker(minFailed, minSucceeded), Samples.role("ps", 1, 0));
        String verdict =
                Completion.verdict(spec, parse(exits))
                        .map(
                                v ->
                                        switch (v) {
                                            case Verdict.Succeeded _ -> "succeeded";
                                            case Verdict.Failed(int code, _) -> "failed " + code;
                                            case Verdict.Lost _ -> "lost";
                                        })
                        .orElse("open");
        assertEquals(expected, verdict);
    }

    private static Role worker(Integer minFailed, Integer minSucceeded) {
        return new Role(
                "worker",
                3,
                List.of("true"),
                new Resources(1, 0, 0),
                threshold(minFailed),
                threshold(minSucceeded));
    }

    private static OptionalInt threshold(Integer value) {
        return value == null ? OptionalInt.empty() : OptionalInt.of(value);
    }

    private static Map<TaskId, Exit> parse(String text) {
        var exits = new TreeMap<TaskId, Exit>();
        for (String each : text.isEmpty() ? new String[0] : text.split(" ")) {
            String role = each.startsWith("w") ? "worker" : "ps";
            var task = new TaskId(role, Integer.parseInt(each.substring(1, 2)));
            String code = each.substring(3);
            exits.put(
                    task,
                    code.equals("lost")
                            ? Exit.lost("node gone", NOON.plusSeconds(exits.size()))
                            : Exit.of(Integer.parseInt(code), NOON.plusSeconds(exits.size())));
        }
        return exits;
    }
}
