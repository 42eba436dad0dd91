package fairlead.engines.azureml;

import static org.junit.jupiter.api.Assertions.assertEquals;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import fairlead.engine.MoreVariables;
import fairlead.engines.azureml.rest.Doc;
import fairlead.engines.azureml.rest.Rest;
import fairlead.engines.azureml.rest.ServiceException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Every answer that the real service was recorded to give, read by our own calls: what we take from
 * it is a line of {@code recordings.txt}.
 */
class RecordingsTest {
    private static final Pattern PLACE =
            Pattern.compile(
                    "/subscriptions/([^/]+)/resource[gG]roups/([^/]+)/providers/Microsoft.MachineLearningServices/workspaces/([^/]+)(.*)");

    private HttpServer server;
    private Doc entry;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::replay);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void everyAnswerIsReadAsItWasMeant() throws Exception {
        Doc all = Doc.parse(resource("recordings.json"));
        var lines = new StringBuilder();
        for (Doc recording : all.at("recordings").list()) {
            lines.append(recording.at("name").text()).append('\n');
            for (Doc each : recording.at("entries").list()) {
                lines.append("    ").append(read(each)).append('\n');
            }
        }
        assertEquals(resource("recordings.txt"), lines.toString());
    }

    private static String resource(String name) throws IOException {
        try (var in = RecordingsTest.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    private String base() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    }

    /** Answers the one call of the entry, and the two that find run history. */
    private void replay(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            String path = exchange.getRequestURI().getPath();
            String host = entry.at("host").text();
            boolean isAsked =
                    path.equals("/" + host + entry.at("path").text())
                            && exchange.getRequestMethod().equals(entry.at("method").text());
            byte[] body = isAsked ? body() : lookup(path, host);
            for (var header : entry.at("headers").map().entrySet()) {
                if (isAsked && header.getKey().equals("Retry-After"))
                    exchange.getResponseHeaders().add("Retry-After", (String) header.getValue());
            }
            int status = isAsked ? entry.at("status").number() : 200;
            exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            if (body.length > 0) exchange.getResponseBody().write(body);
        }
    }

    private byte[] lookup(String path, String host) {
        if (path.endsWith("/discovery"))
            return Doc.text(Map.of("api", base() + host)).getBytes(UTF_8);
        assertEquals("", place(path.substring(path.indexOf("/sub"))).group(4), "not recorded");
        String address = base() + host + "/discovery";
        return Doc.text(Map.of("properties", Map.of("discoveryUrl", address))).getBytes(UTF_8);
    }

    private byte[] body() {
        Doc body = entry.at("body");
        boolean isFile = entry.at("host").text().contains(".blob.");
        if (!body.list().isEmpty())
            return body.list().stream()
                    .map(line -> line.text())
                    .collect(Collectors.joining())
                    .getBytes(UTF_8);
        if (body.value() instanceof String text)
            return isFile && !text.contains("<")
                    ? Base64.getDecoder().decode(text)
                    : text.getBytes(UTF_8);
        return body.value() == null ? new byte[0] : Doc.text(body.value()).getBytes(UTF_8);
    }

    private static Matcher place(String path) {
        Matcher place = PLACE.matcher(path);
        if (!place.matches()) throw new AssertionError(path);
        return place;
    }

    private String read(Doc each) throws Exception {
        entry = each;
        String method = each.at("method").text();
        String path = each.at("path").text();
        Matcher place = PLACE.matcher(path.replace("/history/v1.0", ""));
        String rest = place.matches() ? place.group(4) : path;
        try (var client = new Rest(new TestTokens())) {
            var workspace = new Workspace(settings(place), client);
            try {
                return method + " " + what(rest) + ": " + call(workspace, method, rest);
            } catch (ServiceException refused) {
                String kind = refused.isPassing() ? "again" : "refused";
                String pause =
                        refused.pause().map(it -> ", after " + it.toSeconds() + " s").orElse("");
                return "%s %s: %s (%d %s)%s"
                        .formatted(
                                method, what(rest), kind, refused.status(), refused.code(), pause);
            }
        }
    }

    private static String what(String rest) {
        String[] parts = rest.split("/");
        return parts.length < 2
                ? "workspace"
                : parts[1] + (parts.length > 3 ? " " + parts[parts.length - 1] : "");
    }

    private AzureMlSettings settings(Matcher place) {
        boolean isPlace = place.matches();
        return new AzureMlSettings(
                Path.of("/none"),
                "azure",
                URI.create(base() + "management.azure.com"),
                isPlace ? place.group(1) : "s",
                isPlace ? place.group(2) : "g",
                isPlace ? place.group(3) : "w",
                "compute",
                Optional.empty(),
                OptionalInt.empty(),
                AzureMlSettings.Distribution.PYTORCH,
                1,
                AzureMlSettings.Pace.USUAL,
                1,
                MoreVariables.NONE);
    }

    private String call(Workspace workspace, String method, String rest) throws Exception {
        String[] parts = rest.split("/");
        String kind = parts.length > 1 ? parts[1] : "";
        String name = parts.length > 2 ? parts[2] : "";
        String host = entry.at("host").text();
        if (host.contains(".blob.") && method.equals("GET"))
            return workspace.read(URI.create(base() + host + entry.at("path").text()), 0, 1 << 20)
                            .length
                    + " bytes";
        switch (method + " " + kind + (parts.length > 3 ? "/" + parts[3] : "")) {
            case "PUT jobs":
                return word(workspace.putJob(name, Map.of("jobType", "Command")));
            case "GET jobs":
                return name.isEmpty()
                        ? workspace.page(workspace.jobs("tag")).at("value").list().stream()
                                .map(RecordingsTest::word)
                                .toList()
                                .toString()
                        : word(workspace.job(name));
            case "POST jobs/cancel":
                workspace.cancel(name);
                return "taken";
            case "GET datastores":
                return workspace.hasDatastore(name) ? "there" : "missing";
            case "GET computes":
                return name.isEmpty()
                        ? other(workspace, method).at("value").list().stream()
                                .map(RecordingsTest::capacity)
                                .toList()
                                .toString()
                        : capacity(workspace.compute(name));
            case "GET runs":
                return run(workspace.run(name));
            case "POST rundata":
                return run(other(workspace, method).at("runMetadata"));
            case "GET runs/details":
                return workspace.logFiles(name).keySet().toString();
            case "GET runs/children":
                return other(workspace, method).at("value").list().stream()
                        .map(RecordingsTest::run)
                        .toList()
                        .toString();
            default:
                other(workspace, method);
                return "taken";
        }
    }

    /** A call that we do not make: its answer is read all the same. */
    private Doc other(Workspace workspace, String method) throws ServiceException {
        URI address = URI.create(base() + entry.at("host").text() + entry.at("path").text());
        return workspace.rest().call(method, address, null).doc();
    }

    private static String word(Doc job) {
        String word = job.at("properties", "status").text();
        return word + " = " + JobStatus.of(word);
    }

    private static String capacity(Doc compute) {
        var size = new Capacity.Size(Capacity.size(compute), 1, 0, 0);
        Capacity all = Capacity.of(compute, size);
        var node = all.node(List.of(), true);
        return "%s %d of %d%s%s"
                .formatted(
                        size.word(),
                        node.gpus().size(),
                        all.machines(),
                        node.ready() ? "" : ", not ready",
                        all.problems().isEmpty() ? "" : ", " + all.problems());
    }

    private static String run(Doc run) {
        String reason =
                run.at("queueingInfo", "message")
                        .some()
                        .orElse(run.at("queueingInfo", "code").text());
        String failed =
                run.at("error").value() == null
                        ? ""
                        : " " + Follower.failed(run.at("error", "error"), Instant.EPOCH).note();
        return (JobStatus.of(run.at("status").text()) + " " + reason + failed).strip();
    }
}
