package fairlead.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import fairlead.api.client.ServerFile;
import fairlead.testing.Eventually;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Speaks plain HTTP, so that a test sees each single answer and each broken connection. */
final class Caller {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9.-]+_\\d+_[0-9a-f]{8}");
    private final Installation installation;

    /** What came back. */
    record Reply(int status, String body) {
        /** The text of a JSON field, wherever it stands first. */
        String field(String name) {
            Matcher match = Pattern.compile("\"" + name + "\":\"?([^\",}]*)").matcher(body);
            return match.find() ? match.group(1) : "";
        }

        String id() {
            Matcher match = ID.matcher(body);
            if (!match.find()) throw new IllegalStateException("no id in " + body);
            return match.group();
        }

        /** Of every job that is listed. */
        List<String> ids() {
            var field = Pattern.compile("\"id\":\"(" + ID + ")\"");
            return field.matcher(body).results().map(match -> match.group(1)).toList();
        }
    }

    Caller(Installation installation) {
        this.installation = installation;
    }

    /** Empty when the server could not be reached or died before it answered. */
    Optional<Reply> call(String method, String path, String body) {
        try {
            ServerFile server = installation.server();
            var connection =
                    (HttpURLConnection) URI.create(server.url() + path).toURL().openConnection();
            connection.setRequestMethod(method);
            connection.setConnectTimeout(5_000);
            connection.setReadTimeout(30_000);
            connection.setRequestProperty("Authorization", "Bearer " + server.token());
            if (body != null) {
                connection.setDoOutput(true);
                connection.setRequestProperty("Content-Type", "application/json");
                connection.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
            }
            int status = connection.getResponseCode();
            var stream = status < 400 ? connection.getInputStream() : connection.getErrorStream();
            try (stream) {
                String text =
                        stream == null
                                ? ""
                                : new String(stream.readAllBytes(), StandardCharsets.UTF_8);
                return Optional.of(new Reply(status, text));
            }
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    Reply get(String path) {
        Reply reply = call("GET", path, null).orElseThrow();
        assertEquals(200, reply.status(), reply.body());
        return reply;
    }

    void awaitState(String job, String state) {
        Eventually.when(
                job + " " + state, () -> get("/v1/jobs/" + job).field("state").equals(state));
    }

    /** One job of one GPU that runs this by a shell. */
    Optional<Reply> submit(String request, String shell, int gpus) {
        String body =
                "{\"request\":\"%s\",\"jobs\":[{\"name\":\"kill\",\"command\":\"%s\",\"gpus\":%d,\"workdir\":\"/tmp\"}]}"
                        .formatted(
                                request, shell.replace("\\", "\\\\").replace("\"", "\\\""), gpus);
        return call("POST", "/v1/jobs", body);
    }
}
