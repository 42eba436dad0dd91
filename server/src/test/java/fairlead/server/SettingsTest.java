package fairlead.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

final class SettingsTest {
    @TempDir Path home;

    private Settings read(String... flags) throws StartException {
        var arguments = new ArrayList<>(List.of("--home", home.toString()));
        arguments.addAll(List.of(flags));
        return Settings.read(arguments).settings();
    }

    @Test
    void withoutFlagsAndFileTheseAreTheDefaults() throws Exception {
        assertEquals(
                new Settings(
                        OptionalInt.empty(),
                        0,
                        "elastic",
                        "127.0.0.1",
                        0,
                        256L * 1024 * 1024,
                        Duration.ofSeconds(30),
                        Duration.ofMinutes(5),
                        Duration.ofDays(30)),
                read());
    }

    @Test
    void theFileIsReadAndFlagsGoBeforeIt() throws Exception {
        Files.writeString(
                home.resolve("settings"),
                """
                # a lab's box
                gpus = 4
                gpu-memory = 16G
                policy=fifo

                log-bytes = 1G
                stop-grace = 1m30s
                """);
        Settings settings = read("--gpus", "2", "--keep", "7d", "--port", "8080");
        assertEquals(OptionalInt.of(2), settings.gpus());
        assertEquals(16L << 30, settings.gpuMemoryBytes());
        assertEquals("fifo", settings.policy());
        assertEquals(1L << 30, settings.logBytes());
        assertEquals(Duration.ofSeconds(90), settings.stopGrace());
        assertEquals(Duration.ofDays(7), settings.keep());
        assertEquals(8080, settings.port());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    gpu = 4          | line 1: unknown key 'gpu'; known: gpus, gpu-memory, policy, host, port, log-bytes, stop-grace, undisturbed, keep
                    gpus             | line 1: expected 'key = value'
                    gpus = four      | gpus: must be a whole number from 0 to 4096, but is 'four'
                    gpu-memory = 16  | gpu-memory: must be at least 100M
                    port = 70000     | port: must be a whole number from 0 to 65535
                    policy = lottery | no policy 'lottery'; known:
                    log-bytes = 1    | log-bytes: must be at least
                    keep = soon      | keep: must be a number with a unit
                    """)
    void aBadLineStopsTheStartAndSaysWhy(String line, String words) throws Exception {
        Files.writeString(home.resolve("settings"), line + "\n");
        var refusal = assertThrows(StartException.class, this::read);
        assertTrue(refusal.getMessage().contains(words), refusal.getMessage());
        assertEquals(2, refusal.exitCode());
    }

    @Test
    void aKeyThatStandsTwiceStopsTheStart() throws Exception {
        Files.writeString(home.resolve("settings"), "gpus = 1\ngpus = 2\n");
        var refusal = assertThrows(StartException.class, this::read);
        assertTrue(refusal.getMessage().contains("line 2: 'gpus' stands twice"));
    }

    @Test
    void badFlagsStopTheStart() {
        assertTrue(
                assertThrows(StartException.class, () -> read("--gpu", "1"))
                        .getMessage()
                        .contains("--gpus"));
        assertThrows(StartException.class, () -> read("--gpus"));
        assertThrows(StartException.class, () -> Settings.read(List.of("--gpus", "1")));
    }
}
