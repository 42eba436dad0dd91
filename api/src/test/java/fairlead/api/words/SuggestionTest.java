package fairlead.api.words;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

class SuggestionTest {
    private static final List<String> KNOWN =
            List.of("submit", "list", "--retries", "--gpus", "gpu_per_node", "-n");

    @ParameterizedTest
    @CsvSource({
        "submti, submit",
        "lst, list",
        "--retires, --retries",
        "gpu-per-node, gpu_per_node",
        "GpuPerNod, gpu_per_node",
        "-m, -n"
    })
    void aMistypedWordIsRecognised(String typed, String meant) {
        assertEquals(" Did you mean '" + meant + "'?", Suggestion.of(typed, KNOWN));
    }

    @ParameterizedTest
    @CsvSource({"banana", "sit", "--to"})
    void anotherWordIsNot(String typed) {
        assertEquals("", Suggestion.of(typed, KNOWN));
    }

    @Test
    void aWordOfOneLetterIsNearToNone() {
        assertEquals("", Suggestion.of("cp", List.of("p", "q")));
        assertEquals("", Suggestion.of("u", List.of("p", "q")));
        assertEquals(" Did you mean 'q'?", Suggestion.of("Q", List.of("p", "q")));
    }

    @Test
    void aLongTextIsNotCompared() {
        assertEquals("", Suggestion.of("x".repeat(1_000_000), List.of("x".repeat(999_999))));
    }
}
