package fairlead.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.testing.Eventually;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Whatever is typed or sent wrongly: a clear message, its exit code, and a server as before. */
class BadInputTest {
    private static final int TEN_MEBIBYTES = 10 << 20;

    @TempDir static Path folder;
    private static Installation fairlead;
    private static Caller caller;

    @BeforeAll
    static void start() throws IOException {
        fairlead = Installation.withSettings(folder.resolve("home"), "gpus = 2");
        fairlead.run("server", "start").expect(0);
        caller = new Caller(fairlead);
    }

    /** Nothing that was refused left a trace. */
    @AfterAll
    static void stop() {
        String listed = fairlead.run("list", "--all").expect(0).out();
        assertFalse(listed.contains("bad_"), listed);
        fairlead.close();
    }

    private static Installation.Result refused(int code, String... words) {
        var result = fairlead.run(folder, Map.of(), words).expect(code);
        assertTrue(result.err().startsWith("fairlead: "), result.err());
        assertFalse(
                result.err().contains("\tat ") || result.err().contains("Exception"), result.err());
        assertEquals("", result.out());
        return result;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "2 | run                          | what should run? The command is missing.",
                "2 | submit ''                    | the command is empty",
                "2 | submti true                  | there is no verb 'submti'. Did you mean"
                        + " 'submit'?",
                "2 | submit --retires 2 true      | has no option '--retires'. Did you mean"
                        + " '--retries'?",
                "2 | -n two submit true           | -n must be a whole number of at least 0,"
                        + " but is 'two'",
                "2 | submit --time soon true      | time: must be a number with a unit",
                "2 | submit --memory 8X true      | memory: must be a whole number with a unit",
                "2 | submit --name a/b true       | name: must be 1 to 63 letters",
                "2 | -n 5000 submit true          | gpus: must be 0 to 4096, but is 5000",
                "2 | submit --priority 9999999 ls | priority: must be",
                "2 | submit --retries 1001 true   | retries: must be",
                "2 | -c moon submit true          | cluster: no cluster 'moon'; known: local",
                "2 | submit --user nobody-here ls | there is no account 'nobody-here' on this"
                        + " machine",
                "2 | submit --array 0-10000 true  | array: asks for 10001 jobs; the limit is 10000",
                "2 | submit --tasks 0 true        | --tasks must be a whole number of at least 1",
                "2 | describe nothing             | no job 'nothing'",
                "2 | list --state asleep          | --state is active, finished",
                "2 | submit -f missing.yaml       | there is no file missing.yaml",
                "2 | server begin                 | there is no 'server begin'.",
            })
    void aWrongLineIsToldInWords(int code, String line, String words) {
        var arguments = line.strip().replace("''", "\0").split(" +");
        for (int i = 0; i < arguments.length; i++) arguments[i] = arguments[i].replace("\0", "");
        var result = refused(code, arguments);
        assertTrue(result.err().contains(words), result.err());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "name: bad;command: ls;gpuss: 1        | job.yaml:3: the job has no field 'gpuss'."
                        + " Did you mean 'gpus'?",
                "name: bad;command: ls;time: soon      | job.yaml:3: time: must be a number with a"
                        + " unit",
                "name: bad;roles:;  w:;    gpus: 1     | job.yaml:4: roles[0].command: is empty",
                "name: bad;command: [ls;               | job.yaml:4: not YAML",
                "name: bad;command: a\\0b              | job.yaml:2: the character U+0000 is not"
                        + " allowed",
                "name: bad;command: \"a\\x00b\"        | job.yaml:2: command: contains a NUL"
                        + " character",
                "name: bad;command: ls;cluster: moon   | job.yaml:3: cluster: no cluster 'moon'",
            })
    void aWrongFileIsToldWithLineAndField(String text, String words) throws IOException {
        Files.writeString(
                folder.resolve("job.yaml"),
                text.strip().replace(";", "\n").replace("\\0", "\0") + "\n");
        var result = refused(2, "submit", "-f", "job.yaml");
        assertTrue(result.err().startsWith("fairlead: " + words), result.err());
    }

    @Test
    void moreGpusThanTheClusterHasAreToldAtOnce() {
        String words =
                "fairlead: the job can never start on this cluster: needs 3 GPUs on one node;"
                        + " the largest node, ";
        for (String verb : List.of("submit", "run")) {
            var refused = fairlead.run("-n", "3", verb, "true").expect(2);
            assertTrue(refused.err().startsWith(words), refused.err());
            assertTrue(refused.err().contains("'--anyway' queues it"), refused.err());
            assertEquals("", refused.out());
        }
        var shown = fairlead.run("submit", "--dry-run", "-n", "3", "true").expect(0);
        String would = words.replace("fairlead: ", "fairlead: a submit would be refused: ");
        assertTrue(shown.err().startsWith(would), shown.err());
        assertTrue(shown.out().contains("gpus: 3"), shown.out());
        var result = fairlead.run("-n", "3", "submit", "--anyway", "true").expect(0);
        assertEquals(words, result.err().replaceAll("\\S+, has 2\n$", ""));
        String why = fairlead.run("why", result.out().strip()).expect(0).out();
        assertTrue(why.contains("can never start on this cluster"), why);
        fairlead.run("abort", result.out().strip()).expect(0);
    }

    @Test
    void aCommandOfTenMebibytesIsRefusedByItsField() throws IOException {
        String word = "x".repeat(TEN_MEBIBYTES);
        Files.writeString(
                folder.resolve("long.yaml"), "name: bad\ncommand: [echo, '" + word + "']\n");
        var result = refused(2, "submit", "-f", "long.yaml");
        assertEquals(
                "fairlead: long.yaml:2: command: has an argument of 10485760 bytes; the limit is"
                        + " 131071\n",
                result.err());
        String many =
                "{\"jobs\":[{\"name\":\"bad\",\"command\":[\"echo\""
                        + ",\"xxxxx\"".repeat(300_000)
                        + "]}]}";
        var reply = caller.call("POST", "/v1/jobs", many).orElseThrow();
        assertEquals(400, reply.status());
        assertTrue(reply.body().contains("bytes with the environment; the limit is"), reply.body());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "POST   | /v1/jobs            | not JSON                                     | 400",
                "POST   | /v1/jobs            | [1, 2]                                       | 400",
                "POST   | /v1/jobs            | {'jobs':[]}                                  | 400",
                "POST   | /v1/jobs            | {'jobs':[{'name':'bad','command':'a\\u0000b'}]} |"
                        + " 400",
                "POST   | /v1/jobs            | {'jobs':[{'name':'bad','command':''}]}       | 400",
                "POST   | /v1/jobs            | {'jobs':[{'name':'bad','command':['']}]}     | 400",
                "POST   | /v1/jobs            | {'jobs':[{'name':'bad','comand':'ls'}]}      | 400",
                "GET    | /v1/jobs/nothing    |                                              | 404",
                "DELETE | /v1/jobs/nothing    |                                              | 404",
                "GET    | /v1/jobs?stat=all   |                                              | 400",
                "GET    | /nothing            |                                              | 404",
            })
    void aWrongRequestIsRefusedInWords(String method, String path, String body, int status) {
        var reply =
                caller.call(method, path, body == null ? null : body.replace('\'', '"'))
                        .orElseThrow();
        assertEquals(status, reply.status(), reply.body());
        assertTrue(
                reply.body().startsWith("{\"code\":\"") && reply.field("message").length() > 5,
                reply.body());
    }

    @Test
    void aClientThatHangsUpMidStreamCostsNothing() throws IOException {
        String id = fairlead.submit("-n0", "submit", "while :; do echo line; sleep 0.05; done");
        URI url = URI.create(fairlead.server().url().toString());
        for (int i = 0; i < 20; i++) {
            try (var socket = new Socket(url.getHost(), url.getPort())) {
                String request =
                        "GET /v1/jobs/%s/logs?follow=true HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n\r\n"
                                .formatted(id, fairlead.server().token());
                socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
                assertTrue(socket.getInputStream().read() > 0);
            }
        }
        Eventually.when(
                "all streams to be given back",
                () -> caller.get("/metrics").body().contains("\nfairlead_open_streams 0\n"));
        assertTrue(fairlead.run("abort", id).expect(0).out().startsWith(id));
    }
}
