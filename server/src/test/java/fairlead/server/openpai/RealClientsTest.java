package fairlead.server.openpai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.server.TestEngine;
import fairlead.server.TestServer;
import fairlead.server.bodies.JsonTree;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What OpenPAI's own clients send, request by request: its SDK for Python, its extension for VS
 * Code, and its first portal, whose pages are jQuery's.
 */
final class RealClientsTest {
    private static final String FORM = "application/x-www-form-urlencoded";

    @TempDir Path folder;
    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        server = new TestServer(folder, new TestEngine(2));
        Pai.owner(server).create("bob", "secret1", false);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private HttpResponse<String> send(
            String method, String path, String token, String type, String body) throws Exception {
        var request =
                HttpRequest.newBuilder(URI.create(server.url() + path))
                        .method(
                                method,
                                body == null
                                        ? HttpRequest.BodyPublishers.noBody()
                                        : HttpRequest.BodyPublishers.ofString(body));
        if (token != null) request.header("Authorization", "Bearer " + token);
        if (type != null) request.header("Content-Type", type);
        return server.send(request);
    }

    private static Map<String, Object> json(int status, HttpResponse<String> response) {
        assertEquals(status, response.statusCode(), response.body());
        return JsonTree.object(JsonTree.read(response.body()));
    }

    /** As JavaScript's qs and Python's urllib spell a form. */
    private static String form(String... pairs) {
        return Arrays.stream(pairs)
                .map(pair -> pair.split("=", 2))
                .map(
                        pair ->
                                URLEncoder.encode(pair[0], StandardCharsets.UTF_8)
                                        + "="
                                        + URLEncoder.encode(pair[1], StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }

    private String logIn(String root) throws Exception {
        String body = form("username=bob", "password=secret1", "expiration=3600");
        return (String) json(200, send("POST", root + "/token", null, FORM, body)).get("token");
    }

    /** {@code opai job submit}, {@code list} and {@code status}: behind OpenPAI's proxy. */
    @Test
    void theSdkForPython() throws Exception {
        String root = "/rest-server/api/v1";
        String token = logIn(root);
        String jobs = root + "/user/bob/jobs";
        String file = Pai.file("sdk", "\"extras\": {\"__clusters__\": [\"lab\"]}");
        json(202, send("POST", jobs, token, "application/json", file));
        var list = (List<?>) JsonTree.read(send("GET", jobs, null, null, null).body());
        assertEquals("sdk", JsonTree.object(list.getFirst()).get("name"));
        var status = json(200, send("GET", jobs + "/sdk", null, null, null));
        assertTrue(
                List.of("WAITING", "RUNNING")
                        .contains(JsonTree.object(status.get("jobStatus")).get("state")),
                status.toString());
        // Its 'config' sends no token and is refused in words; with one the file is JSON to it.
        var refusal = json(401, send("GET", jobs + "/sdk/config", null, null, null));
        assertTrue(refusal.get("message").toString().contains("owner"), refusal.toString());
        var config = json(200, send("GET", jobs + "/sdk/config", token, null, null));
        assertEquals("sdk", config.get("jobName"));
    }

    /** Its files of version 2 are another system's. */
    @ParameterizedTest
    @ValueSource(
            strings = {"/rest-server/api/v2/jobs", "/api/v2/jobs", "/api/v2/jobs/bob~x/config"})
    void version2IsRefusedInWords(String path) throws Exception {
        var refusal =
                json(404, send("POST", path, logIn("/api/v1"), "text/yaml", "protocolVersion: 2"));
        assertEquals("NoApiError", refusal.get("code"));
        assertTrue(refusal.get("message").toString().contains("version 1"), refusal.toString());
    }

    /** It asks whether the name is free, sends the job as a form, and lists all jobs. */
    @Test
    void theExtensionForVsCode() throws Exception {
        String token = logIn("/api/v1");
        String jobs = "/api/v1/user/bob/jobs";
        var free = json(404, send("GET", jobs + "/new_job", token, null, null));
        assertEquals("NoJobError", free.get("code"));
        String job =
                form(
                        "jobName=new_job",
                        "image=aiplatform/pai.build.base",
                        "codeDir=$PAI_DEFAULT_FS_URI/bob/new_job",
                        "dataDir=$PAI_DEFAULT_FS_URI/Data/new_job",
                        "taskRoles[0][name]=task",
                        "taskRoles[0][taskNumber]=1",
                        "taskRoles[0][cpuNumber]=1",
                        "taskRoles[0][gpuNumber]=0",
                        "taskRoles[0][memoryMB]=1000",
                        "taskRoles[0][portList][0][label]=web",
                        "taskRoles[0][portList][0][portNumber]=2",
                        "taskRoles[0][command]=python new_job/a.py && echo 'é=&'",
                        "jobEnvs[MODE]=fast");
        json(202, send("POST", jobs, token, FORM, job));
        var kept = json(200, send("GET", jobs + "/new_job/config", token, null, null));
        var role = JsonTree.object(((List<?>) kept.get("taskRoles")).getFirst());
        assertEquals("python new_job/a.py && echo 'é=&'", role.get("command"));
        assertEquals("1000", role.get("memoryMB"));
        assertEquals(Map.of("MODE", "fast"), kept.get("jobEnvs"));
        var list = (List<?>) JsonTree.read(send("GET", "/api/v1/jobs", null, null, null).body());
        assertEquals("new_job", JsonTree.object(list.getFirst()).get("name"));
        var bad = json(400, send("POST", jobs, token, FORM, form("jobName=x", "taskRoles[0=y")));
        assertEquals("InvalidParametersError", bad.get("code"));
    }

    /** The list, a job's page, Submit, View Config, Clone and Stop. */
    @Test
    void theFirstPortal() throws Exception {
        String token = logIn("/api/v1");
        String job = "/api/v1/user/bob/jobs/shown";
        String file = Pai.file("shown", "");
        json(202, send("PUT", job, token, "application/json; charset=utf-8", file));
        var list = (List<?>) JsonTree.read(send("GET", "/api/v1/jobs", null, null, null).body());
        assertEquals("bob", JsonTree.object(list.getFirst()).get("namespace"));
        json(200, send("GET", job, null, null, null));
        // View Config and Clone read the answer as a text, which they then parse: with a type of
        // JSON, jQuery would have done so already, and they would fail.
        var config = send("GET", job + "/config", token, null, null);
        assertEquals(file, config.body());
        assertEquals(
                "text/plain; charset=utf-8",
                config.headers().firstValue("Content-Type").orElseThrow());
        var refusal = json(401, send("GET", job + "/config", null, null, null));
        assertTrue(refusal.get("message").toString().contains("token"), refusal.toString());
        json(202, send("PUT", job + "/executionType", token, FORM, form("value=STOP")));
        Pai.guest(server).awaitState("bob", "shown", "STOPPED");
    }

    /** Libraries that ask for JSON are told that it is. */
    @Test
    void whoAsksForJsonGetsJson() throws Exception {
        Pai bob = Pai.guest(server).logIn("bob", "secret1");
        bob.submit("bob", "one", "");
        var request =
                bob.request("GET", "/user/bob/jobs/one/config", null)
                        .header("Accept", "application/json, text/plain, */*");
        String type = server.send(request).headers().firstValue("Content-Type").orElseThrow();
        assertEquals("application/json; charset=utf-8", type);
    }

    @Test
    void whatIsNotBroughtToTasksIsSaid() throws Exception {
        Pai bob = Pai.guest(server).logIn("bob", "secret1");
        String rdma = Pai.file("fast", "\"jobEnvs\": {\"paiAzRDMA\": true}");
        var response = bob.call("POST", "/user/bob/jobs", rdma);
        assertEquals(202, response.statusCode(), response.body());
        String warning = response.headers().firstValue("X-Warning").orElse("");
        assertTrue(warning.contains("paiAzRDMA has no effect"), warning);
    }
}
