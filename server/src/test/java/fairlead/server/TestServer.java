package fairlead.server;

import fairlead.api.JobDetail;
import fairlead.api.SubmitAnswer;
import fairlead.api.people.TokenAnswer;
import fairlead.engine.Engine;
import fairlead.journals.sqlite.JournalCare;
import fairlead.journals.sqlite.JournalCopies;
import fairlead.journals.sqlite.SqliteJournal;
import fairlead.server.auth.JobAccounts;
import fairlead.server.http.HttpFront;
import fairlead.server.tls.ServerTls;
import fairlead.testing.Eventually;
import fairlead.wire.Json;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** A real server on a free port with a real journal and an engine in memory. */
public final class TestServer implements AutoCloseable {
    public static final String TOKEN = "0123456789abcdef0123456789abcdef";
    static final String SECRET = "fedcba9876543210fedcba9876543210";
    private static final String ROOT = "root";
    private static final Duration HEARTBEAT = Duration.ofMillis(100);

    /** Longer than any test that does not beat. */
    private static final Duration SILENCE = Duration.ofMinutes(5);

    private final HttpClient client = HttpClient.newHttpClient();
    private final TestEngine engine;
    private final FaultyJournal journal;
    private final Server server;
    private final CountDownLatch stopAsked = new CountDownLatch(1);
    private final List<Throwable> bugs = new CopyOnWriteArrayList<>();

    public TestServer(Path folder) throws Exception {
        this(folder, new TestEngine(2), Settings.DEFAULT);
    }

    /** With these GPUs, and attempts that may be preempted at once. */
    public TestServer(Path folder, TestEngine engine) throws Exception {
        this(folder, engine, Settings.of(Map.of("undisturbed", "0s")));
    }

    /** Takes people who run commands and are silent for so long to be gone. */
    public static TestServer impatient(Path folder, Duration silence) throws Exception {
        return new TestServer(
                folder, Settings.DEFAULT, Map.of("local", new TestEngine(2)), silence);
    }

    /** With these settings, and two GPUs. */
    public static TestServer with(Path folder, Map<String, String> settings) throws Exception {
        return new TestServer(folder, new TestEngine(2), Settings.of(settings));
    }

    /** As if the server's account, ann's, were root by another name. */
    public static TestServer ofRoot(Path folder, Map<String, String> settings) throws Exception {
        return new TestServer(
                folder,
                Settings.of(settings),
                Map.of("local", new TestEngine(2)),
                SILENCE,
                new JobAccounts.Machine(
                        true,
                        Set.of("ann", "dora", ROOT)::contains,
                        Set.of("ann", "toor", ROOT)::contains));
    }

    TestServer(Path folder, TestEngine engine, Settings settings) throws Exception {
        this(folder, settings, Map.of("local", engine), SILENCE);
    }

    /** This machine, and a cluster called lab whose tasks run in images. */
    public TestServer(Path folder, TestEngine local, TestEngine lab, Map<String, String> settings)
            throws Exception {
        this(
                folder,
                Settings.of(settings),
                Map.of("local", local, "lab", lab.runningImages()),
                SILENCE);
    }

    private TestServer(
            Path folder, Settings settings, Map<String, TestEngine> engines, Duration silence)
            throws Exception {
        this(
                folder,
                settings,
                engines,
                silence,
                new JobAccounts.Machine(false, _ -> false, ROOT::equals));
    }

    private TestServer(
            Path folder,
            Settings settings,
            Map<String, TestEngine> engines,
            Duration silence,
            JobAccounts.Machine machine)
            throws Exception {
        this.engine = engines.get("local");
        SqliteJournal sqlite = SqliteJournal.open(folder.resolve("journal.db"));
        this.journal = new FaultyJournal(sqlite);
        var around =
                new Server.Surroundings(
                        folder,
                        TOKEN,
                        SECRET,
                        Optional.of(folder.resolve("address.json")),
                        settings.team().isEncrypted(settings.host())
                                ? Optional.of(
                                        ServerTls.own(
                                                folder.resolve("tls"),
                                                Set.of("localhost", "127.0.0.1"),
                                                Instant.now()))
                                : Optional.empty(),
                        "ann",
                        "/home/ann",
                        "box",
                        machine,
                        "1.2.3",
                        HEARTBEAT,
                        silence,
                        () -> 4096,
                        sqlite::backup,
                        new JournalCare(
                                sqlite,
                                new JournalCopies(folder.resolve("copies"), settings.copies()),
                                Instant::now,
                                bugs::add),
                        _ -> new TestEngine(4).runningImages(),
                        stopAsked::countDown,
                        bugs::add);
        Settings all = AddedClusters.with(journal, settings);
        var opened = new HashMap<String, Engine>(engines);
        for (ClusterSettings each : all.clusters())
            if (!opened.containsKey(each.name()))
                opened.put(each.name(), around.opener().open(each));
        this.server = new Server(all, journal, opened, around);
        server.start();
    }

    public TestEngine engine() {
        return engine;
    }

    FaultyJournal journal() {
        return journal;
    }

    public HttpFront front() {
        return server.front();
    }

    Server server() {
        return server;
    }

    public String url() {
        return server.url();
    }

    public boolean isStopAsked() {
        return stopAsked.getCount() == 0;
    }

    /** Takes the bugs that the server met, so that closing it does not fail. */
    List<Throwable> takeBugs() {
        var taken = List.copyOf(bugs);
        bugs.removeAll(taken);
        return taken;
    }

    public HttpRequest.Builder request(String target) {
        return HttpRequest.newBuilder(URI.create(url() + target))
                .timeout(Duration.ofSeconds(30))
                .header("Authorization", "Bearer " + TOKEN);
    }

    public HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    public HttpResponse<String> get(String target) throws Exception {
        return send(request(target));
    }

    public HttpResponse<String> post(String target, String body) throws Exception {
        return send(request(target).POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    public HttpResponse<String> put(String target, String body) throws Exception {
        return send(request(target).PUT(HttpRequest.BodyPublishers.ofString(body)));
    }

    public HttpResponse<String> patch(String target, String body) throws Exception {
        return call(TOKEN, "PATCH", target, body);
    }

    /** A call of somebody else. */
    public HttpResponse<String> call(String token, String method, String target, String body)
            throws Exception {
        return send(
                request(target)
                        .setHeader("Authorization", "Bearer " + token)
                        .method(method, HttpRequest.BodyPublishers.ofString(body)));
    }

    /** Makes somebody known, and says their token. */
    public String person(String name, String body) throws Exception {
        var response = put("/v1/people/" + name, body);
        if (response.statusCode() != 201)
            throw new AssertionError(response.statusCode() + " " + response.body());
        return Json.read(TokenAnswer.class, response.body()).token();
    }

    public HttpResponse<String> delete(String target) throws Exception {
        return send(request(target).DELETE());
    }

    /** Opens a stream of server-sent events. */
    public EventReader stream(String target, String... headers) throws Exception {
        var request = request(target);
        if (headers.length > 0) request.headers(headers);
        return stream(request);
    }

    /** Opens a stream of somebody else. */
    public EventReader streamAs(String token, String target) throws Exception {
        return stream(request(target).setHeader("Authorization", "Bearer " + token));
    }

    private EventReader stream(HttpRequest.Builder request) throws Exception {
        var response = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        if (response.statusCode() != 200)
            throw new IOException(
                    response.statusCode() + " " + new String(response.body().readAllBytes()));
        return new EventReader(response.body());
    }

    /** Submits one job of one GPU, and says its id. */
    public String submit(String name) throws Exception {
        return submit(
                        "{\"jobs\":[{\"name\":\""
                                + name
                                + "\",\"command\":[\"true\"],\"gpus\":1}]}",
                        201)
                .ids()
                .getFirst();
    }

    /**
     * Submits a training job and waits until it runs.
     *
     * @param more fields of the spec, each with a comma before it
     */
    public String train(int epochs, int gpus, String more) throws Exception {
        String body =
                """
                {"jobs":[{"name":"train","command":["python3","train.py"],"gpus":%d,
                "training":{"epochs":%d,"batchSize":32,"trainingSetSize":640}%s}]}\
                """;
        String id = submit(body.formatted(gpus, epochs, more), 201).ids().getFirst();
        awaitState(id, "running");
        return id;
    }

    public JobDetail detail(String id) throws Exception {
        var response = get("/v1/jobs/" + id);
        if (response.statusCode() != 200)
            throw new AssertionError(response.statusCode() + " " + response.body());
        return Json.read(JobDetail.class, response.body());
    }

    public SubmitAnswer submit(String body, int status) throws Exception {
        var response = post("/v1/jobs", body);
        if (response.statusCode() != status)
            throw new AssertionError(response.statusCode() + " " + response.body());
        return Json.read(SubmitAnswer.class, response.body());
    }

    public String state(String id) throws Exception {
        return detail(id).job().state();
    }

    public void awaitState(String id, String word) throws Exception {
        Eventually.when(id + " is " + word, () -> state(id).equals(word));
    }

    /** The value of one series of the metrics. */
    public double metric(String series) throws Exception {
        return get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
                .findFirst()
                .orElse(0);
    }

    @Override
    public void close() {
        client.shutdownNow();
        try {
            server.stop();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        if (!bugs.isEmpty()) throw new AssertionError("the server met a bug", bugs.getFirst());
    }
}
