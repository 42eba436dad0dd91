package fairlead.engines.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.testing.Eventually;

import io.fabric8.kubernetes.client.dsl.ExecWatch;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Commands, terminals, attaching and ports of pods, through the API server. */
@Tag("cluster")
class PodStreamsTest {
    private static final int EXIT_PATIENCE_SECONDS = 30;

    @TempDir Path folder;
    private TestCluster cluster;
    private PodTrial pods;

    @BeforeEach
    void open() throws Exception {
        cluster = TestCluster.open(folder, TestNode.withGpus("node-a", 2));
        assumeTrue(
                cluster.kubelet().isPresent(),
                "this is about the test kubelet, and the nodes have real ones");
        assumeTrue(cluster.canExec(), () -> cluster.whyNoExec().orElseThrow());
        pods = new PodTrial(cluster, "streams");
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private static int code(ExecWatch watch) throws Exception {
        return watch.exitCode().get(EXIT_PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Test
    void aCommandInAPodReadsItsInputAndItsExitCodeIsSeen() throws Exception {
        pods.create(pods.shell("p", "export A=1; sleep 600"));
        pods.awaitPhase("p", "Running");
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        try (var watch =
                pods.pod("p")
                        .redirectingInput()
                        .writingOutput(out)
                        .writingError(err)
                        .exec("sh", "-c", "read line; echo got $line; echo bad >&2; exit 5")) {
            watch.getInput().write("this\n".getBytes(UTF_8));
            watch.getInput().flush();
            assertEquals(5, code(watch));
        }
        assertEquals("got this\n", out.toString(UTF_8));
        assertEquals("bad\n", err.toString(UTF_8));
    }

    @Test
    void aTerminalHasASizeThatChanges() throws Exception {
        pods.create(pods.shell("p", "sleep 600"));
        pods.awaitPhase("p", "Running");
        var out = new ByteArrayOutputStream();
        try (var watch =
                pods.pod("p")
                        .redirectingInput()
                        .writingOutput(out)
                        .withTTY()
                        .exec(
                                "sh",
                                "-c",
                                "until [ \"$(stty size)\" = '40 100' ]; do sleep 0.05; done; tty;"
                                        + " exit 3")) {
            watch.resize(100, 40);
            assertEquals(3, code(watch));
        }
        assertTrue(out.toString(UTF_8).startsWith("/dev/pts/"), out.toString(UTF_8));
    }

    @Test
    void whoAttachesWritesToTheTaskAndReadsFromIt() throws Exception {
        var pod = pods.shell("p", "read line; echo heard $line; exit 4");
        pod.getSpec().getContainers().getFirst().setStdin(true);
        pods.create(pod);
        pods.awaitPhase("p", "Running");
        var out = new ByteArrayOutputStream();
        try (var watch = pods.pod("p").redirectingInput().writingOutput(out).attach()) {
            watch.getInput().write("you\n".getBytes(UTF_8));
            watch.getInput().flush();
            assertEquals(4, pods.awaitEnd("p").getExitCode());
            Eventually.when("it is heard", () -> out.toString(UTF_8).equals("heard you\n"));
        }
    }

    @Test
    void aPortOfAPodIsReached() throws Exception {
        String server =
                """
                import socket
                door = socket.socket()
                door.bind(('127.0.0.1', 0))
                door.listen()
                print(door.getsockname()[1], flush=True)
                while True:
                    talk = door.accept()[0]
                    talk.sendall(b'echo ' + talk.recv(100))
                    talk.close()
                """;
        pods.create(pods.command("p", "/usr/bin/python3", "-c", server));
        pods.awaitPhase("p", "Running");
        Eventually.when("it listens", () -> pods.pod("p").getLog().endsWith("\n"));
        int port = Integer.parseInt(pods.pod("p").getLog().strip());
        try (var forward = pods.pod("p").portForward(port);
                var socket = new Socket("127.0.0.1", forward.getLocalPort())) {
            socket.getOutputStream().write("me".getBytes(UTF_8));
            socket.getOutputStream().flush();
            assertEquals("echo me", new String(socket.getInputStream().readNBytes(7), UTF_8));
        }
    }
}
