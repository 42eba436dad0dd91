package fairlead.server;

import fairlead.api.TrainingAnswer;
import fairlead.wire.Json;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;

/** A training script as the server hears it: it knows what its task's variables tell it. */
public final class Script {
    private final TestServer server;
    private final String job;
    private final int attempt;
    private final Map<String, String> environment;

    /** The script of the job's running attempt. */
    public Script(TestServer server, String job) {
        this.server = server;
        this.job = job;
        this.attempt = server.engine().running(job).orElseThrow().number();
        this.environment = server.engine().environment(job);
    }

    private Script(TestServer server, Script same) {
        this.server = server;
        this.job = same.job;
        this.attempt = same.attempt;
        this.environment = same.environment;
    }

    /** The same process after the server has been started again. */
    public Script talkingTo(TestServer other) {
        return new Script(other, this);
    }

    public String token() {
        return environment.get("FAIRLEAD_JOB_TOKEN");
    }

    public String uuid() {
        return environment.get("JOB_UUID");
    }

    /** Reports, and says whether it shall stop. */
    public boolean tell(String kind, int epoch) throws Exception {
        return tell(0, kind, epoch, "");
    }

    /**
     * @param more further fields, each with a comma before it
     */
    public boolean tell(int rank, String kind, int epoch, String more) throws Exception {
        var response = send(body(rank, kind, epoch, more));
        if (response.statusCode() != 200)
            throw new AssertionError(response.statusCode() + " " + response.body());
        return Json.read(TrainingAnswer.class, response.body()).stop();
    }

    public String body(int rank, String kind, int epoch, String more) {
        return "{\"attempt\":%d,\"rank\":%d,\"kind\":\"%s\",\"epoch\":%d%s}"
                .formatted(attempt, rank, kind, epoch, more);
    }

    public HttpResponse<String> send(String body) throws Exception {
        return server.call(token(), "POST", "/v1/jobs/" + job + "/training", body);
    }

    /** A call of the published library: no token, no body for a question. */
    public HttpResponse<String> published(String route, String body) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(server.url() + route + uuid()));
        if (!body.isEmpty()) request.POST(HttpRequest.BodyPublishers.ofString(body));
        return server.send(request);
    }
}
