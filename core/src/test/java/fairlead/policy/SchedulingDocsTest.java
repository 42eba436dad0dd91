package fairlead.policy;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Runs the examples of docs/scheduling.md. */
class SchedulingDocsTest {
    static Stream<List<String>> examples() throws IOException {
        Path file = Path.of("docs/scheduling.md");
        if (!Files.exists(file)) file = Path.of("..").resolve(file);
        var examples = new ArrayList<List<String>>();
        List<String> open = null;
        for (String line : Files.readAllLines(file)) {
            if (line.equals("```scenario")) {
                open = new ArrayList<>();
            } else if (line.equals("```") && open != null) {
                examples.add(open);
                open = null;
            } else if (open != null) {
                open.add(line);
            }
        }
        assertTrue(examples.size() >= 9, "the page has examples");
        return examples.stream();
    }

    @ParameterizedTest
    @MethodSource("examples")
    void theExampleComesOutAsThePageSays(List<String> lines) {
        PolicyScenarioTest.check(Scenario.parse(lines));
    }
}
