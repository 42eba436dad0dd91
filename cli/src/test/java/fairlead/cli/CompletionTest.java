package fairlead.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The completion scripts, run by the shells that they are for. */
class CompletionTest {
    @TempDir Path folder;

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), out);
        return out;
    }

    private Path script(String shell) throws IOException {
        var result = new Shell().type("completion", shell);
        assertEquals(0, result.code(), result.err());
        return Files.writeString(folder.resolve(shell), result.out());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            nullValues = "-",
            value = {
                "sub                      | submit",
                "-n 2 desc                | describe",
                "server st                | start stop status",
                "list --st                | --state",
                "port                     | port-forward",
                "port-forward --a         | --address",
                "attach train_            | train_1_0000000a",
                "-c lab submit --me       | --memory",
                "completion z             | zsh",
                "q train_                 | train_1_0000000a",
                "submit python3           | ''",
            })
    void bashCompletesVerbsOptionsAndJobs(String typed, String expected)
            throws IOException, InterruptedException {
        Files.writeString(folder.resolve("server.json"), "{}");
        String program =
                """
                fairlead() { printf 'ID STATE\\ntrain_1_0000000a running\\n'; }
                FAIRLEAD_HOME='%s'
                source '%s'
                COMP_WORDS=(fairlead %s)
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                _fairlead
                echo "${COMPREPLY[*]}"
                """
                        .formatted(folder, script("bash"), typed);
        assertEquals(expected.replace("''", "") + "\n", run("bash", "-c", program));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "run-scheduler --cus             | --custom_dir",
                "/opt/bin/scheduler-state --n    | --nlast",
                "scheduler-cancel-job train_     | train_1_0000000a",
            })
    void bashCompletesCommandsThatAreVerbs(String typed, String expected)
            throws IOException, InterruptedException {
        Files.writeString(folder.resolve("server.json"), "{}");
        String program =
                """
                fairlead() { printf 'ID STATE\\ntrain_1_0000000a running\\n'; }
                FAIRLEAD_HOME='%s'
                source '%s'
                COMP_WORDS=(%s)
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                _fairlead_verb
                echo "${COMPREPLY[*]}"
                complete -p run-scheduler
                """
                        .formatted(folder, script("bash"), typed);
        assertEquals(
                expected + "\ncomplete -F _fairlead_verb run-scheduler\n",
                run("bash", "-c", program));
    }

    @Test
    void bashAcceptsTheScript() throws IOException, InterruptedException {
        run("bash", "-n", script("bash").toString());
    }

    @Test
    void theTabKeyStartsNoServer() throws IOException, InterruptedException {
        String program =
                """
                fairlead() { echo started >'%1$s/started'; }
                FAIRLEAD_HOME='%1$s'
                source '%2$s'
                COMP_WORDS=(fairlead q x)
                COMP_CWORD=2
                _fairlead
                """
                        .formatted(folder, script("bash"));
        run("bash", "-c", program);
        assertTrue(Files.notExists(folder.resolve("started")));
    }

    @Test
    void zshAcceptsTheScript() throws IOException, InterruptedException {
        run("zsh", "-n", script("zsh").toString());
    }
}
