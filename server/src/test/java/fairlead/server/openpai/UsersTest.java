package fairlead.server.openpai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.server.TestServer;
import fairlead.server.bodies.JsonTree;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Users by OpenPAI's interface, over real HTTP. The server's owner is ann. */
final class UsersTest {
    private static final String SECRET = "correct horse";

    @TempDir Path folder;
    private TestServer server;
    private Pai ann;
    private Pai guest;

    @BeforeEach
    void start() throws Exception {
        server = new TestServer(folder);
        ann = Pai.owner(server);
        guest = Pai.guest(server);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private int meStatus(Pai who) throws Exception {
        return server.call(who.token(), "GET", "/v1/me", "").statusCode();
    }

    @Test
    void o55ALoginGivesATokenForBothInterfaces() throws Exception {
        ann.create("bob", SECRET, false);
        Map<String, Object> answer =
                guest.must(
                        200,
                        "POST",
                        "/token",
                        "{\"username\":\"bob\",\"password\":\"correct horse\",\"expiration\":60}");
        assertEquals(
                List.of("admin", "hasGitHubPAT", "token", "user"),
                List.copyOf(new TreeMap<>(answer).keySet()));
        assertEquals("bob", answer.get("user"));
        assertEquals(false, answer.get("admin"));
        assertEquals(false, answer.get("hasGitHubPAT"));
        var bob = new Pai(server, (String) answer.get("token"));
        var me = server.call(bob.token(), "GET", "/v1/me", "");
        assertEquals(200, me.statusCode(), me.body());
        assertTrue(me.body().contains("\"bob\""), me.body());
        bob.refused(403, "ForbiddenUserError", "GET", "/user", null);
        server.close();
        server = new TestServer(folder);
        assertEquals(200, meStatus(new Pai(server, bob.token())), "after a restart too");
    }

    @Test
    void o55APersonOfOursLogsInWhateverTheirName() throws Exception {
        server.person("dan.smith-2", "{}");
        ann.must(
                201,
                "PUT",
                "/user",
                "{\"username\":\"dan.smith-2\",\"password\":\"correct horse\",\"modify\":true}");
        assertEquals(200, meStatus(guest.logIn("dan.smith-2", SECRET)));
        ann.create("1st", SECRET, false);
        assertEquals(200, meStatus(guest.logIn("1st", SECRET)));
        ann.must(200, "DELETE", "/user", "{\"username\":\"dan.smith-2\"}");
    }

    @Test
    void o55AFormIsAsGoodAsJson() throws Exception {
        ann.create("bob", SECRET, false);
        var form =
                guest.request("POST", "/token", "username=bob&password=correct+horse&expiration=60")
                        .header("Content-Type", "application/x-www-form-urlencoded");
        var response = server.send(form);
        assertEquals(200, response.statusCode(), response.body());
        assertTrue(response.body().contains("\"token\":\"login:bob:"), response.body());
    }

    @Test
    void o55AWrongNameAndAWrongPasswordAreToldApart() throws Exception {
        ann.create("bob", SECRET, false);
        guest.refused(
                400,
                "IncorrectPasswordError",
                "POST",
                "/token",
                "{\"username\":\"bob\",\"password\":\"incorrect\"}");
        guest.refused(
                400,
                "NoUserError",
                "POST",
                "/token",
                "{\"username\":\"eve\",\"password\":\"incorrect\"}");
        server.person("dan", "{}");
        for (String withoutPassword : List.of("dan", "ann"))
            guest.refused(
                    400,
                    "IncorrectPasswordError",
                    "POST",
                    "/token",
                    "{\"username\":\"%s\",\"password\":\"incorrect\"}".formatted(withoutPassword));
    }

    @Test
    void o55ATokenEndsWithItsPasswordAndWithItsHolder() throws Exception {
        ann.create("bob", SECRET, false);
        Pai bob = guest.logIn("bob", SECRET);
        Pai second = guest.logIn("bob", SECRET);
        bob.must(
                201,
                "PUT",
                "/user",
                "{\"username\":\"bob\",\"password\":\"battery staple\",\"modify\":true}");
        assertEquals(401, meStatus(bob));
        second.refused(401, "UnauthorizedUserError", "GET", "/user", null);
        assertEquals(
                "The token that was sent is invalid or has ended: log in again for a new one.",
                second.must(401, "GET", "/user", null).get("message"));
        assertEquals(
                "Guest is not allowed to do this operation. Send a token.",
                guest.must(401, "GET", "/user", null).get("message"));
        Pai third = guest.logIn("bob", "battery staple");
        assertEquals(200, meStatus(third));
        ann.must(200, "DELETE", "/user", "{\"username\":\"bob\"}");
        assertEquals(401, meStatus(third));
        ann.create("bob", "battery staple", false);
        assertEquals(401, meStatus(third), "another bob");
    }

    @Test
    void o55ATokenThatWasTamperedWithIsWrong() throws Exception {
        ann.create("bob", SECRET, false);
        ann.create("eve", SECRET, true);
        String token = guest.logIn("bob", SECRET).token();
        String[] parts = token.split(":");
        long end = Long.parseLong(parts[2]);
        for (String wrong :
                List.of(
                        token.replace("bob", "eve"),
                        token.replace("bob", "ann"),
                        token.replace(parts[2], Long.toString(end + 1)),
                        token.substring(0, token.length() - 1),
                        token + "0",
                        token.toUpperCase(java.util.Locale.ROOT)))
            assertEquals(401, meStatus(new Pai(server, wrong)), wrong);
    }

    @Test
    void o55TooManyFailedLoginsOfOneUserAreStopped() throws Exception {
        ann.create("bob", SECRET, false);
        ann.create("eve", SECRET, false);
        String wrong = "{\"username\":\"bob\",\"password\":\"incorrect\"}";
        for (int i = 0; i < 20; i++)
            guest.refused(400, "IncorrectPasswordError", "POST", "/token", wrong);
        guest.refused(429, "TooManyRequestsError", "POST", "/token", wrong);
        String right = "{\"username\":\"bob\",\"password\":\"correct horse\"}";
        guest.refused(429, "TooManyRequestsError", "POST", "/token", right);
        assertEquals(200, meStatus(guest.logIn("eve", SECRET)), "the others go on");
    }

    @Test
    void onlyTheHashOfAPasswordReachesTheDisk() throws Exception {
        ann.create("bob", SECRET, false);
        String disk = "";
        for (String name : List.of("journal.db", "journal.db-wal")) {
            byte[] bytes = Files.readAllBytes(folder.resolve(name));
            disk += new String(bytes, StandardCharsets.ISO_8859_1);
        }
        assertFalse(disk.contains(SECRET));
        assertTrue(disk.contains("$argon2id$v=19$m=12288,t=3,p=1$"));
    }

    @Test
    void o56UsersAreMadeAndChanged() throws Exception {
        ann.create("bob", SECRET, false);
        String again = "{\"username\":\"bob\",\"password\":\"correct horse\",\"modify\":false}";
        ann.refused(409, "ConflictUserError", "PUT", "/user", again);
        ann.refused(404, "NoUserError", "PUT", "/user", "{\"username\":\"eve\",\"modify\":true}");
        Pai bob = guest.logIn("bob", SECRET);
        for (String body :
                List.of(
                        "{\"username\":\"eve\",\"password\":\"abcdef\",\"modify\":false}",
                        "{\"username\":\"ann\",\"password\":\"abcdef\",\"modify\":true}",
                        "{\"username\":\"bob\",\"admin\":true,\"modify\":true}",
                        "{\"username\":\"bob\",\"password\":\"abcdef\",\"modify\":false}"))
            bob.refused(403, "ForbiddenUserError", "PUT", "/user", body);
        bob.must(
                201,
                "PUT",
                "/user",
                "{\"username\":\"bob\",\"password\":\"abcdef\",\"admin\":false,\"modify\":true}");
        ann.must(201, "PUT", "/user", "{\"username\":\"bob\",\"admin\":true,\"modify\":true}");
        bob = guest.logIn("bob", "abcdef");
        bob.create("eve", SECRET, false);
        ann.must(
                201,
                "PUT",
                "/user",
                "{\"username\":\"bob\",\"password\":\"\",\"admin\":\"false\",\"modify\":\"true\"}");
        bob.refused(403, "ForbiddenUserError", "GET", "/user", null);
    }

    @Test
    void o57UsersAreRemovedAndListed() throws Exception {
        ann.create("bob", SECRET, false);
        ann.create("eve", SECRET, true);
        guest.refused(401, "UnauthorizedUserError", "GET", "/user", null);
        ann.refused(404, "NoUserError", "DELETE", "/user", "{\"username\":\"dan\"}");
        for (String admin : List.of("eve", "ann"))
            ann.refused(
                    403,
                    "RemoveAdminError",
                    "DELETE",
                    "/user",
                    "{\"username\":\"%s\"}".formatted(admin));
        Pai bob = guest.logIn("bob", SECRET);
        bob.refused(403, "ForbiddenUserError", "DELETE", "/user", "{\"username\":\"eve\"}");
        var listed = (List<?>) JsonTree.read(ann.call("GET", "/user", null).body());
        assertEquals(
                List.of("ann true default", "bob false default", "eve true default"),
                listed.stream().map(JsonTree::object).map(UsersTest::line).toList());
        ann.must(200, "DELETE", "/user", "{\"username\":\"bob\"}");
        assertEquals(404, server.post("/v1/people/bob/token", "").statusCode());
    }

    private static String line(Map<String, Object> user) {
        return user.get("username") + " " + user.get("admin") + " " + user.get("virtualCluster");
    }

    private String clusters(String name) throws Exception {
        for (Object each : (List<?>) JsonTree.read(ann.call("GET", "/user", null).body())) {
            Map<String, Object> user = JsonTree.object(each);
            if (user.get("username").equals(name)) return (String) user.get("virtualCluster");
        }
        throw new AssertionError(name + " is not listed");
    }

    @Test
    void o58AUserIsLetIntoVirtualClusters() throws Exception {
        ann.create("bob", SECRET, false);
        for (String name : List.of("vision", "audio"))
            ann.must(201, "PUT", "/virtual-clusters/" + name, "{\"vcCapacity\":0}");
        String target = "/user/bob/virtualClusters";
        assertEquals("default", clusters("bob"));
        ann.must(201, "PUT", target, "{\"virtualClusters\":\"vision,audio\"}");
        assertEquals("audio,default,vision", clusters("bob"));
        ann.must(201, "PUT", target, "{\"virtualClusters\":\"audio\"}");
        assertEquals("audio,default", clusters("bob"));
        ann.must(201, "PUT", target, "{\"virtualClusters\":\"\"}");
        assertEquals("default", clusters("bob"));
        ann.refused(400, "NoVirtualClusterError", "PUT", target, "{\"virtualClusters\":\"no\"}");
        String one = "{\"virtualClusters\":\"audio\"}";
        ann.refused(403, "ForbiddenUserError", "PUT", "/user/ann/virtualClusters", one);
        ann.refused(404, "NoUserError", "PUT", "/user/eve/virtualClusters", one);
        guest.logIn("bob", SECRET).refused(403, "ForbiddenUserError", "PUT", target, one);
        ann.create("eve", SECRET, true);
        assertEquals("audio,default,vision", clusters("eve"), "an admin may use all");
    }

    @Test
    void o58NobodyOpensAProjectByLeavingItNorClosesOneByJoiningIt() throws Exception {
        ann.create("bob", SECRET, false);
        ann.create("eve", SECRET, false);
        server.put("/v1/projects/shared?create=true", "{}");
        server.put("/v1/projects/closed?create=true", "{\"add\":[\"bob\"]}");
        server.patch("/v1/people/bob", "{\"project\":\"closed\"}");
        String target = "/user/bob/virtualClusters";
        ann.must(201, "PUT", target, "{\"virtualClusters\":\"shared\"}");
        assertEquals("default,shared", clusters("bob"));
        assertEquals("default,shared", clusters("eve"));
        String people = server.get("/v1/people").body();
        assertFalse(people.contains("closed"), "his jobs go to default again: " + people);
    }

    @Test
    void o58WhetherThereIsAGitHubTokenIsKept() throws Exception {
        ann.create("bob", SECRET, false);
        ann.create("eve", SECRET, false);
        Pai bob = guest.logIn("bob", SECRET);
        bob.must(201, "PUT", "/user/bob/githubPAT", "{\"githubPAT\":\"ghp_abc\"}");
        Map<String, Object> answer =
                guest.must(
                        200,
                        "POST",
                        "/token",
                        "{\"username\":\"bob\",\"password\":\"correct horse\"}");
        assertEquals(true, answer.get("hasGitHubPAT"));
        bob.refused(
                403, "ForbiddenUserError", "PUT", "/user/eve/githubPAT", "{\"githubPAT\":\"x\"}");
        ann.refused(404, "NoUserError", "PUT", "/user/dan/githubPAT", "{\"githubPAT\":\"x\"}");
    }

    @Test
    void o76TheOwnerIsTheFirstAdminAndSetsAPasswordOfTheirOwn() throws Exception {
        assertEquals(
                400, server.put("/v1/people/ann/password", "{\"password\":\"abc\"}").statusCode());
        var set = server.put("/v1/people/ann/password", "{\"password\":\"correct horse\"}");
        assertEquals(204, set.statusCode(), set.body());
        Pai owner = guest.logIn("ann", SECRET);
        owner.create("bob", SECRET, false);
        String bob = guest.logIn("bob", SECRET).token();
        String own = "{\"password\":\"battery\"}";
        assertEquals(403, server.call(bob, "PUT", "/v1/people/ann/password", own).statusCode());
        assertEquals(204, server.call(bob, "PUT", "/v1/people/bob/password", own).statusCode());
        assertEquals(401, server.call(bob, "GET", "/v1/me", "").statusCode());
        ann.refused(
                403,
                "ForbiddenUserError",
                "PUT",
                "/user",
                "{\"username\":\"ann\",\"admin\":false,\"modify\":true}");
        assertEquals(200, server.get("/v1/me").statusCode(), "the owner's own token stays");
    }
}
