package fairlead.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.testing.Eventually;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/** Somebody else on one's server: they come, are trusted more and less, and go. */
class PeopleTest {
    /** An account of every Linux that may do nothing. */
    private static final String NOBODY = "nobody";

    @TempDir Path folder;
    private Installation fairlead;

    @BeforeEach
    void start() throws IOException {
        fairlead =
                Installation.withSettings(
                        folder.resolve("home"), "gpus = 2", "accounts = " + NOBODY);
        fairlead.run("list").expect(0);
    }

    @AfterEach
    void stop() {
        fairlead.close();
    }

    /** The words typed by whoever has this token, on an account of their own. */
    private Installation.Result as(String token, String... words) throws IOException {
        var shell =
                Map.of(
                        "FAIRLEAD_SERVER",
                        fairlead.server().url().toString(),
                        "FAIRLEAD_TOKEN",
                        token);
        return fairlead.run(folder, shell, words);
    }

    /** A server of root's takes somebody else's job only for an account that it may run as. */
    private String submitted(String token, String command) throws IOException {
        var plain = as(token, "-n", "1", "submit", command);
        if (!System.getProperty("user.name").equals("root")) return plain.expect(0).out().strip();
        assertTrue(plain.expect(4).err().contains("This server is root's"), plain.err());
        as(token, "submit", "--user", "root", command).expect(4);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        return as(token, "-n", "1", "submit", "--user", NOBODY, command).expect(0).out().strip();
    }

    @Test
    void noTaskGetsTheHomeOfItsServer() {
        var seen = fairlead.run("-n", "0", "run", "env").expect(0).out();
        assertFalse(seen.contains("FAIRLEAD_HOME="), seen);
        assertTrue(seen.contains("\nFAIRLEAD_URL="), seen);
    }

    /** Whoever sends it names no folder, and the server's home is closed to that account. */
    @Test
    void aJobSentForAnotherAccountHasAFolderOfItsOwn() throws IOException {
        boolean isRoot = System.getProperty("user.name").equals("root");
        String account = isRoot ? NOBODY : System.getProperty("user.name");
        var reply =
                new Caller(fairlead)
                        .call(
                                "POST",
                                "/v1/jobs",
                                "{\"jobs\":[{\"name\":\"own\",\"command\":\"touch it && pwd\",\"gpus\":0,\"user\":\"%s\"}]}"
                                        .formatted(account))
                        .orElseThrow();
        assertEquals(201, reply.status(), reply.body());
        fairlead.run("wait", reply.id()).expect(0);
        Path own = Path.of(fairlead.run("logs", reply.id()).expect(0).out().strip());
        assertTrue(own.endsWith(reply.id()), own.toString());
        fairlead.run("delete", reply.id()).expect(0);
        Eventually.when("the folder is gone", () -> !Files.exists(own));
    }

    @Test
    void aUserComesIsTrustedAndGoesAndTheirJobGoesOn() throws IOException {
        String bob = fairlead.run("user", "create", "bob").expect(0).out().strip();
        fairlead.run("project", "create", "vision", "--quota", "1").expect(0);
        fairlead.run("user", "set", "bob", "--project", "vision").expect(0);
        Path go = folder.resolve("go");
        String wait = "until [ -e '" + go + "' ]; do sleep 0.05; done; echo done";
        String id = submitted(bob, wait);
        String described = fairlead.run("describe", id).expect(0).out();
        assertTrue(described.contains("\nProject    vision\n"), described);

        as(bob, "user", "list", "--json").expect(0);
        as(bob, "user", "create", "eve").expect(4);
        fairlead.run("user", "set", "bob", "--admin").expect(0);
        as(bob, "user", "create", "eve").expect(0);
        var self = as(bob, "user", "delete", "bob").expect(4);
        assertTrue(self.err().contains("cannot delete yourself"), self.err());
        fairlead.run("user", "set", "bob", "--no-admin").expect(0);
        as(bob, "user", "create", "dan").expect(4);

        assertEquals("bob deleted\n", fairlead.run("user", "delete", "bob").expect(0).out());
        var stranger = as(bob, "list").expect(4);
        assertTrue(stranger.err().startsWith("fairlead: the token is wrong\n"), stranger.err());
        fairlead.killServer();
        fairlead.run("server", "start").expect(0);
        as(bob, "list").expect(4);
        assertFalse(fairlead.run("user", "list").expect(0).out().contains("bob"));

        var used = fairlead.run("project", "delete", "vision").expect(4);
        assertTrue(used.err().contains("still has unfinished jobs (1)"), used.err());
        Files.writeString(go, "");
        fairlead.run("wait", id).expect(0);
        assertEquals("done\n", fairlead.run("logs", id).expect(0).out());
        String row = fairlead.run("project", "set", "vision", "--no-quota").expect(0).out();
        assertTrue(row.contains("\nvision   -      0     0        12h          everyone\n"), row);
        fairlead.run("project", "delete", "vision").expect(0);
        assertFalse(fairlead.run("project", "list").expect(0).out().contains("vision"));

        String again = fairlead.run("user", "create", "bob").expect(0).out().strip();
        assertEquals("done\n", as(again, "logs", id).expect(0).out());
    }
}
