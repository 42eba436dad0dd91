package fairlead.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Every setting with its value and where it comes from. */
final class ShowSettingsTest {
    @TempDir Path home;

    private List<String> shown(String... flags) throws StartException {
        var words = new ArrayList<>(List.of("--home", home.toString()));
        words.addAll(List.of(flags));
        return ShowSettings.text(words).lines().toList();
    }

    @Test
    void eachSettingIsShownWithItsDefault() throws Exception {
        List<String> lines = shown();
        assertEquals(Settings.KEYS, lines.stream().map(line -> line.split("\t")[0]).toList());
        assertTrue(lines.stream().allMatch(line -> line.endsWith("\tdefault")), "" + lines);
        assertTrue(lines.contains("stop-grace\t30s\tdefault"), "" + lines);
        assertTrue(lines.contains("log-bytes\t256M\tdefault"), "" + lines);
    }

    @Test
    void flagsGoBeforeTheFileAndTheFileMayBeElsewhere() throws Exception {
        Path file = home.resolve("elsewhere");
        Files.writeString(
                file,
                "# ours\nkeep = 7d\nport = 7300\nclusters = local, lab\n"
                        + "lab.engine = kubernetes\n");
        List<String> lines = shown("--settings", file.toString(), "--port", "7400");
        assertTrue(lines.contains("keep\t7d\t" + file + " line 2"), "" + lines);
        assertTrue(lines.contains("port\t7400\tflag of 'server start'"), "" + lines);
        assertTrue(lines.contains("clusters\tlab, local\t" + file + " line 4"), "" + lines);
        assertTrue(lines.contains("lab.engine\tkubernetes\t" + file + " line 5"), "" + lines);
        Files.writeString(file, "kepe = 7d\n");
        String message =
                assertThrows(StartException.class, () -> shown("--settings", file.toString()))
                        .getMessage();
        assertTrue(message.startsWith(file + " line 1: unknown key 'kepe'"), message);
    }
}
