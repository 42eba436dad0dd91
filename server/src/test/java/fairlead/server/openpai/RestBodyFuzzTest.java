package fairlead.server.openpai;

import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.code_intelligence.jazzer.junit.FuzzTest;

import fairlead.api.json.BadBody;

import org.junit.jupiter.params.provider.MethodSource;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * Goal: no body of a call makes its reader fail in another way than by a refusal, and whatever is
 * taken keeps the limits that the calls ask for. Method: Jazzer changes good bodies, the first byte
 * of which says how they were sent, and watches which code they reach.
 */
class RestBodyFuzzTest {
    private static final int PERCENT_MAX = 100;
    private static final int SECONDS_MAX = 604_800;

    static Stream<byte[]> goodBodies() {
        return Stream.of(
                        "j{\"username\": \"ann\", \"password\": \"s3cret\", \"expiration\": 60}",
                        "j{\"username\": \"bob\", \"admin\": true, \"modify\": \"false\"}",
                        "j{\"vcCapacity\": 30.5, \"vcMaxCapacity\": \"1e1\"}",
                        "j{\"value\": \"STOP\"}",
                        "j{\"virtualClusters\": \"a,b\"}",
                        "fusername=ann&password=s3%20cret&expiration=600",
                        "fvcCapacity=30&vcStatus=stopped")
                .map(text -> text.getBytes(UTF_8));
    }

    @MethodSource("goodBodies")
    @FuzzTest
    void aBodyIsReadOrRefused(byte[] data) {
        if (data.length == 0) return;
        byte[] body = Arrays.copyOfRange(data, 1, data.length);
        Fields fields;
        try {
            fields = data[0] == 'f' ? Fields.ofForm(body) : Fields.ofJson(body);
        } catch (PaiProblem | BadBody _) {
            return;
        }
        for (String name : fields.values().keySet()) check(fields, name);
    }

    private static void check(Fields fields, String name) {
        tried(() -> fields.requiredText(name));
        tried(() -> fields.requiredFlag(name));
        tried(
                () -> {
                    int seconds = fields.wholeNumber(name, 60, SECONDS_MAX).orElseThrow();
                    assertTrue(seconds >= 60 && seconds <= SECONDS_MAX, () -> "" + seconds);
                });
        tried(
                () -> {
                    BigDecimal percent =
                            fields.number(name, BigDecimal.ZERO, BigDecimal.valueOf(PERCENT_MAX))
                                    .orElseThrow();
                    double value = percent.doubleValue();
                    assertTrue(value >= 0 && value <= PERCENT_MAX, percent::toString);
                });
        tried(() -> fields.only("username"));
    }

    private static void tried(Runnable read) {
        try {
            read.run();
        } catch (PaiProblem _) {
            // A refusal in words for the caller, which is all that may happen.
        }
    }
}
