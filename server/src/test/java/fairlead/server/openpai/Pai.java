package fairlead.server.openpai;

import static org.junit.jupiter.api.Assertions.assertEquals;

import fairlead.server.TestServer;
import fairlead.server.bodies.JsonTree;
import fairlead.testing.Eventually;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

/** A client of OpenPAI's interface, with somebody's token or none. */
record Pai(TestServer server, String token) {
    /** Enough for a table of routes of which none is called. */
    static final JobParts NO_JOBS = new JobParts(null, null, null, null, null, null, null, null);

    /** Calls without a token. */
    static Pai guest(TestServer server) {
        return new Pai(server, null);
    }

    /** Calls as ann, who owns the server. */
    static Pai owner(TestServer server) {
        return new Pai(server, TestServer.TOKEN);
    }

    HttpResponse<String> call(String method, String target, String body) throws Exception {
        return server.send(request(method, target, body));
    }

    HttpRequest.Builder request(String method, String target, String body) {
        var publisher =
                body == null
                        ? HttpRequest.BodyPublishers.noBody()
                        : HttpRequest.BodyPublishers.ofString(body);
        var request =
                HttpRequest.newBuilder(URI.create(server.url() + "/api/v1" + target))
                        .method(method, publisher);
        if (token != null) request.header("Authorization", "Bearer " + token);
        return request;
    }

    /** A call that must succeed with this status; answers the JSON. */
    Map<String, Object> must(int status, String method, String target, String body)
            throws Exception {
        var response = call(method, target, body);
        assertEquals(status, response.statusCode(), response.body());
        return JsonTree.object(JsonTree.read(response.body()));
    }

    /** A call that must be refused so. */
    void refused(int status, String code, String method, String target, String body)
            throws Exception {
        Map<String, Object> error = must(status, method, target, body);
        assertEquals(code, error.get("code"), error.toString());
        assertEquals(java.util.Set.of("code", "message"), error.keySet());
    }

    /** Logs in; the answer calls with the new token. */
    Pai logIn(String name, String password) throws Exception {
        String body = "{\"username\":\"%s\",\"password\":\"%s\"}".formatted(name, password);
        return new Pai(server, (String) must(200, "POST", "/token", body).get("token"));
    }

    /** Makes somebody known who can log in. */
    void create(String name, String password, boolean admin) throws Exception {
        must(
                201,
                "PUT",
                "/user",
                "{\"username\":\"%s\",\"password\":\"%s\",\"admin\":%s,\"modify\":false}"
                        .formatted(name, password, admin));
    }

    /** A list that must come with status 200. */
    List<Map<String, Object>> list(String target) throws Exception {
        var response = call("GET", target, null);
        assertEquals(200, response.statusCode(), response.body());
        return ((List<?>) JsonTree.read(response.body())).stream().map(JsonTree::object).toList();
    }

    /** A job file of one task with one GPU. */
    static String file(String name, String more) {
        return """
        {"jobName": "%s", "image": "busybox", "taskRoles": [{"name": "main", "taskNumber": 1,
        "cpuNumber": 1, "memoryMB": 200, "gpuNumber": 1, "command": "true"}]%s}\
        """
                .formatted(name, more.isEmpty() ? "" : ", " + more);
    }

    /** Submits such a job under a user's name. */
    void submit(String user, String name, String more) throws Exception {
        must(202, "POST", "/user/" + user + "/jobs", file(name, more));
    }

    Map<String, Object> status(String user, String name) throws Exception {
        return JsonTree.object(
                must(200, "GET", "/user/" + user + "/jobs/" + name, null).get("jobStatus"));
    }

    String state(String user, String name) throws Exception {
        return (String) status(user, name).get("state");
    }

    void awaitState(String user, String name, String state) throws Exception {
        Eventually.when(name + " is " + state, () -> state(user, name).equals(state));
    }

    /** Our own id of a job, by the address of its tracking page; it must have been placed. */
    String id(String user, String name) throws Exception {
        String page = (String) status(user, name).get("appTrackingUrl");
        return page.substring(page.lastIndexOf('/') + 1);
    }
}
