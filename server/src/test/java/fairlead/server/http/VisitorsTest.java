package fairlead.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.server.RawClient;
import fairlead.server.TestServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What strangers and pages of strangers can have of a server. */
final class VisitorsTest {
    @TempDir Path folder;

    private static int get(TestServer server, String target, String host, String more)
            throws IOException {
        String request = "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n%s\r\n";
        return RawClient.ask(server, request.formatted(target, host, more));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    127.0.0.1 |                        | yes
                    localhost |                        | yes
                    ::1       |                        | yes
                    127.0.0.1 | http://127.0.0.1:7300  | yes
                    127.0.0.1 | https://gpus.lab.org   | no
                    0.0.0.0   |                        | no
                    ::        |                        | no
                    gpu-box   |                        | no
                    """)
    void guestsAreLetInWhereNobodyComesFromElsewhere(String host, String url, String guests) {
        var visitors =
                Visitors.of(
                        host,
                        Optional.ofNullable(url),
                        Optional.empty(),
                        Set.of(),
                        Set.of(),
                        "box");
        assertEquals(guests.equals("yes"), visitors.guests());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            textBlock =
                    """
                    127.0.0.1:7300      | yes
                    localhost:7300      | yes
                    LocalHost           | yes
                    localhost.          | yes
                    [::1]:7300          | yes
                    10.0.0.7:7300       | yes
                    Box:7300            | yes
                    gpus.lab.org        | yes
                    also.lab.org:80     | yes
                    evil.example:7300   | no
                    127.0.0.1.evil.org  | no
                    box.evil.example    | no
                    none                | no
                    a:b:c               | no
                    """)
    void aNameMustBeTheServersOwn(String host, String ours) {
        var visitors =
                Visitors.of(
                        "0.0.0.0",
                        Optional.of("https://gpus.lab.org"),
                        Optional.empty(),
                        Set.of("also.lab.org"),
                        Set.of(),
                        "box");
        assertEquals(ours.equals("yes"), visitors.hostRefusal(Optional.ofNullable(host)).isEmpty());
    }

    @Test
    void aPageMustBeOfTheServerItselfOrOfTheSettings() {
        var visitors =
                Visitors.of(
                        "0.0.0.0",
                        Optional.of("https://gpus.lab.org"),
                        Optional.empty(),
                        Set.of(),
                        Set.of("https://portal.lab.org"),
                        "box");
        var host = Optional.of("box:7300");
        for (String page :
                List.of("http://box:7300", "https://gpus.lab.org", "https://Portal.lab.org"))
            assertTrue(visitors.pageRefusal(Optional.of(page), host).isEmpty(), page);
        for (String page : List.of("http://box:80", "null", "https://evil.example", "box:7300/x"))
            assertFalse(visitors.pageRefusal(Optional.of(page), host).isEmpty(), page);
        var rebound = Optional.of("evil.example:7300");
        assertFalse(
                visitors.pageRefusal(Optional.of("http://evil.example:7300"), rebound).isEmpty());
        assertTrue(visitors.pageRefusal(Optional.empty(), rebound).isEmpty());
    }

    @Test
    void aRequestUnderAForeignNameGetsNothing() throws Exception {
        try (var server = new TestServer(folder)) {
            String token = "Authorization: Bearer " + TestServer.TOKEN + "\r\n";
            String wrong = "Authorization: Bearer wrong\r\n";
            for (String target :
                    List.of("/api/v1/jobs", "/api/v1/user/ann/jobs", "/api/v1/virtual-clusters")) {
                assertEquals(200, get(server, target, "localhost", ""), target);
                assertEquals(403, get(server, target, "evil.example", ""), target);
                assertEquals(403, get(server, target, "evil.example", wrong), target);
                assertEquals(403, get(server, target, "evil.example", token), target);
            }
            assertEquals(403, get(server, "/healthz", "evil.example", ""));
            assertEquals(403, get(server, "/v1/jobs", "any.lab.org", token));
            assertEquals(401, get(server, "/v1/jobs", "localhost", ""));
        }
    }

    @Test
    void beyondLoopbackListsNeedATokenUnlessTheSettingsSayOtherwise() throws Exception {
        var lists =
                List.of(
                        "/api/v1/jobs",
                        "/api/v1/jobs?username=ann",
                        "/api/v1/user/ann/jobs",
                        "/api/v1/user/ann/jobs/train",
                        "/api/v1/jobs/train/ssh",
                        "/api/v1/virtual-clusters",
                        "/api/v1/virtual-clusters/default");
        String token = "Authorization: Bearer " + TestServer.TOKEN + "\r\n";
        try (var server = TestServer.with(folder.resolve("a"), Map.of("host", "0.0.0.0"))) {
            for (String list : lists) {
                assertEquals(401, get(server, list, "127.0.0.1", ""), list);
                assertTrue(get(server, list, "127.0.0.1", token) != 401, list);
            }
            assertEquals(200, get(server, "/api/v1/", "127.0.0.1", ""));
        }
        var open = Map.of("host", "0.0.0.0", "guests", "yes", "names", "gpus.lab.org");
        try (var server = TestServer.with(folder.resolve("b"), open)) {
            assertEquals(200, get(server, "/api/v1/jobs", "gpus.lab.org", ""));
            assertEquals(403, get(server, "/api/v1/jobs", "evil.example", ""));
        }
    }
}
