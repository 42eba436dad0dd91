package fairlead.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.io.IOException;

/** The same jobs for people and for programs. */
class ListFormsTest {
    @Test
    void theJobsOfAnArrayAreATableOrTheServersAnswer() throws IOException {
        try (var server = new FakeServer()) {
            Shell shell = Shell.of(server);
            String array = shell.type("submit", "--array", "0-2", "echo {i}").out().strip();
            assertEquals(1 + 3, shell.type("list", array).out().lines().count());
            String json = shell.type("list", "--json", array).out();
            assertTrue(json.startsWith("{\"jobs\":[{\"id\":"), json);
            String yaml = shell.type("list", "-o", "yaml", array).out();
            assertTrue(yaml.startsWith("jobs:\n  - id: "), yaml);
        }
    }
}
