package fairlead.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import fairlead.cli.server.Places;
import fairlead.cli.terminal.UsageException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Where a user's own server lives; python/tests/test_client.py holds the same for Python. */
class PlacesTest {
    @TempDir Path user;

    private Places places(String... variables) throws UsageException {
        var environment = new HashMap<>(Map.of("HOME", user.toString()));
        for (int i = 0; i < variables.length; i += 2)
            environment.put(variables[i], variables[i + 1]);
        return Places.of(environment, Path.of("/work"));
    }

    @Test
    void aNewUserHasTheFoldersOfTheSpecification() throws Exception {
        Places usual = places("XDG_STATE_HOME", "");
        assertEquals(user.resolve(".local/state/fairlead"), usual.home());
        assertEquals(user.resolve(".config/fairlead/settings"), usual.settings());
        assertEquals("default", usual.from());
        Places said = places("XDG_STATE_HOME", "/s", "XDG_CONFIG_HOME", "/c");
        assertEquals(Path.of("/s/fairlead"), said.home());
        assertEquals(Path.of("/c/fairlead/settings"), said.settings());
        assertEquals("XDG_STATE_HOME", said.from());
        assertEquals("XDG_CONFIG_HOME", said.settingsFrom());
        assertEquals(usual, places("XDG_STATE_HOME", "relative", "XDG_CONFIG_HOME", "relative"));
    }

    @Test
    void anOldHomeIsUsedOnAsItIs() throws Exception {
        Path old = Files.createDirectory(user.resolve(".fairlead"));
        Places places = places("XDG_STATE_HOME", "/s", "XDG_CONFIG_HOME", "/c");
        assertEquals(old, places.home());
        assertEquals(old.resolve("settings"), places.settings());
    }

    @Test
    void aNamedHomeGoesFirst() throws IOException, UsageException {
        Files.createDirectory(user.resolve(".fairlead"));
        Places places = places("FAIRLEAD_HOME", "there", "XDG_STATE_HOME", "/s");
        assertEquals(Path.of("/work/there"), places.home());
        assertEquals(Path.of("/work/there/settings"), places.settings());
        assertThrows(UsageException.class, () -> Places.of(Map.of(), Path.of("/")));
    }
}
