package fairlead.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.cli.server.TransferProgram;
import fairlead.cli.terminal.ExitCode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The verbs that another program does: which words it gets, and what becomes of its exit code. */
class TransferProgramTest {
    @TempDir Path folder;

    private final Shell shell = new Shell();

    /** Keeps its words, one on a line, and ends with a code. */
    private TransferProgram keeping(int code) {
        String script = "printf '%s\\n' \"$@\" >words; exit " + code;
        return new TransferProgram(List.of("sh", "-c", script, "java"));
    }

    private List<String> words(String... typed) throws IOException {
        shell.folder = folder;
        shell.transferProgram = keeping(0);
        assertEquals(0, shell.type(typed).code());
        return Files.readAllLines(folder.resolve("words"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "ls data/voc20                      | ls -- data/voc20",
                "u data/voc20                       | upload -- data/voc20",
                "d data/coco                        | download -- data/coco",
                "rm -y data/coco                    | rm --yes -- data/coco",
                "-y rm data/coco                    | rm --yes -- data/coco",
                "-c eu -f we3v32 u data/voc20       | upload --cluster eu --from_cluster we3v32 --"
                        + " data/voc20",
                "url data/a data/b                  | url -- data/a data/b",
                "init                               | init",
                "-c eu initic                       | initic --cluster eu",
                "init --philly                      | init --philly",
            })
    void linesOfActArriveAsWords(String typed, String wanted) throws IOException {
        List<String> all = words(typed.split(" +"));
        int main = all.indexOf("fairlead.transfer.Main");
        assertEquals(wanted, String.join(" ", all.subList(main + 1, all.size())));
        assertTrue(all.subList(0, main).contains("-Dfairlead.terminal="), all.toString());
    }

    @Test
    void itsExitCodeIsTheCommands() {
        shell.folder = folder;
        shell.transferProgram = keeping(4);
        assertEquals(4, shell.type("ls", "data/x").code());
    }

    @Test
    void aMissingProgramIsTold() {
        Shell.Result result = shell.type("ls", "data/x");
        assertEquals(ExitCode.REFUSED, result.code());
        assertTrue(result.err().contains("lib/transfer is missing"), result.err());
    }

    @Test
    void aPathIsNeeded() {
        shell.transferProgram = keeping(0);
        Shell.Result result = shell.type("ls");
        assertEquals(ExitCode.USAGE, result.code());
        assertTrue(result.err().contains("which path?"), result.err());
    }
}
