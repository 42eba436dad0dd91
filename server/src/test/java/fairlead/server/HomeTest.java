package fairlead.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.server.bodies.JsonTree;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

final class HomeTest {
    @TempDir Path folder;

    private static String mode(Path path) throws Exception {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void onlyTheOwnerCanLookInside() throws Exception {
        Path path = folder.resolve("new/home");
        try (var home = Home.open(path)) {
            String token = home.token();
            home.secret();
            home.announce("http://127.0.0.1:1", token);
            assertEquals("rwx------", mode(path));
            assertEquals("rw-------", mode(path.resolve("token")));
            assertEquals("rw-------", mode(path.resolve("secret")));
            assertEquals("rw-------", mode(path.resolve("server.json")));
        }
    }

    @Test
    void theTokenIsLongRandomAndStaysTheSame() throws Exception {
        String token;
        try (var home = Home.open(folder)) {
            token = home.token();
        }
        assertTrue(token.matches("[0-9a-f]{64}"), token);
        try (var again = Home.open(folder)) {
            assertEquals(token, again.token());
        }
        try (var other = Home.open(folder.resolve("other"))) {
            assertNotEquals(token, other.token());
        }
    }

    @Test
    void theSecretOfJobsIsAnotherAndStaysTheSameToo() throws Exception {
        String secret;
        try (var home = Home.open(folder)) {
            secret = home.secret();
            assertNotEquals(home.token(), secret);
        }
        try (var again = Home.open(folder)) {
            assertEquals(secret, again.secret());
        }
        Files.writeString(folder.resolve("secret"), "short\n");
        try (var home = Home.open(folder)) {
            assertThrows(StartException.class, home::secret);
        }
    }

    @Test
    void whatALinkLeadsToIsLeftAsItIs() throws Exception {
        Path other = Files.writeString(folder.resolve("other"), "x".repeat(64));
        Files.setPosixFilePermissions(other, PosixFilePermissions.fromString("rw-r--r--"));
        Path path = folder.resolve("home");
        try (var home = Home.open(path)) {
            Files.createSymbolicLink(path.resolve("token"), other);
            var refusal = assertThrows(StartException.class, home::token);
            assertTrue(refusal.getMessage().contains("is a link"), refusal::getMessage);
        }
        assertEquals("rw-r--r--", mode(other));
        assertEquals("x".repeat(64), Files.readString(other));
    }

    @Test
    void jobsAreToldTheAddressAndNothingElse() throws Exception {
        try (var home = Home.open(folder)) {
            home.announce("http://127.0.0.1:4711", "t0k3n");
            assertEquals(
                    "{\"url\":\"http://127.0.0.1:4711\"}\n", Files.readString(home.addressFile()));
            home.withdraw();
            assertFalse(Files.exists(home.addressFile()));
        }
    }

    @Test
    void aTokenThatIsTooShortIsRefused() throws Exception {
        Files.writeString(folder.resolve("token"), "secret\n");
        try (var home = Home.open(folder)) {
            assertThrows(StartException.class, home::token);
        }
    }

    @Test
    void theServerFileSaysWhereTheServerIsUntilItIsWithdrawn() throws Exception {
        Path file = folder.resolve("server.json");
        try (var home = Home.open(folder)) {
            home.announce("http://127.0.0.1:4711", "t0k3n");
            var content = JsonTree.object(JsonTree.read(Files.readString(file)));
            assertEquals("http://127.0.0.1:4711", content.get("url"));
            assertEquals("t0k3n", content.get("token"));
            assertEquals(BigDecimal.valueOf(ProcessHandle.current().pid()), content.get("pid"));
            home.withdraw();
            assertFalse(Files.exists(file));
        }
    }

    @Test
    void whatACrashedServerLeftBehindIsRemovedAtTheStart() throws Exception {
        Files.writeString(folder.resolve("server.json"), "{\"url\":\"old\"}");
        try (var _ = Home.open(folder)) {
            assertFalse(Files.exists(folder.resolve("server.json")));
        }
    }

    @Test
    void aSecondServerOnTheSameHomeIsRefusedAndToldOfTheFirst() throws Exception {
        try (var first = Home.open(folder)) {
            first.announce("http://127.0.0.1:4711", "t0k3n");
            var refusal = assertThrows(StartException.class, () -> Home.open(folder));
            assertEquals(4, refusal.exitCode());
            assertTrue(refusal.getMessage().contains("http://127.0.0.1:4711"));
            assertTrue(refusal.getMessage().contains("process " + ProcessHandle.current().pid()));
            assertTrue(Files.exists(folder.resolve("server.json")));
        }
        Home.open(folder).close();
    }
}
