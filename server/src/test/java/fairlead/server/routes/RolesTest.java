package fairlead.server.routes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import fairlead.api.SubmitAnswer;
import fairlead.server.TestServer;
import fairlead.server.http.Route;
import fairlead.testing.Eventually;
import fairlead.wire.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * Walks the table of roles in docs/security.md: each role makes each call over HTTP, about somebody
 * else's job, project and person.
 */
final class RolesTest {
    private static final Path PAGE = Path.of("../docs/security.md");
    private static final List<String> ROLES = List.of("viewer", "member", "project admin", "admin");

    @TempDir Path folder;

    @Test
    void eachRoleMayDoWhatTheTableSays() throws Exception {
        var found = new TreeMap<String, List<String>>();
        try (var server = new TestServer(folder)) {
            for (String role : ROLES) {
                Subjects about = Subjects.of(server, role.replace(' ', '-'));
                String token = token(server, role, about);
                for (Route<?> route : calls(server)) {
                    String call = route.method() + " " + route.path();
                    int status =
                            server.call(token, method(route), about.target(route), body(route))
                                    .statusCode();
                    found.computeIfAbsent(call, _ -> new ArrayList<>()).add(word(route, status));
                }
            }
        }
        var lines = new ArrayList<String>();
        found.forEach(
                (call, may) -> lines.add("| " + call + " | " + String.join(" | ", may) + " |"));
        assertEquals(String.join("\n", lines), String.join("\n", table()));
    }

    /** What is deleted is deleted last, and whoever has it after it. */
    private static List<Route<?>> calls(TestServer server) {
        var calls = new ArrayList<Route<?>>(server.front().table());
        calls.removeIf(route -> route.door() == Route.Door.OPEN);
        calls.sort(
                Comparator.<Route<?>, Boolean>comparing(route -> route.method().equals("DELETE"))
                        .thenComparing(route -> -route.path().length()));
        return calls;
    }

    /** Something unknown shows nothing of a role, but of sessions nobody can make one up. */
    private static String word(Route<?> route, int status) {
        if (status == 401 || status == 403) return "no";
        return status == 404 && !route.path().contains("{session}") ? "unknown" : "yes";
    }

    private static String token(TestServer server, String role, Subjects about) throws Exception {
        String name = "the-" + role.replace(' ', '-');
        String token =
                server.person(
                        name,
                        switch (role) {
                            case "viewer" -> "{\"viewer\":true}";
                            case "admin" -> "{\"admin\":true}";
                            default -> "{}";
                        });
        if (role.equals("project admin"))
            server.put("/v1/projects/" + about.project, "{\"addAdmins\":[\"%s\"]}".formatted(name));
        return token;
    }

    /** All that is one other person's. */
    private record Subjects(String person, String project, String job, String array) {
        static Subjects of(TestServer server, String suffix) throws Exception {
            String person = "carol-" + suffix;
            String project = "vision-" + suffix;
            server.put("/v1/projects/" + project + "?create=true", "{}");
            String token = server.person(person, "{\"project\":\"%s\"}".formatted(project));
            SubmitAnswer single = submitted(server, token, "");
            SubmitAnswer several = submitted(server, token, ",\"array\":{\"from\":1,\"to\":2}");
            server.awaitState(single.ids().getFirst(), "running");
            for (String holder : List.of("people/" + person, "projects/" + project))
                server.put("/v1/" + holder + "/secrets/key", "{\"value\":\"hidden\"}");
            RolesTest.token(server, person, "laptop", "read");
            return new Subjects(person, project, single.ids().getFirst(), several.array());
        }

        private static SubmitAnswer submitted(TestServer server, String token, String more)
                throws Exception {
            String spec =
                    "{\"jobs\":[{\"name\":\"hers\",\"command\":[\"true\"],\"gpus\":0}]%s}"
                            .formatted(more);
            var answer = server.call(token, "POST", "/v1/jobs", spec);
            assertEquals(201, answer.statusCode(), answer.body());
            return Json.read(SubmitAnswer.class, answer.body());
        }

        String target(Route<?> route) {
            boolean isOfProject = route.path().startsWith("/v1/projects/");
            boolean isOfArray = route.path().startsWith("/v1/arrays/");
            return route.path()
                    .replace("{id}", isOfArray ? array : job)
                    .replace("/describe/{name}", "/describe/hers")
                    .replace("{name}", isOfProject ? project : person)
                    .replace("{token}", "laptop")
                    .replace("{secret}", "key")
                    .replace("{port}", "8080")
                    .replace("{session}", "a".repeat(64));
        }
    }

    private static List<String> table() throws Exception {
        String head = "| call | " + String.join(" | ", ROLES) + " |";
        return Files.readAllLines(PAGE).stream()
                .dropWhile(line -> !line.equals(head))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .toList();
    }

    /** A stream would not end. */
    private static String method(Route<?> route) {
        return route.method().equals("GET") ? "HEAD" : route.method();
    }

    private static String body(Route<?> route) {
        if (route.method().equals("GET") || route.method().equals("DELETE")) return "";
        return route.path().startsWith("/v1/projects/") ? "{\"add\":[\"ann\"]}" : "{}";
    }

    /** Tokens for less than their holder may. */
    @Test
    void aScopeTakesRightsAway() throws Exception {
        try (var server = new TestServer(folder)) {
            String reads = token(server, "ann", "reads", "read");
            String submits = token(server, "ann", "submits", "submit");
            String all = token(server, "ann", "all", "admin");
            String submit = "{\"jobs\":[{\"name\":\"a\",\"command\":[\"true\"]}]}";
            assertEquals(200, server.call(reads, "GET", "/v1/jobs", "").statusCode());
            assertEquals(403, server.call(reads, "POST", "/v1/jobs", submit).statusCode());
            assertEquals(201, server.call(submits, "POST", "/v1/jobs", submit).statusCode());
            assertEquals(403, server.call(submits, "PUT", "/v1/people/x", "{}").statusCode());
            String tokens = "/v1/people/ann/tokens";
            assertEquals(
                    403, server.call(submits, "POST", tokens, "{\"name\":\"b\"}").statusCode());
            assertEquals(201, server.call(all, "PUT", "/v1/people/x", "{}").statusCode());
            assertEquals(204, server.delete(tokens + "/all").statusCode());
            assertEquals(401, server.call(all, "GET", "/v1/jobs", "").statusCode());
        }
    }

    @Test
    void whoIsDisabledCanDoNothingUntilEnabled() throws Exception {
        try (var server = new TestServer(folder)) {
            String bob = server.person("bob", "{}");
            String more = token(server, "bob", "laptop", "admin");
            server.patch("/v1/people/bob", "{\"disabled\":true}");
            for (String token : List.of(bob, more))
                assertEquals(401, server.call(token, "GET", "/v1/me", "").statusCode());
            server.patch("/v1/people/bob", "{\"disabled\":false}");
            for (String token : List.of(bob, more))
                assertEquals(200, server.call(token, "GET", "/v1/me", "").statusCode());
            assertEquals(409, server.patch("/v1/people/ann", "{\"disabled\":true}").statusCode());
        }
    }

    @Test
    void aCommandGetsATokenForAPasswordAndTheAuditSaysWhoCame() throws Exception {
        try (var server = new TestServer(folder)) {
            server.person("bob", "{}");
            server.put("/v1/people/bob/password", "{\"password\":\"correct horse\"}");
            String right = "{\"name\":\"bob\",\"password\":\"correct horse\",\"tokenName\":\"a\"}";
            var answer = server.call("none", "POST", "/v1/login", right);
            assertEquals(201, answer.statusCode(), answer.body());
            String token = answer.body().replaceAll("(?s).*\"token\":\\s*\"([0-9a-f]+)\".*", "$1");
            assertEquals(200, server.call(token, "GET", "/v1/me", "").statusCode());
            String wrong = right.replace("correct", "wrong");
            assertEquals(401, server.call("none", "POST", "/v1/login", wrong).statusCode());
            Eventually.when(
                    "the audit has both",
                    () -> {
                        String body = server.get("/v1/audit?action=login&subject=bob").body();
                        return body.contains("\"done\"") && body.contains("refused 401");
                    });
            assertEquals(403, server.call(token, "GET", "/v1/audit", "").statusCode());
        }
    }

    private static String token(TestServer server, String person, String name, String scope)
            throws Exception {
        var answer =
                server.post(
                        "/v1/people/" + person + "/tokens",
                        "{\"name\":\"%s\",\"scope\":\"%s\",\"days\":1}".formatted(name, scope));
        assertEquals(201, answer.statusCode(), answer.body());
        return answer.body().replaceAll("(?s).*\"token\":\\s*\"([0-9a-f]+)\".*", "$1");
    }
}
