package fairlead.server.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import fairlead.control.Refused;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

class AnswersTest {
    @Test
    void anAnswerThatDoesNotComeInTimeLeavesOpenWhetherItIsDone() {
        var never = new CompletableFuture<String>();
        var refused = assertThrows(Refused.class, () -> Answers.await(never, Duration.ofMillis(1)));
        assertEquals(Refused.Kind.UNDECIDED, refused.kind());
    }
}
