package fairlead.server.routes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.ErrorBody;
import fairlead.api.JobPage;
import fairlead.server.TestServer;
import fairlead.server.http.Route;
import fairlead.wire.Json;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.UUID;

/** Every refusal is an ErrorBody with the right status, and leaves no job behind. */
final class BadInputTest {
    @TempDir static Path folder;
    private static TestServer server;
    private static String job;

    @BeforeAll
    static void start() throws Exception {
        server = new TestServer(folder);
        job = server.submit("good");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    POST   | /v1/jobs                    | {                                                  | 400 | invalid      |                        | line 1 column 2
                    POST   | /v1/jobs                    | hello                                              | 400 | invalid      |                        | not valid JSON
                    POST   | /v1/jobs                    |                                                    | 400 | invalid      | jobs                   | at least one spec
                    POST   | /v1/jobs                    | {"jobs":[]}                                        | 400 | invalid      | jobs                   | at least one spec
                    POST   | /v1/jobs                    | {"jobs":[null]}                                    | 400 | invalid      | jobs[0]                | null
                    POST   | /v1/jobs                    | {"jobs":[{"command":[]}]}                          | 400 | invalid      | jobs[0].command        | empty
                    POST   | /v1/jobs                    | {"jobs":[{}]}                                      | 400 | invalid      | jobs[0].command        | empty
                    POST   | /v1/jobs                    | {"jobs":[{"command":["a"]},{"command":["b"],"gpus":-1}]} | 400 | invalid | jobs[1].gpus         | must be 0 to
                    POST   | /v1/jobs                    | {"jobs":[{"command":["a"],"gpus":"two"}]}          | 400 | invalid      | jobs[0].gpus           | whole number
                    POST   | /v1/jobs                    | {"jobs":[{"command":["a\\u0000b"]}]}               | 400 | invalid      | jobs[0].command        | NUL
                    POST   | /v1/jobs                    | {"jobs":[{"command":["a"],"time":"soon"}]}         | 400 | invalid      | jobs[0].time           | such as 90s
                    POST   | /v1/jobs                    | {"jobs":[{"command":["a"],"colour":"red"}]}        | 400 | invalid      | jobs[0].colour         | not a known field
                    POST   | /v1/jobs                    | {"jobs":[{"roles":[{"name":"w","command":["a"],"gpus":-2}]}]} | 400 | invalid | jobs[0].roles[0].gpus | must be 0 to
                    POST   | /v1/jobs                    | {"jobs":[{"command":["a"],"origin":{"dialect":"act","text":"{}","key":""}}]} | 400 | invalid | jobs[0].origin.text | code: is missing
                    POST   | /v1/jobs                    | {"jobs":[{"command":["a"],"origin":{"dialect":"slurm","text":"","key":""}}]} | 400 | invalid | jobs[0].origin.dialect | openpai or act
                    POST   | /v1/jobs                    | {"jobs":[{"command":["a"],"cluster":"mars"}]}      | 400 | invalid      | jobs[0].cluster        | known: local
                    POST   | /v1/jobs                    | {"jobs":[{"command":["a"]}],"array":{"from":5,"to":4}} | 400 | invalid  | array                  | not smaller
                    POST   | /v1/jobs                    | {"jobs":[{"command":["a"]}],"array":{"from":0,"to":10000}} | 400 | invalid | array               | the limit is 10000
                    POST   | /v1/jobs                    | {"jobs":[{"command":["a"]},{"command":["b"]}],"array":{"from":0,"to":1}} | 400 | invalid | array | exactly one
                    POST   | /v1/jobs                    | {"request":"","jobs":[{"command":["a"]}]}          | 400 | invalid      | request                | characters
                    POST   | /v1/jobs?dryRun=maybe       | {"jobs":[{"command":["a"]}]}                       | 400 | invalid      | dryRun                 | true or false
                    POST   | /v1/jobs?dry=true           | {"jobs":[{"command":["a"]}]}                       | 400 | invalid      | dry                    | known: dryRun
                    GET    | /v1/jobs?limit=0            |                                                    | 400 | invalid      | limit                  | from 1 to 10000
                    GET    | /v1/jobs?limit=many         |                                                    | 400 | invalid      | limit                  | 'many'
                    GET    | /v1/jobs?state=sleeping     |                                                    | 400 | invalid      | state                  | 'sleeping'
                    GET    | /v1/jobs?before=nobody      |                                                    | 404 | not-found    |                        | first page
                    GET    | /v1/jobs/nobody             |                                                    | 404 | not-found    |                        | no job 'nobody'
                    GET    | /v1/jobs/nobody_1_00000000  |                                                    | 404 | not-found    |                        | no job
                    GET    | /v1/jobs/pods%2Fnobody      |                                                    | 404 | not-found    |                        | no job 'pods/nobody'
                    GET    | /v1/jobs/pods%2fx/logs      |                                                    | 404 | not-found    |                        | no job 'pods/x'
                    GET    | /v1/jobs/%00                |                                                    | 404 | not-found    |                        | no job
                    GET    | /v1/jobs/ID/logs?task=main  |                                                    | 400 | invalid      | task                   | ROLE/INDEX
                    GET    | /v1/jobs/ID/logs?task=main/9 |                                                   | 404 | not-found    |                        | no task main/9
                    GET    | /v1/jobs/ID/logs?attempt=99 |                                                    | 400 | invalid      | attempt                | so far
                    GET    | /v1/jobs/ID/logs?tail=-1    |                                                    | 400 | invalid      | tail                   | from 0
                    GET    | /v1/nowhere                 |                                                    | 404 | not-found    |                        | /v1/nowhere
                    GET    | /nowhere                    |                                                    | 404 | not-found    |                        | no such path
                    PUT    | /v1/jobs                    | {}                                                 | 405 | wrong-method |                        | GET, POST
                    DELETE | /v1/nodes                   |                                                    | 405 | wrong-method |                        | possible: GET
                    DELETE | /v1/jobs/ID                 |                                                    | 409 | conflict     |                        | abort it first
                    POST   | /v1/jobs/ID/resubmit        | {"gpus":-1}                                        | 400 | invalid      | gpus                   | must be 0 to
                    POST   | /v1/jobs/ID/resubmit        | {"gpu":1}                                          | 400 | invalid      | gpu                    | not a known field
                    POST   | /v1/server/backup           | {}                                                 | 400 | invalid      | file                   | missing
                    POST   | /v1/server/backup           | {"file":"/no/such/folder/copy"}                    | 400 | invalid      | file                   | no folder
                    """)
    void isRefusedInWords(
            String method,
            String target,
            String body,
            int status,
            String code,
            String field,
            String words)
            throws Exception {
        var publisher =
                body == null
                        ? HttpRequest.BodyPublishers.noBody()
                        : HttpRequest.BodyPublishers.ofString(body);
        var response =
                server.send(server.request(target.replace("ID", job)).method(method, publisher));
        var error = Json.read(ErrorBody.class, response.body());
        assertEquals(status, response.statusCode(), response.body());
        assertEquals(code, error.code(), response.body());
        assertEquals(field, error.field(), response.body());
        assertTrue(error.message().contains(words), response.body());
        assertEquals("application/json", response.headers().firstValue("content-type").get());
        assertEquals(1, Json.read(JobPage.class, server.get("/v1/jobs").body()).jobs().size());
    }

    @Test
    void aWrongOrMissingTokenIsRefusedOnEveryRouteButTheOpenOnes() throws Exception {
        for (Route<?> route : server.front().table()) {
            var target =
                    URI.create(
                            server.url()
                                    + route.path()
                                            .replace("{id}", job)
                                            .replace("{name}", "a")
                                            .replace("{port}", "80")
                                            .replace("{token}", "a")
                                            .replace("{secret}", "a")
                                            .replace("{session}", "a")
                                            .replace("{uuid}", UUID.randomUUID().toString()));
            for (String token : new String[] {null, "Bearer wrong", "Bearer ", "Basic eHg="}) {
                var request =
                        HttpRequest.newBuilder(target)
                                .method(route.method(), HttpRequest.BodyPublishers.noBody());
                if (token != null) request.header("Authorization", token);
                var response = server.send(request);
                String seen = route + " " + token + " " + response.body();
                switch (route.door()) {
                    case OPEN -> assertEquals(answer(route), response.statusCode(), seen);
                    case PEOPLE -> assertIsRefused(401, "unauthorized", response, seen);
                    case JOBS -> {
                        if (token == null) assertIsRefused(401, "unauthorized", response, seen);
                        else assertIsRefused(403, "forbidden", response, seen);
                    }
                }
            }
        }
    }

    /** Of some a UUID is the key, and nobody has this one; a login has to say who logs in. */
    private static int answer(Route<?> open) {
        if (open.path().contains("{uuid}")) return 404;
        return open.path().matches("/v1/(session|login)") ? 400 : 200;
    }

    private static void assertIsRefused(
            int status, String code, HttpResponse<String> response, String seen) {
        assertEquals(status, response.statusCode(), seen);
        var error = Json.read(ErrorBody.class, response.body());
        assertEquals(code, error.code());
        assertTrue(error.message().contains("token"), seen);
    }

    @Test
    void anAmbiguousSuffixListsUpToTwentyMatches() throws Exception {
        var response = server.get("/v1/jobs/" + job.substring(job.length() - 4));
        assertEquals(200, response.statusCode(), response.body());
        Path other = folder.resolve("other");
        Files.createDirectory(other);
        try (var crowded = new TestServer(other)) {
            var ids =
                    crowded.submit(
                                    """
                                    {"jobs":[{"command":["true"]}],"array":{"from":1,"to":400}}\
                                    """,
                                    201)
                            .ids();
            char last = ids.getFirst().charAt(ids.getFirst().length() - 1);
            var ambiguous = crowded.get("/v1/jobs/" + last);
            assertEquals(409, ambiguous.statusCode());
            var error = Json.read(ErrorBody.class, ambiguous.body());
            assertEquals("ambiguous", error.code());
            long ending = ids.stream().filter(id -> id.endsWith("" + last)).count();
            assertEquals(Math.min(20, ending), error.matches().size());
        }
    }

    @Test
    void aSpecThatTheEngineCannotRunIsRefused() throws Exception {
        Path other = Files.createDirectory(folder.resolve("picky"));
        try (var picky = new TestServer(other)) {
            picky.engine().refuseSpecs("cannot run as user bob");
            var response = picky.post("/v1/jobs", "{\"jobs\":[{\"command\":[\"true\"]}]}");
            assertEquals(400, response.statusCode());
            assertTrue(response.body().contains("cannot run as user bob"), response.body());
        }
    }

    @Test
    void aBodyThatIsTooLargeIsRefused() throws Exception {
        String command = "x".repeat(17 << 20);
        var response =
                server.send(
                        server.request("/v1/jobs")
                                .POST(
                                        HttpRequest.BodyPublishers.ofString(
                                                "{\"jobs\":[{\"command\":[\""
                                                        + command
                                                        + "\"]}]}")));
        assertEquals(413, response.statusCode());
        assertEquals("too-large", Json.read(ErrorBody.class, response.body()).code());
    }

    @Test
    void aBodyOfUnknownLengthThatIsTooLargeIsRefused() throws Exception {
        byte[] block = "x".repeat(1 << 20).getBytes(StandardCharsets.US_ASCII);
        var blocks = Collections.nCopies(17, block);
        var response =
                server.send(
                        server.request("/v1/jobs")
                                .POST(HttpRequest.BodyPublishers.ofByteArrays(blocks)));
        assertEquals(413, response.statusCode());
        assertEquals("too-large", Json.read(ErrorBody.class, response.body()).code());
    }

    @Test
    void aCommandOfTenMebibytesIsRefusedByItsField() throws Exception {
        String command = "x".repeat(10 << 20);
        var response = server.post("/v1/jobs", "{\"jobs\":[{\"command\":[\"" + command + "\"]}]}");
        assertEquals(400, response.statusCode());
        var error = Json.read(ErrorBody.class, response.body());
        assertEquals("jobs[0].command", error.field());
        assertTrue(error.message().length() < 300, error.message());
    }

    @Test
    void headersThatAreTooLargeAreRefused() throws Exception {
        String answer = raw("GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: " + "y".repeat(20_000));
        assertTrue(answer.startsWith("HTTP/1.1 4"), answer);
        assertTrue(answer.contains("\"code\":\"invalid\""), answer);
    }

    @Test
    void whatIsNotHttpIsRefused() throws Exception {
        String answer = raw("HELLO");
        assertTrue(answer.startsWith("HTTP/1.1 4"), answer);
        assertNotNull(server.get("/healthz").body());
    }

    private static String raw(String head) throws Exception {
        URI url = URI.create(server.url());
        try (var socket = new Socket(url.getHost(), url.getPort())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write((head + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
