package fairlead.dialects.openpai;

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
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/** The words are run by a real bash. */
class StartCommandTest {
    @TempDir Path folder;

    private record Ran(int code, String output) {}

    private Ran run(String command) throws IOException, InterruptedException {
        var role =
                new PaiTaskRole(
                        "main",
                        1,
                        1,
                        100,
                        64,
                        0,
                        List.of(),
                        command,
                        OptionalInt.of(1),
                        OptionalInt.empty());
        Path output = folder.resolve("output");
        var builder =
                new ProcessBuilder(StartCommand.words(role))
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile());
        builder.environment().put("PAI_TASK_INDEX", "7");
        Process process = builder.start();
        assertTrue(process.waitFor(20, TimeUnit.SECONDS), "bash hangs");
        return new Ran(
                process.exitValue(), Files.readString(output, StandardCharsets.UTF_8).strip());
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "echo $PAI_TASK_INDEX                    | 0   | 7",
                "echo a && echo b                        | 0   | ab",
                "echo a && false && echo b               | 1   | a",
                "exit 205                                | 205 | ``",
                "(exit 3)                                | 3   | ``",
                "kill -9 $$                              | 137 | ``",
                "echo \"it's\" '$HOME'                  | 0   | it's $HOME",
                "x='a b'; echo \"$x\"                    | 0   | a b",
                "echo $# $1 $0                           | 0   | 0 bash",
            })
    void o35TheCommandIsEvaluatedAndItsExitCodeKept(String command, int code, String output)
            throws IOException, InterruptedException {
        Ran ran = run(command);
        assertEquals(output == null ? "" : output, ran.output().replace("\n", ""));
        assertEquals(code, ran.code());
    }

    @Test
    void o35CommandsOfSeveralLinesAndLoopsRun() throws IOException, InterruptedException {
        Ran ran = run("for i in 1 2\ndo\n  echo $i\ndone | tac\ntest -n \"$PAI_WORK_DIR\"");
        assertEquals(new Ran(0, "2\n1"), ran);
    }

    @Test
    void o23TheWorkingDirectoryIsAVariable() throws IOException, InterruptedException {
        Ran ran = run("printenv PAI_WORK_DIR");
        assertEquals(folder.toRealPath(), Path.of(ran.output()).toRealPath());
    }

    @Test
    void theCommandIsFoundInItsWordsAndInNoOthers() {
        var old = List.of("/bin/bash", "-c", "pai_command=$1; shift; old", "bash", "echo it's");
        assertEquals(Optional.of("echo it's"), StartCommand.written(old));
        assertEquals(
                Optional.empty(), StartCommand.written(List.of("/bin/bash", "-c", "a", "b", "c")));
        assertEquals(Optional.empty(), StartCommand.written(List.of()));
    }
}
