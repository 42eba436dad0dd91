package fairlead.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.Release;
import fairlead.cli.server.OtherVersion;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;

/** A command and a server of different releases. */
class OtherVersionTest {
    private static final String NEWER = "999.0.0";
    private static final String OLDER = "0.0.1";

    @TempDir Path home;

    private FakeServer server;
    private Shell shell;

    @BeforeEach
    void startServer() throws IOException {
        server = new FakeServer();
        shell = Shell.of(server);
        shell.terminal = true;
        shell.environment.put("FAIRLEAD_HOME", home.toString());
    }

    @AfterEach
    void stopServer() {
        server.close();
    }

    @Test
    void isToldOnceForEachTwo() {
        assertEquals("", shell.type("list").err());
        server.version = NEWER;
        assertTrue(shell.type("list").err().contains("the server is newer (" + NEWER + ")"));
        assertEquals("", shell.type("list").err());
        server.version = OLDER;
        assertTrue(shell.type("list").err().contains("the server is older (" + OLDER + ")"));
        assertEquals("", shell.type("list").err());
    }

    @Test
    void isNotToldToPrograms() {
        server.version = NEWER;
        shell.terminal = false;
        assertEquals("", shell.type("list").err());
        shell.terminal = true;
        assertFalse(shell.type("list").err().isEmpty());
    }

    @Test
    void theWayToUpgradeIsThatOfTheInstallation() {
        Path checkout = Path.of("..").toAbsolutePath().normalize();
        assertEquals(
                "git pull, in " + checkout + "; the next command builds it",
                OtherVersion.upgradeOf(checkout.resolve(".build/dist-1")));
        assertEquals(
                "unpack a newer fairlead-client.zip over " + home.resolve("fairlead"),
                OtherVersion.upgradeOf(home.resolve("fairlead")));
    }

    @Test
    void isPartOfEveryRefusal() {
        server.version = OLDER;
        for (int i = 0; i < 2; i++) {
            var refused = shell.type("why", "nobody");
            assertTrue(
                    refused.err().contains("the server is older (" + OLDER + ")"), refused.err());
        }
        server.version = Release.VERSION;
        assertFalse(shell.type("why", "nobody").err().contains("older"));
    }
}
