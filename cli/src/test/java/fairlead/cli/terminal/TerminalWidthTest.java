package fairlead.cli.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;

class TerminalWidthTest {
    private static Terminal with(Map<String, String> environment) {
        return new Terminal(
                InputStream.nullInputStream(),
                OutputStream.nullOutputStream(),
                OutputStream.nullOutputStream(),
                false,
                false,
                false,
                environment,
                Path.of("/"),
                InstantSource.fixed(Instant.EPOCH));
    }

    @Test
    void theEnvironmentSaysIt() {
        Terminal said = with(Map.of("COLUMNS", "40", "LINES", "12"));
        assertEquals(40, TerminalWidth.of(said));
        assertEquals(12, TerminalWidth.lines(said));
    }

    @Test
    void whereNobodyWatchesItIsTheUsualOne() {
        Terminal nobody = with(Map.of("COLUMNS", "wide", "LINES", ""));
        assertEquals(80, TerminalWidth.of(nobody));
        assertEquals(24, TerminalWidth.lines(nobody));
    }
}
