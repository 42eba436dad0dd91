package fairlead.server.openpai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.server.TestEngine;
import fairlead.server.TestServer;
import fairlead.server.bodies.JsonTree;
import fairlead.testing.Eventually;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** What OpenPAI's interface tells of logging in to tasks, over real HTTP. */
final class SshTest {
    @TempDir Path folder;
    private TestServer server;
    private Pai ann;
    private Pai guest;
    private Greeter greeter;

    /** Says the first words of an SSH server, or of another, to everyone who comes. */
    private static final class Greeter implements AutoCloseable {
        private final ServerSocket socket;
        private final Thread greeting;
        private volatile String words = "SSH-2.0-greeter\r\n";

        Greeter() throws IOException {
            socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            greeting = Thread.ofVirtual().start(this::greet);
        }

        int port() {
            return socket.getLocalPort();
        }

        void say(String other) {
            words = other;
        }

        private void greet() {
            while (!socket.isClosed()) {
                try (var visitor = socket.accept()) {
                    visitor.getOutputStream().write(words.getBytes(StandardCharsets.US_ASCII));
                } catch (IOException _) {
                    // Closed, or the visitor has gone.
                }
            }
        }

        /** Until the thread has ended, one more visitor may be let in. */
        @Override
        public void close() throws IOException {
            socket.close();
            try {
                greeting.join();
            } catch (InterruptedException interrupted) {
                throw new IOException(interrupted);
            }
        }
    }

    @BeforeEach
    void start() throws Exception {
        server = new TestServer(folder, new TestEngine(2));
        ann = Pai.owner(server);
        guest = Pai.guest(server);
        greeter = new Greeter();
    }

    @AfterEach
    void stop() throws Exception {
        greeter.close();
        server.close();
    }

    private void submit(String target) throws Exception {
        String port = "\"portList\": [{\"label\": \"ssh\", \"beginAt\": %d}], ";
        String file =
                Pai.file("one", "")
                        .replace("\"command\"", port.formatted(greeter.port()) + "\"command\"");
        ann.must(202, "POST", target, file);
    }

    @Test
    void o68ARunningJobTellsWhereItsTasksAndItsKeyAre() throws Exception {
        submit("/user/ann/jobs");
        ann.awaitState("ann", "one", "RUNNING");
        Map<String, Object> info = guest.must(200, "GET", "/user/ann/jobs/one/ssh", null);
        assertEquals(List.of("containers", "keyPair"), List.copyOf(info.keySet()));
        var container = JsonTree.object(((List<?>) info.get("containers")).getFirst());
        assertEquals(List.of("id", "sshIp", "sshPort"), List.copyOf(container.keySet()));
        assertEquals("127.0.0.1", container.get("sshIp"));
        assertEquals(Integer.toString(greeter.port()), container.get("sshPort"));
        var pair = JsonTree.object(info.get("keyPair"));
        assertEquals("/Container/ann/ann~one/ssh/keyFiles", pair.get("folderPath"));
        assertEquals("ann~one", pair.get("privateKeyFileName"));
        assertEquals("ann~one.pub", pair.get("publicKeyFileName"));
        String link = (String) pair.get("privateKeyDirectDownloadLink");
        assertTrue(link.startsWith(server.url() + "/api/v1/"), link);
        String target = link.substring((server.url() + "/api/v1").length());
        String key = ann.call("GET", target, null).body();
        assertTrue(key.startsWith("-----BEGIN OPENSSH PRIVATE KEY-----\n"), "a key file");
        String open = ann.call("GET", target + ".pub", null).body();
        assertTrue(open.startsWith("ssh-ed25519 "), open);
    }

    @Test
    void o79WithoutAnSshServerThereIsNoInfo() throws Exception {
        guest.refused(404, "NoJobError", "GET", "/user/ann/jobs/one/ssh", null);
        greeter.say("220 smtp.example.com ready\r\n");
        submit("/user/ann/jobs");
        ann.awaitState("ann", "one", "RUNNING");
        guest.refused(404, "NoJobSshInfoError", "GET", "/user/ann/jobs/one/ssh", null);
        greeter.say("SSH-2.0-greeter\r\n");
        guest.must(200, "GET", "/user/ann/jobs/one/ssh", null);
        greeter.close();
        guest.refused(404, "NoJobSshInfoError", "GET", "/user/ann/jobs/one/ssh", null);
    }

    @Test
    void o68AndO87OnlyAJobThatRunsHasInfo() throws Exception {
        submit("/user/ann/jobs");
        ann.awaitState("ann", "one", "RUNNING");
        server.engine().end(ann.id("ann", "one"), 0);
        ann.awaitState("ann", "one", "SUCCEEDED");
        guest.refused(404, "NoJobSshInfoError", "GET", "/user/ann/jobs/one/ssh", null);
        assertEquals(
                "SSH info of job one is not found. The job does not run.",
                guest.must(404, "GET", "/user/ann/jobs/one/ssh", null).get("message"));
    }

    @Test
    void o79OnlyTheOwnerAndAdminsGetTheKey() throws Exception {
        ann.create("bob", "secret1", false);
        ann.create("eve", "secret2", false);
        Pai bob = guest.logIn("bob", "secret1");
        bob.submit("bob", "his", "");
        String key = "/user/bob/jobs/his/ssh/keyFiles/bob~his";
        Pai eve = guest.logIn("eve", "secret2");
        eve.refused(403, "ForbiddenUserError", "GET", key, null);
        guest.refused(401, "UnauthorizedUserError", "GET", key, null);
        String his = bob.call("GET", key + ".pub", null).body();
        assertEquals(his, ann.call("GET", key + ".pub", null).body());
        bob.refused(404, "NoJobSshInfoError", "GET", key + ".other", null);
        String ours = server.submit("ours");
        ann.refused(
                404, "NoJobSshInfoError", "GET", "/jobs/" + ours + "/ssh/keyFiles/" + ours, null);
    }

    @Test
    void o69LegacyJobsHaveInfoToo() throws Exception {
        submit("/jobs");
        Eventually.when(
                "it runs", () -> guest.call("GET", "/jobs/one/ssh", null).statusCode() == 200);
        var info = guest.must(200, "GET", "/jobs/one/ssh", null);
        assertEquals("one", JsonTree.object(info.get("keyPair")).get("privateKeyFileName"));
        assertEquals(200, ann.call("GET", "/jobs/one/ssh/keyFiles/one", null).statusCode());
    }
}
