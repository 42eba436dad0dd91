package fairlead.endtoend;

import fairlead.cli.Verbs;
import fairlead.cli.line.Example;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Every example of every help text does what it says, in a shell that stands in the checkout. */
class ExamplesTest {
    @TempDir static Path folder;
    private static Installation fairlead;

    @BeforeAll
    static void start() throws IOException {
        fairlead = Installation.withSettings(folder.resolve("home"), "gpus = 4");
    }

    @AfterAll
    static void stop() {
        fairlead.close();
    }

    static List<Example> examples() {
        return Verbs.examples();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("examples")
    void theExampleWorks(Example example) {
        String line = example.line();
        if (line.contains(Example.JOB)) {
            String id = fairlead.submit("-n0", "submit", "echo hello");
            fairlead.run("wait", id).expect(0);
            line = line.replace(Example.JOB, id.substring(id.length() - Example.JOB.length()));
        }
        fairlead.type("TMPDIR='" + folder + "'; export TMPDIR; " + line).expect(example.exit());
    }
}
