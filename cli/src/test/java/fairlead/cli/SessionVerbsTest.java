package fairlead.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.cli.terminal.ExitCode;
import fairlead.dialects.act.ActJob;
import fairlead.dialects.act.ActOrigin;
import fairlead.dialects.act.Place;
import fairlead.testing.Eventually;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** {@code attach} and {@code port-forward} as people and programs meet them. */
@Timeout(120)
class SessionVerbsTest {
    private static final String ID = "train_1763180000_0000000a";

    @TempDir Path folder;
    private FakeTask task;
    private Shell shell;

    @BeforeEach
    void start() throws IOException {
        task = new FakeTask(new FakeJob(ID, "running"));
        shell = new Shell();
        shell.environment.put("FAIRLEAD_SERVER", task.url().toString());
        shell.environment.put("FAIRLEAD_TOKEN", FakeServer.TOKEN);
        shell.environment.put("FAIRLEAD_HOME", folder.toString());
    }

    @AfterEach
    void stop() throws IOException {
        task.close();
    }

    @Test
    void attachPassesBothStreamsAndExitsAsTheTask() {
        shell.input = new ByteArrayInputStream("one\ntwo\n".getBytes(UTF_8));
        var result = shell.type("attach", "0000000a", "--task", "main/0");
        assertEquals("hello\none\ntwo\n", result.out());
        assertEquals(
                "fairlead: attached to 0000000a; Ctrl-C detaches, and the task goes on\n",
                result.err());
        assertEquals(7, result.code());
        assertEquals(List.of("{\"task\":\"main/0\"}"), task.asked);
    }

    /** As its users type it: switches before or after the name, together or apart. */
    @ParameterizedTest
    @CsvSource({
        "exec ID -it bash -l",
        "exec -it ID bash -l",
        "exec ID -i -t -- bash -l",
        "exec ID --stdin --tty --pod train-0-0 bash -l",
        "exec ID -p default bash -l"
    })
    void runaisExecTakesItsSwitchesOnBothSidesOfTheName(String line) {
        var result = shell.type(("runai " + line.replace("ID", ID)).split(" "));
        assertEquals(7, result.code(), result.err());
        assertTrue(task.asked.getFirst().contains("[\"bash\",\"-l\"]"), task.asked.toString());
        assertEquals(line.contains("--pod"), task.asked.getFirst().contains("main/0"));
    }

    /** The command of the job does not see its signatures either. */
    @ParameterizedTest
    @ValueSource(strings = {"ssh", "bash"})
    void aShellInAJobOfActHasNoSignatures(String verb) throws IOException {
        var job =
                new ActJob(
                        "eu",
                        1,
                        1,
                        1,
                        true,
                        new Place.Blob("http://a/b/c.zip", "FAIRLEAD_ACT_SAS_0"),
                        Map.of("data", new Place.Blob("http://a/d", "FAIRLEAD_ACT_SAS_1")),
                        "",
                        false,
                        false);
        task.close();
        task = new FakeTask(new FakeJob(ID, "running", FakeBodies.from(ActOrigin.write(job))));
        shell.environment.put("FAIRLEAD_SERVER", task.url().toString());
        shell.type(verb, ID);
        assertTrue(
                task.asked
                        .getFirst()
                        .contains(
                                "unset FAIRLEAD_ACT_RUNNER FAIRLEAD_ACT_SAS_0 FAIRLEAD_ACT_SAS_1;"
                                        + " cd "),
                task.asked.toString());
    }

    @Test
    void attachSaysWhenNobodyReadsWhatIsTyped() {
        task.readsInput = false;
        shell.input = new ByteArrayInputStream("one\n".getBytes(UTF_8));
        var result = shell.type("attach", ID);
        assertEquals("hello\n", result.out());
        assertEquals(
                "fairlead: attached to "
                        + ID
                        + ", which reads nothing from here; Ctrl-C detaches, and the task goes"
                        + " on\n",
                result.err());
        assertEquals(7, result.code());
        assertEquals("", task.heard.toString());
    }

    @Test
    void aRefusalOfTheServerIsTold() {
        task.refusal = ID + " is queued; only a running job can be attached to";
        var result = shell.type("attach", ID);
        assertEquals("fairlead: " + task.refusal + "\n", result.err());
        assertEquals(ExitCode.REFUSED, result.code());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "port-forward          | which job? None is given.",
                "port-forward x        | which port? Say it after the job: fairlead port-forward x"
                        + " 8001:8888",
                "port-forward x http   | 'http' is not a port: say PORT or LOCAL:PORT, such as"
                        + " 8001:8888, with numbers up to 65535",
                "port-forward x 80:0   | '80:0' is not a port: say PORT or LOCAL:PORT, such as"
                        + " 8001:8888, with numbers up to 65535",
                "port-forward x 1:2:3  | '1:2:3' is not a port: say PORT or LOCAL:PORT, such as"
                        + " 8001:8888, with numbers up to 65535",
                "port-forward x 99999  | '99999' is not a port: say PORT or LOCAL:PORT, such as"
                        + " 8001:8888, with numbers up to 65535",
            })
    void badWordsAreNamed(String line, String words) {
        var result = shell.type(line.split(" +"));
        assertEquals(ExitCode.USAGE, result.code());
        assertTrue(result.err().startsWith("fairlead: " + words + "\n"), result.err());
    }

    @Test
    void aJobThatDoesNotRunAndATaskThatIsNotThereAreToldAtOnce() {
        refused(ID + " has no task main/9", "port-forward", ID, ":80", "--task", "main/9");
        task.job.state("succeeded", 0);
        refused(
                ID + " has succeeded; only a running job has ports to reach",
                "port-forward",
                ID,
                ":80");
    }

    @Test
    void aPortThatIsInUseHereIsTold() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();
            refused(
                    "cannot listen on 127.0.0.1:" + port + ": Address already in use",
                    "port-forward",
                    ID,
                    port + ":80");
        }
        refused(
                "cannot listen on no.such.host.invalid:0: no such address",
                "port-forward",
                ID,
                ":80",
                "--address",
                "no.such.host.invalid");
    }

    private void refused(String words, String... line) {
        var result = shell.type(line);
        assertEquals("fairlead: " + words + "\n", result.err());
        assertEquals(ExitCode.REFUSED, result.code());
    }

    @Test
    void manyConnectionsPassAtOnceAndCtrlCEndsItWithZero() throws Exception {
        Process forward = shell.process("port-forward", ID, ":8888", "0:80");
        try {
            var said = forward.inputReader();
            int first = port(said, 8888);
            int second = port(said, 80);
            var open = new ArrayList<Socket>();
            for (int i = 0; i < 12; i++) open.add(connected(i % 2 == 0 ? first : second));
            for (Socket each : open.reversed()) {
                String text = "from " + each.getLocalPort() + "\n";
                each.getOutputStream().write(text.getBytes(UTF_8));
                each.shutdownOutput();
                assertEquals("hello\n" + text, rest(each));
                each.close();
            }
            assertEquals(12, task.asked.size());
            assertTrue(task.asked.contains("{\"port\":80}"), task.asked.toString());
            interrupt(forward);
            assertEquals(0, forward.exitValue());
            assertEquals("", said.readLine() == null ? "" : "more");
        } finally {
            forward.destroyForcibly().waitFor();
        }
    }

    @Test
    void aPortThatHasSaidAllStillHearsTheRest() throws Exception {
        task.listensAfterTheEnd = true;
        Process forward = shell.process("port-forward", ID, ":8888");
        try (var socket = connected(port(forward.inputReader(), 8888))) {
            assertEquals("hello\n", rest(socket));
            socket.getOutputStream().write("the rest".getBytes(UTF_8));
            socket.shutdownOutput();
            Eventually.when(() -> task.heard.toString().equals("the rest"));
        } finally {
            forward.destroyForcibly().waitFor();
        }
    }

    @Test
    void aConnectionThatIsRefusedFailsAloneAndTheEndOfTheJobEndsAll() throws Exception {
        Process forward = shell.process("port-forward", ID, ":8888");
        try {
            int port = port(forward.inputReader(), 8888);
            var complaints = forward.errorReader();
            task.refusal = "no process of task main/0 of " + ID + " listens on port 8888";
            String complaint = "fairlead: a connection to port 8888 failed: " + task.refusal;
            assertEquals("", rest(connected(port)));
            assertEquals(complaint, complaints.readLine());
            task.refusal = null;
            task.trouble = "dial tcp4 127.0.0.1:8888: connection refused";
            assertEquals("", rest(connected(port)));
            assertEquals(
                    "fairlead: a connection to port 8888 failed: " + task.trouble,
                    complaints.readLine());
            task.trouble = null;
            try (var socket = connected(port)) {
                socket.shutdownOutput();
                assertEquals("hello\n", rest(socket));
            }
            // Without any further connection.
            task.job.state("succeeded", 0);
            assertEquals("fairlead: " + ID + " is over: succeeded", complaints.readLine());
            assertTrue(forward.waitFor(30, TimeUnit.SECONDS));
            assertEquals(ExitCode.REFUSED, forward.exitValue());
        } finally {
            forward.destroyForcibly().waitFor();
        }
    }

    /** A reset counts as an end: nobody is there. */
    private static String rest(Socket socket) {
        try {
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        } catch (IOException _) {
            return "";
        }
    }

    private static Socket connected(int port) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), port);
    }

    private static int port(BufferedReader said, int remote) throws IOException {
        String line = said.readLine();
        String start = "Forwarding from 127.0.0.1:";
        assertTrue(line.startsWith(start) && line.endsWith(" -> " + remote), line);
        return Integer.parseInt(line.substring(start.length(), line.indexOf(" ->")));
    }

    private static void interrupt(Process process) throws Exception {
        var kill = new ProcessBuilder("kill", "-INT", String.valueOf(process.pid())).start();
        assertEquals(0, kill.waitFor());
        assertTrue(process.waitFor(30, TimeUnit.SECONDS));
    }
}
