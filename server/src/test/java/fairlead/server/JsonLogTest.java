package fairlead.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.server.bodies.JsonTree;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.LogRecord;

final class JsonLogTest {
    @TempDir Path folder;

    @Test
    void aRecordIsOneLineOfJsonWhateverItsText() throws Exception {
        Path file = folder.resolve("server.log");
        var log = new JsonLog(file, 1 << 20);
        var record = new LogRecord(Level.WARNING, "{0} said \"no\"\nand left");
        record.setParameters(new Object[] {"ann"});
        record.setLoggerName("fairlead.test");
        record.setThrown(new IllegalStateException("boom"));
        log.publish(record);
        var lines = Files.readAllLines(file);
        assertEquals(1, lines.size());
        var fields = JsonTree.object(JsonTree.read(lines.getFirst()));
        assertEquals("ann said \"no\"\nand left", fields.get("message"));
        assertEquals("WARNING", fields.get("level"));
        assertEquals("fairlead.test", fields.get("logger"));
        assertTrue(((String) fields.get("stack")).contains("IllegalStateException: boom"));
    }

    @Test
    void aContainersLogHasTheSameLines() throws Exception {
        Path file = folder.resolve("server.log");
        var log = new JsonLog(file, 1 << 20);
        var out = new ByteArrayOutputStream();
        log.also(new PrintStream(out, false, StandardCharsets.UTF_8));
        log.publish(new LogRecord(Level.INFO, "up"));
        assertEquals(Files.readString(file), out.toString(StandardCharsets.UTF_8));
        assertTrue(out.size() > 0);
    }

    @Test
    void aFullFileIsTurnedOverAndOnlyFiveAreKept() throws Exception {
        Path file = folder.resolve("server.log");
        var log = new JsonLog(file, 1_000);
        for (int i = 0; i < 200; i++) log.publish(new LogRecord(Level.INFO, "line " + i));
        assertTrue(Files.readString(file).contains("line 199"));
        for (int i = 1; i <= 4; i++)
            assertTrue(Files.size(folder.resolve("server.log." + i)) <= 1_000);
        assertFalse(Files.exists(folder.resolve("server.log.5")));
    }
}
