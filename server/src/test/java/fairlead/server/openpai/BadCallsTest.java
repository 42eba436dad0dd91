package fairlead.server.openpai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.journal.MemoryJournal;
import fairlead.server.TestEngine;
import fairlead.server.TestServer;
import fairlead.server.auth.Access;
import fairlead.server.auth.JobKeys;
import fairlead.server.auth.Logins;
import fairlead.server.auth.Roster;
import fairlead.server.bodies.JsonTree;
import fairlead.server.http.HttpFront;
import fairlead.server.http.PersonLimits;
import fairlead.server.http.RequestCounts;
import fairlead.server.http.Visitors;
import fairlead.testing.OneSeed;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What clients of OpenPAI's interface can do wrong, over real HTTP: never a 500. */
final class BadCallsTest {
    private static final String ALLOWED = "Access-Control-Allow-Origin";

    @TempDir static Path folder;
    private static TestServer server;
    private static Pai ann;
    private static Pai guest;

    @BeforeAll
    static void start() throws Exception {
        server = new TestServer(folder, new TestEngine(4));
        ann = Pai.owner(server);
        guest = Pai.guest(server);
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
                    GET    | /nowhere                     | | 404 | NoApiError
                    POST   | /user                        | | 404 | NoApiError
                    PATCH  | /virtual-clusters/a          | | 404 | NoApiError
                    GET    | /token                       | | 404 | NoApiError
                    GET    | /user/a/b/c                  | | 404 | NoApiError
                    PATCH  | /jobs                        | | 404 | NoApiError
                    DELETE | /user/a/jobs                 | | 404 | NoApiError
                    POST   | /user/a/jobs/b               | | 404 | NoApiError
                    GET    | /user/a/jobs/b/executionType | | 404 | NoApiError
                    DELETE | /virtual-clusters            | | 404 | NoApiError
                    POST   | /token                       | | 400 | InvalidParametersError
                    POST   | /token | {                     | 400 | InvalidParametersError
                    POST   | /token | []                    | 400 | InvalidParametersError
                    POST   | /token | null                  | 400 | InvalidParametersError
                    POST   | /token | "bob"                 | 400 | InvalidParametersError
                    POST   | /token | {"username":"bob"}    | 400 | InvalidParametersError
                    POST   | /token | {"username":"bob","password":"12345"} | 400 | InvalidParametersError
                    POST   | /token | {"username":"b b","password":"123456"} | 400 | InvalidParametersError
                    POST   | /token | {"username":"","password":"123456"} | 400 | InvalidParametersError
                    POST   | /token | {"username":1,"password":"123456"} | 400 | InvalidParametersError
                    POST   | /token | {"username":"bob","password":"123456","expiration":59} | 400 | InvalidParametersError
                    POST   | /token | {"username":"bob","password":"123456","expiration":604801} | 400 | InvalidParametersError
                    POST   | /token | {"username":"bob","password":"123456","expiration":60.5} | 400 | InvalidParametersError
                    POST   | /token | {"username":"bob","password":"123456","expiration":"soon"} | 400 | InvalidParametersError
                    POST   | /token | {"username":"bob","password":"123456","expiration":null} | 400 | InvalidParametersError
                    POST   | /token | {"username":"bob","username":"eve","password":"123456"} | 400 | InvalidParametersError
                    PUT    | /user  | {"username":"bob","password":"123456"} | 400 | InvalidParametersError
                    PUT    | /user  | {"username":"bob","modify":false} | 400 | InvalidParametersError
                    PUT    | /user  | {"username":"b-b","password":"123456","modify":false} | 400 | InvalidParametersError
                    PUT    | /user  | {"username":"bob","password":"123456","modify":"perhaps"} | 400 | InvalidParametersError
                    PUT    | /user  | {"username":"bob","password":"123456","modify":false,"role":1} | 400 | InvalidParametersError
                    DELETE | /user  |                       | 400 | InvalidParametersError
                    DELETE | /user  | {"username":{}}       | 400 | InvalidParametersError
                    PUT    | /user/ann/virtualClusters | {} | 400 | InvalidParametersError
                    PUT    | /user/ann/virtualClusters | {"virtualClusters":"a b"} | 400 | InvalidParametersError
                    PUT    | /user/ann/githubPAT | {}       | 400 | InvalidParametersError
                    PUT    | /virtual-clusters/a/status | {} | 400 | InvalidParametersError
                    """)
    void o53IsRefusedWithItsCode(String method, String target, String body, int status, String code)
            throws Exception {
        ann.refused(status, code, method, target, body);
    }

    @Test
    void o53WithoutAGoodTokenOnlyOpenRoutesAnswer() throws Exception {
        for (String token : new String[] {null, "wrong", "login:ann:9999999999:" + "0".repeat(64)})
            for (String line :
                    List.of(
                            "GET /user",
                            "PUT /user",
                            "DELETE /user",
                            "PUT /user/ann/virtualClusters",
                            "PUT /user/ann/githubPAT",
                            "POST /user/ann/jobs",
                            "PUT /user/ann/jobs/a",
                            "DELETE /user/ann/jobs/a",
                            "GET /user/ann/jobs/a/ssh/keyFiles/ann~a",
                            "POST /jobs",
                            "PUT /jobs/a",
                            "DELETE /jobs/a",
                            "PUT /virtual-clusters/a",
                            "DELETE /virtual-clusters/a",
                            "PUT /virtual-clusters/a/status")) {
                String[] words = line.split(" ");
                new Pai(server, token)
                        .refused(401, "UnauthorizedUserError", words[0], words[1], null);
            }
        var basic = guest.request("GET", "/user", null).header("Authorization", "Basic eHg6eHg=");
        assertEquals(401, server.send(basic).statusCode());
        var response = guest.call("GET", "/user", null);
        assertEquals("Bearer", response.headers().firstValue("WWW-Authenticate").orElse(""));
    }

    /** Method: a server whose list of people is broken, which no call can bring about. */
    @Test
    void o53ABugIsAnUnknownErrorAndTellsNothing() throws Exception {
        var access =
                new Access(
                        "token",
                        "ann",
                        () -> {
                            throw new IllegalStateException("a secret of the inside");
                        },
                        new JobKeys("secret"),
                        new Logins("secret"),
                        new Roster(new MemoryJournal()),
                        Instant::now);
        var visitors = new Visitors(false, true, Set.of(), Set.of());
        var broken =
                new OpenPai(null, null, null, access, visitors, null, Instant::now, Pai.NO_JOBS);
        var front =
                new HttpFront(
                        "127.0.0.1",
                        0,
                        Optional.empty(),
                        List.of(broken),
                        List.of(),
                        new RequestCounts(),
                        new PersonLimits(PersonLimits.Most.DEFAULT, "ann"),
                        _ -> {});
        front.start();
        try {
            var request =
                    HttpRequest.newBuilder(
                                    URI.create(
                                            "http://127.0.0.1:%d/api/v1/user"
                                                    .formatted(front.port())))
                            .header("Authorization", "Bearer somebodys");
            var response = server.send(request);
            assertEquals(500, response.statusCode());
            assertEquals(
                    "{\"code\":\"UnknownError\",\"message\":\"unexpected error; the server's log"
                            + " says more\"}",
                    response.body());
        } finally {
            front.stop();
        }
    }

    @Test
    void aNameOfBrokenBytesIsRefused() throws Exception {
        var response = guest.call("GET", "/virtual-clusters/%ff%fe", null);
        assertEquals(400, response.statusCode(), response.body());
        assertFalse(response.body().contains("Exception"), response.body());
    }

    @Test
    void o54TheRootAnswersEveryVerbWithABanner() throws Exception {
        for (String method : List.of("GET", "POST", "PUT", "DELETE", "PATCH"))
            for (String target : List.of("", "/")) {
                var response = guest.call(method, target, null);
                assertEquals(200, response.statusCode(), method + target + response.body());
                assertEquals("PAI RESTful API", response.body());
            }
        assertEquals(200, guest.call("GET", "/virtual-clusters/", null).statusCode());
    }

    @Test
    void o54PagesOfTheServersOwnOriginAndOfThoseInItsSettingsMayCall(@TempDir Path other)
            throws Exception {
        var settings = Map.of("origins", "https://portal.lab.org");
        try (var open = TestServer.with(other, settings)) {
            for (String origin : List.of(open.url(), "https://portal.lab.org"))
                for (String target : List.of("/", "/virtual-clusters", "/nowhere", "/user")) {
                    var call = Pai.guest(open).request("GET", target, null);
                    var headers = open.send(call.header("Origin", origin)).headers();
                    String allowed = headers.firstValue("Access-Control-Allow-Origin").orElse("");
                    assertEquals(origin, allowed, target);
                    assertEquals("Origin", headers.firstValue("Vary").orElse(""), target);
                }
            var asked =
                    Pai.guest(open)
                            .request("OPTIONS", "/user", null)
                            .header("Origin", "https://portal.lab.org")
                            .header("Access-Control-Request-Headers", "authorization,x-mine");
            var allowed = open.send(asked);
            assertEquals(204, allowed.statusCode());
            assertEquals(
                    "authorization,x-mine",
                    allowed.headers().firstValue("Access-Control-Allow-Headers").orElse(""));
        }
    }

    @Test
    void o54PagesOfOtherOriginsMayNot() throws Exception {
        for (String origin : List.of("http://evil.example", "null", "http://localhost:1"))
            for (String method : List.of("GET", "OPTIONS", "POST")) {
                var call = guest.request(method, "/jobs", null).header("Origin", origin);
                var response = server.send(call);
                assertEquals(403, response.statusCode(), origin + " " + response.body());
                assertTrue(response.headers().firstValue(ALLOWED).isEmpty(), origin);
            }
        assertTrue(guest.call("GET", "/jobs", null).headers().firstValue(ALLOWED).isEmpty());
        for (String ours : List.of("/v1/me", "/healthz")) {
            var call = server.request(ours).header("Origin", "http://evil.example");
            assertEquals(403, server.send(call).statusCode(), ours);
        }
    }

    @Test
    void o75EveryCodeOfTheListIsThereWithAStatus() {
        var listed =
                """
                BadConfigurationError ConflictJobError ConflictUserError ConflictVcError
                ForbiddenUserError IncorrectPasswordError InvalidParametersError NoApiError
                NoJobError NoJobConfigError NoJobSshInfoError NoUserError NoVirtualClusterError
                ReadOnlyJobError RemoveAdminError RemoveRunningVcError UnauthorizedUserError
                NoEnoughQuotaError UnknownError
                """;
        var known =
                Arrays.stream(PaiCode.values())
                        .filter(code -> code != PaiCode.TOO_MANY_REQUESTS)
                        .map(PaiCode::word)
                        .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(new TreeSet<>(List.of(listed.strip().split("\\s+"))), known);
        for (PaiCode code : PaiCode.values())
            assertTrue(code.status() >= 400 && code.status() <= 500, code.word());
    }

    @Test
    void aBodyOfAnotherTypeIsRefused() throws Exception {
        for (String type : List.of("text/plain", "application/xml", "", "multipart/form-data; a"))
            for (String line : List.of("POST /token", "PUT /user", "PUT /virtual-clusters/a")) {
                String[] words = line.split(" ");
                var request =
                        ann.request(words[0], words[1], "{\"username\":\"bob\"}")
                                .header("Content-Type", type);
                var response = server.send(request);
                assertEquals(400, response.statusCode(), type + response.body());
                assertTrue(response.body().contains("InvalidParametersError"), response.body());
            }
    }

    @Test
    void aHugeBodyIsRefused() throws Exception {
        for (int bytes : new int[] {64 << 10, 17 << 20}) {
            String body = "{\"username\":\"" + "x".repeat(bytes) + "\"}";
            for (String line : List.of("POST /token", "PUT /user", "PUT /virtual-clusters/a")) {
                String[] words = line.split(" ");
                var response = ann.call(words[0], words[1], body);
                assertEquals(413, response.statusCode(), response.body());
            }
        }
        ann.refused(
                400,
                "InvalidParametersError",
                "POST",
                "/token",
                "{\"a\":" + "[".repeat(30_000) + "}");
    }

    /**
     * Goal: no body is a bug. Method: bodies that are nearly right, changed by dice of the seed.
     */
    @Test
    void noMutatedBodyMeetsABug() throws Exception {
        long seed = OneSeed.or(20_260_101L);
        var dice = new SplittableRandom(seed);
        int calls = Integer.getInteger("fairlead.fuzz", 4_000);
        var seen = new java.util.TreeMap<Integer, Integer>();
        for (int i = 0; i < calls; i++) {
            String[] model = MODELS.get(dice.nextInt(MODELS.size()));
            byte[] body = mutated(model[2], dice);
            boolean isForm = dice.nextInt(4) == 0;
            HttpRequest.Builder request =
                    ann.request(model[0], model[1], null)
                            .method(model[0], HttpRequest.BodyPublishers.ofByteArray(body));
            if (isForm) request.header("Content-Type", "application/x-www-form-urlencoded");
            HttpResponse<String> response = server.send(request);
            String told =
                    "seed %d call %d: %s %s %s -> %d %s"
                            .formatted(
                                    seed,
                                    i,
                                    model[0],
                                    model[1],
                                    new String(body, StandardCharsets.ISO_8859_1),
                                    response.statusCode(),
                                    response.body());
            assertTrue(response.statusCode() < 500, told);
            Map<String, Object> answer = JsonTree.object(JsonTree.read(response.body()));
            if (response.statusCode() >= 400)
                assertEquals(Set.of("code", "message"), answer.keySet(), told);
            seen.merge(response.statusCode(), 1, Integer::sum);
        }
        assertTrue(seen.containsKey(201) && seen.containsKey(400), "both kinds: " + seen);
        assertEquals(200, server.get("/healthz").statusCode());
    }

    private static final List<String[]> MODELS =
            List.of(
                    new String[] {
                        "PUT",
                        "/virtual-clusters/a",
                        "{\"vcCapacity\":12.5,\"vcMaxCapacity\":\"60\"}"
                    },
                    new String[] {
                        "PUT", "/virtual-clusters/a/status", "{\"vcStatus\":\"stopped\"}"
                    },
                    new String[] {
                        "PUT", "/user", "{\"username\":\"ann\",\"admin\":true,\"modify\":true}"
                    },
                    new String[] {"DELETE", "/user", "{\"username\":\"bob\"}"},
                    new String[] {"PUT", "/user/ann/githubPAT", "{\"githubPAT\":\"ghp_\\u00e9\"}"},
                    new String[] {
                        "PUT", "/user/ann/virtualClusters", "{\"virtualClusters\":\"a,default\"}"
                    },
                    new String[] {
                        "POST",
                        "/token",
                        "{\"username\":\"x\",\"password\":\"short\",\"expiration\":604800}"
                    });

    private static final List<String> PIECES =
            List.of(
                    "{",
                    "}",
                    "[",
                    "]",
                    "\"",
                    ":",
                    ",",
                    "null",
                    "true",
                    "-1",
                    "1e309",
                    "1e-400",
                    "1e9999999999",
                    "0",
                    "99999999999999999999",
                    "\\u0000",
                    "\\ud800",
                    "%",
                    "%zz",
                    "&",
                    "=",
                    "+",
                    "\0",
                    "\u00e9",
                    "../",
                    "'; DROP TABLE person",
                    " ");

    private static byte[] mutated(String model, SplittableRandom dice) {
        byte[] body = model.getBytes(StandardCharsets.UTF_8);
        int changes = dice.nextInt(4);
        for (int i = 0; i < changes; i++) {
            int at = dice.nextInt(body.length + 1);
            byte[] head = Arrays.copyOfRange(body, 0, at);
            byte[] tail = Arrays.copyOfRange(body, at, body.length);
            switch (dice.nextInt(4)) {
                case 0 -> body = head;
                case 1 -> {
                    String piece = PIECES.get(dice.nextInt(PIECES.size()));
                    body = joined(head, piece.getBytes(StandardCharsets.UTF_8), tail);
                }
                case 2 -> body = joined(head, new byte[] {(byte) dice.nextInt(256)}, tail);
                default -> {
                    int skip = Math.min(tail.length, 1 + dice.nextInt(6));
                    body = joined(head, new byte[0], Arrays.copyOfRange(tail, skip, tail.length));
                }
            }
        }
        return body;
    }

    private static byte[] joined(byte[] head, byte[] middle, byte[] tail) {
        byte[] all = Arrays.copyOf(head, head.length + middle.length + tail.length);
        System.arraycopy(middle, 0, all, head.length, middle.length);
        System.arraycopy(tail, 0, all, head.length + middle.length, tail.length);
        return all;
    }
}
