package fairlead.dialects.act;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.zip.InflaterInputStream;

class NodeProgramTest {
    /** What Linux takes as one variable. */
    private static final int VARIABLE_BYTES_MAX = 128 * 1024;

    @Test
    void itFitsIntoAVariableWithRoomToSpare() throws Exception {
        String text = NodeProgram.text();
        assertTrue(text.length() < VARIABLE_BYTES_MAX / 4, "it takes " + text.length());
        var packed = new ByteArrayInputStream(Base64.getDecoder().decode(text));
        String json = new String(new InflaterInputStream(packed).readAllBytes(), UTF_8);
        assertTrue(json.startsWith("{\"blobs\":\""), json.substring(0, 40));
        assertEquals(text, NodeProgram.text());
    }

    /** Goal: land where the runner has put the code. Method: that folder, and a real shell. */
    @Test
    void a36a58AShellGoesToTheCodeOfTheAttempt(@TempDir Path folder) throws Exception {
        long user = (Integer) Files.getAttribute(folder, "unix:uid");
        Path code = folder.resolve("fairlead-act-" + user + "/12_0000abcd-2/code");
        Files.createDirectories(code);
        String line = NodeProgram.toCode("my_job_12_0000abcd", 2);
        var shell = new ProcessBuilder("sh", "-c", line + "; pwd").directory(folder.toFile());
        shell.environment().put("TMPDIR", folder.toString());
        var process = shell.start();
        assertEquals(code + "\n", new String(process.getInputStream().readAllBytes(), UTF_8));
    }

    @Test
    void theWordsOfTheUserComeLastAndAsTheyAre() {
        List<String> words = NodeProgram.around(List.of("python", "train.py", "--name", "a b"));
        assertEquals(List.of("python3", "-c"), words.subList(0, 2));
        assertEquals(
                List.of("run", "python", "train.py", "--name", "a b"),
                words.subList(3, words.size()));
    }
}
