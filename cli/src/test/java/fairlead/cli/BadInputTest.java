package fairlead.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.ErrorBody;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;

/** What a command says, and what it exits with, when it is used wrongly or its server is away. */
class BadInputTest {
    private FakeServer server;
    private Shell shell;

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer();
        shell = Shell.of(server);
        server.add(new FakeJob("train_1763179200_0000000a", "running"));
        server.add(new FakeJob("train_1763179200_0000001a", "running"));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "submti ls            | there is no verb 'submti'. Did you mean 'submit'?",
                "zzzzzz               | there is no verb 'zzzzzz'.",
                "submit --nmae x ls   | 'fairlead submit' has no option '--nmae'. Did you mean"
                        + " '--name'?",
                "list --stat failed   | 'fairlead list' has no option '--stat'. Did you mean"
                        + " '--state'?",
                "--clustr x list      | 'fairlead' has no option '--clustr'. Did you mean"
                        + " '--cluster'?",
                "-x list              | 'fairlead' has no option '-x'.",
                "submit               | what should run? The command is missing.",
                "-n two submit ls     | -n must be a whole number of at least 0, but is 'two'",
                "-n -1 submit ls      | -n must be a whole number of at least 0, but is '-1'",
                "-n 1 list            | '-n' has no meaning for 'fairlead list'.",
                "submit --name        | '--name' needs a value: NAME",
                "list --json=yes      | '--json' takes no value: '--json=yes'",
                "stats more           | 'more' is one word too many for 'fairlead stats'",
                "describe             | which job? None is given.",
                "submit --array x ls  | --array must be FROM-TO, such as 0-499, but is 'x'",
                "submit --array 0-99999999999999 ls | --array has numbers of 9 digits at most, for"
                        + " up to 10000 jobs, but is '0-99999999999999'",
                "submit --array 5-1 x | --array ends before it begins: '5-1'",
                "submit -f none.yaml  | there is no file none.yaml",
                "wait --timeout x 1a  | not a time such as 90s, 30m, 4h or 2d: 'x'",
                "server sotp          | there is no 'server sotp'. Did you mean 'stop'?",
                "completion tcsh      | no completion for 'tcsh', only for bash, zsh and fish",
                "list -v              | 'fairlead list' has no option '-v'.",
            })
    void misuseIsToldInTwoLines(String line, String message) {
        var result = shell.type(line.split(" "));
        assertEquals(2, result.code());
        assertEquals("", result.out());
        String[] lines = result.err().split("\n");
        assertEquals("fairlead: " + message, lines[0]);
        assertEquals(2, lines.length, result.err());
    }

    @Test
    void anEmptyCommandIsNotSubmitted() {
        for (String[] words :
                new String[][] {
                    {"submit", ""}, {"submit", "  "}, {"submit", "", "x"}, {"run", ""}
                }) {
            var result = shell.type(words);
            assertEquals(2, result.code());
            assertTrue(result.err().startsWith("fairlead: the command is empty"), result.err());
        }
        assertTrue(server.requests.isEmpty());
    }

    @Test
    void bytesThatAreNotTextAreNotSubmitted() {
        var result = shell.type("submit", "cat", "a\uFFFDb");
        assertEquals(2, result.code());
        assertTrue(result.err().startsWith("fairlead: word 2 of the command is not valid UTF-8"));
    }

    @Test
    void anAmbiguousIdListsWhatItCouldMean() {
        var result = shell.type("describe", "a");
        assertEquals(2, result.code());
        assertEquals(
                """
                fairlead: 'a' could be several jobs:
                  train_1763179200_0000000a
                  train_1763179200_0000001a
                """,
                result.err());
    }

    @Test
    void anUnknownIdComesWithAHint() {
        var result = shell.type("logs", "nope");
        assertEquals(2, result.code());
        assertEquals(
                "fairlead: no job ends with 'nope'\n'fairlead list --all' shows all jobs.\n",
                result.err());
    }

    @Test
    void anIdMayHoldAnything() {
        assertEquals(2, shell.type("describe", "a/b?c#d e%ü").code());
        assertEquals("GET /v1/jobs/a%2Fb%3Fc%23d%20e%25%C3%BC", server.requests.getLast());
    }

    @Test
    void aWrongTokenIsRefused() {
        shell.environment.put("FAIRLEAD_TOKEN", "wrong");
        var result = shell.type("list");
        assertEquals(4, result.code());
        assertTrue(result.err().startsWith("fairlead: the token is missing or wrong\n"));
        assertFalse(result.err().contains("secret"));
        shell.environment.remove("FAIRLEAD_TOKEN");
        assertEquals(4, shell.type("list").code());
    }

    @Test
    void aServerThatIsAwayIsUnreachable() throws IOException {
        int port;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        shell.environment.put("FAIRLEAD_SERVER", "http://127.0.0.1:" + port);
        var result = shell.type("list");
        assertEquals(3, result.code());
        assertTrue(
                result.err().startsWith("fairlead: no server answers at http://127.0.0.1:" + port));
        assertEquals(1, result.err().lines().count());
        assertEquals(3, shell.type("server", "status").code());
        assertTrue(shell.type("version").out().contains("\nno server is running\nto upgrade: "));
    }

    @Test
    void anAddressThatIsNoneIsMisuse() {
        shell.environment.put("FAIRLEAD_SERVER", "box:7300");
        assertEquals(2, shell.type("list").code());
        shell.environment.put("FAIRLEAD_SERVER", "http://no such host");
        assertEquals(2, shell.type("list").code());
    }

    @Test
    void aValueThatTheServerRefusesNamesItsField() {
        server.refusal =
                new ErrorBody("invalid", "must be 0 to 4096, but is 9999", "jobs[0].gpus", null);
        var result = shell.type("-n", "9999", "submit", "ls");
        assertEquals(2, result.code());
        assertEquals("fairlead: gpus: must be 0 to 4096, but is 9999\n", result.err());
    }

    @Test
    void aPeerThatIsNoServerIsUnreachable() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual()
                    .start(
                            () -> {
                                try (var peer = socket.accept()) {
                                    peer.getOutputStream()
                                            .write(
                                                    "SSH-2.0-hello\r\n"
                                                            .getBytes(StandardCharsets.US_ASCII));
                                } catch (IOException e) {
                                    throw new UncheckedIOException(e);
                                }
                            });
            shell.environment.put("FAIRLEAD_SERVER", "http://127.0.0.1:" + socket.getLocalPort());
            assertEquals(3, shell.type("list").code());
        }
    }

    @Test
    void aReaderThatGoesAwayEndsTheCommandWithoutAWord() {
        shell.outputBroken = true;
        assertEquals(new Shell.Result(141, "", ""), shell.type("list"));
    }
}
