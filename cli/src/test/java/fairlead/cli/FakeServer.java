package fairlead.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import fairlead.api.ErrorBody;
import fairlead.api.ErrorCode;
import fairlead.api.HereBody;
import fairlead.api.JobBody;
import fairlead.api.JobDetail;
import fairlead.api.JobPage;
import fairlead.api.ProfileBody;
import fairlead.api.QueueList;
import fairlead.api.Release;
import fairlead.api.ResubmitRequest;
import fairlead.api.StatsBody;
import fairlead.api.SubmitAnswer;
import fairlead.api.SubmitRequest;
import fairlead.api.WhyBody;
import fairlead.api.clusters.BackupRequest;
import fairlead.api.clusters.ClusterBody;
import fairlead.api.clusters.NodeList;
import fairlead.api.clusters.ServerBody;
import fairlead.api.people.PersonBody;
import fairlead.api.people.PersonList;
import fairlead.api.people.ProjectBody;
import fairlead.api.people.ProjectList;
import fairlead.api.people.TokenAnswer;
import fairlead.api.spec.SpecBody;

import io.avaje.jsonb.Jsonb;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A server that speaks docs/http.md from memory: it runs nothing, and its jobs stand as a test sets
 * them. It can be told to refuse, and to hang up at the worst moments.
 */
final class FakeServer implements AutoCloseable {
    static final String TOKEN = "secret";
    static final String SNAPSHOT = "{\"version\":1,\"cluster\":\"local\"}";
    private static final Jsonb JSON = Jsonb.builder().build();

    private final HttpServer http;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final SequencedMap<String, FakeJob> jobs = new LinkedHashMap<>();
    private final Map<String, SubmitAnswer> answered = new HashMap<>();
    private final Runnable onStop;

    /** The first lines of all requests, as {@code POST /v1/jobs}. */
    final List<String> requests = new CopyOnWriteArrayList<>();

    /** The bodies of calls that set something, as they came. */
    final List<String> asked = new CopyOnWriteArrayList<>();

    final List<SpecBody> submitted = new CopyOnWriteArrayList<>();

    /** In whose places jobs came. */
    final List<String> replaced = new CopyOnWriteArrayList<>();

    /** Answers the next submit with this, once. */
    volatile ErrorBody refusal;

    /** Stand beside every list of jobs. */
    volatile List<String> notes = List.of();

    /** So many answers to submits are lost after the work is done. */
    volatile int answersToLose;

    /** So many submits take too long to answer, and are done all the same. */
    volatile int lateAnswers;

    /** Follow streams break after so many events; 0 means never. */
    volatile int eventsBeforeBreak;

    /** Where the last backup should be. */
    volatile String backup;

    /** What is written there; null: nothing. */
    volatile String backupText;

    volatile boolean diskFull;

    /** For whom the last submit was. */
    volatile String as;

    /** So many submits are refused because of a name in use. */
    volatile int conflicts;

    /** Whether jobs run inside their images. */
    volatile boolean runsImages;

    volatile boolean localRunsImages;

    /** How jobs that are submitted stand. */
    volatile String stateOfNew = "succeeded";

    volatile String obstacleOfNew = "";

    /** What its answers say of its release. */
    volatile String version = Release.VERSION;

    FakeServer() throws IOException {
        this(0, () -> {});
    }

    FakeServer(int port, Runnable onStop) throws IOException {
        this.onStop = onStop;
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        http.setExecutor(threads);
        http.createContext("/", this::serve);
        http.start();
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + http.getAddress().getPort());
    }

    synchronized FakeJob add(FakeJob job) {
        jobs.put(job.body.id(), job);
        return job;
    }

    synchronized void end(String id, String state, int exitCode) {
        jobs.get(id).state(state, exitCode);
    }

    synchronized void remove(FakeJob job) {
        jobs.remove(job.body.id());
    }

    @Override
    public void close() {
        http.stop(0);
        threads.shutdownNow();
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            URI uri = exchange.getRequestURI();
            requests.add(exchange.getRequestMethod() + " " + uri);
            exchange.getResponseHeaders().add(Release.HEADER, version);
            try {
                String given = exchange.getRequestHeaders().getFirst("Authorization");
                if (!("Bearer " + TOKEN).equals(given)) {
                    throw new FakeRefusal(
                            ErrorCode.UNAUTHORIZED, "the token is missing or wrong", null, null);
                }
                route(exchange, exchange.getRequestMethod(), uri.getPath(), query(uri));
            } catch (FakeRefusal e) {
                answer(exchange, e.status, e.body, ErrorBody.class);
            }
        }
    }

    private void route(HttpExchange exchange, String method, String path, Map<String, String> query)
            throws IOException, FakeRefusal {
        String[] parts = path.split("/");
        switch (method + " " + path) {
            case "POST /v1/jobs" -> submit(exchange, query.containsKey("dryRun"));
            case "GET /v1/jobs" -> list(exchange, query);
            case "GET /v1/queue" -> answer(exchange, 200, FakeBodies.queue(), QueueList.class);
            case "GET /v1/nodes" -> answer(exchange, 200, FakeBodies.nodes(), NodeList.class);
            case "GET /v1/stats" -> answer(exchange, 200, FakeBodies.stats(), StatsBody.class);
            case "GET /v1/server" ->
                    answer(
                            exchange,
                            200,
                            FakeBodies.server(runsImages, localRunsImages),
                            ServerBody.class);
            case "POST /v1/server/stop" -> {
                exchange.sendResponseHeaders(202, -1);
                onStop.run();
            }
            case "POST /v1/server/backup" -> backup(exchange);
            case "POST /v1/clusters" -> set(exchange, 200, FakeBodies.LAB, ClusterBody.class);
            case "GET /v1/snapshot" -> snapshot(exchange, query.getOrDefault("cluster", "local"));
            case "GET /v1/me" -> answer(exchange, 200, FakeBodies.ANN, PersonBody.class);
            case "GET /v1/people" -> answer(exchange, 200, FakeBodies.people(), PersonList.class);
            case "GET /v1/projects" ->
                    answer(exchange, 200, FakeBodies.projects(), ProjectList.class);
            case "PUT /v1/projects/vision" ->
                    set(exchange, 200, FakeBodies.VISION, ProjectBody.class);
            case "PUT /v1/people/bob/password" -> {
                asked.add(new String(exchange.getRequestBody().readAllBytes()));
                exchange.sendResponseHeaders(204, -1);
            }
            case "DELETE /v1/projects/vision", "DELETE /v1/people/bob" ->
                    exchange.sendResponseHeaders(204, -1);
            case "PATCH /v1/people/bob" -> set(exchange, 200, FakeBodies.BOB, PersonBody.class);
            case "PUT /v1/people/bob", "POST /v1/people/bob/token" ->
                    set(exchange, 201, new TokenAnswer("bob", "b0b"), TokenAnswer.class);
            case "POST /v1/abort" -> new FakeArrays(this).abort(exchange);
            case "GET /v1/events" -> new FakeArrays(this).events(exchange, JSON);
            default -> {
                String call = parts.length > 4 ? parts[4] : "";
                if (path.startsWith("/v1/arrays/")) {
                    new FakeArrays(this).ofArray(exchange, method + " " + call, parts[3]);
                    return;
                }
                if (!path.startsWith("/v1/jobs/")) {
                    throw new FakeRefusal(ErrorCode.NOT_FOUND, "no such path", null, null);
                }
                job(exchange, method + " " + call, find(parts[3]), query);
            }
        }
    }

    private void job(HttpExchange exchange, String call, FakeJob job, Map<String, String> query)
            throws IOException, FakeRefusal {
        switch (call) {
            case "GET " -> {
                job.looked();
                answer(exchange, 200, job.detail(), JobDetail.class);
            }
            case "GET profile" -> answer(exchange, 200, profile(job), ProfileBody.class);
            case "GET spec" -> answer(exchange, 200, job.spec, SpecBody.class);
            case "GET why" -> answer(exchange, 200, job.why(), WhyBody.class);
            case "GET logs" -> {
                if (!job.hasLog)
                    throw new FakeRefusal(ErrorCode.NOT_FOUND, "it is gone", null, null);
                logs(exchange, job, query);
            }
            case "GET events" -> events(exchange, job);
            case "POST abort" -> {
                if (job.isOver()) {
                    throw new FakeRefusal(
                            ErrorCode.CONFLICT, job.body.id() + " has already ended", null, null);
                }
                job.state("cancelled", 143);
                answer(exchange, 200, job.body, JobBody.class);
            }
            case "POST priority" -> {
                asked.add(new String(exchange.getRequestBody().readAllBytes()));
                answer(exchange, 200, job.body, JobBody.class);
            }
            case "POST resubmit" -> {
                var request = read(exchange, ResubmitRequest.class);
                answer(
                        exchange,
                        201,
                        made(request.request(), List.of(job.spec), null),
                        SubmitAnswer.class);
            }
            case "DELETE " -> {
                if (!job.isOver()) {
                    throw new FakeRefusal(
                            ErrorCode.CONFLICT, "job " + job.body.id() + " is active", null, null);
                }
                remove(job);
                exchange.sendResponseHeaders(204, -1);
            }
            default -> throw new FakeRefusal(ErrorCode.NOT_FOUND, "no such path", null, null);
        }
    }

    synchronized List<FakeJob> all() {
        return List.copyOf(jobs.values());
    }

    synchronized List<FakeJob> array(String array) {
        return jobs.values().stream()
                .filter(job -> job.body.array() != null)
                .filter(job -> array.equals(job.body.array()) || array.equals(job.body.name()))
                .toList();
    }

    private void backup(HttpExchange exchange) throws IOException, FakeRefusal {
        if (diskFull) throw new FakeRefusal(ErrorCode.UNAVAILABLE, "the disk is full", null, null);
        backup = read(exchange, BackupRequest.class).file();
        if (backupText != null) Files.writeString(Path.of(backup), backupText);
        exchange.sendResponseHeaders(201, -1);
    }

    private static void snapshot(HttpExchange exchange, String cluster)
            throws IOException, FakeRefusal {
        if (!cluster.equals("local")) {
            String message = "cluster: no cluster '" + cluster + "'; known: local";
            throw new FakeRefusal(ErrorCode.NOT_FOUND, message, "cluster", null);
        }
        byte[] json = SNAPSHOT.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, json.length);
        exchange.getResponseBody().write(json);
    }

    private synchronized void submit(HttpExchange exchange, boolean dryRun)
            throws IOException, FakeRefusal {
        var request = read(exchange, SubmitRequest.class);
        as = request.as();
        if (refusal != null) {
            ErrorBody body = refusal;
            refusal = null;
            throw new FakeRefusal(ErrorCode.INVALID, body.message(), body.field(), body.matches());
        }
        if (dryRun) {
            var all = request.jobs().stream().map(job -> completed(job, request.here())).toList();
            byte[] json = JSON.type(SpecBody.class).list().toJsonBytes(all);
            exchange.sendResponseHeaders(200, json.length);
            exchange.getResponseBody().write(json);
            return;
        }
        var specs = new ArrayList<SpecBody>();
        for (SpecBody job : request.jobs()) specs.add(completed(job, request.here()));
        if (request.array() != null) {
            int count = request.array().to() - request.array().from() + 1;
            while (specs.size() < count) specs.add(specs.getFirst());
        }
        if (conflicts > 0) {
            conflicts--;
            throw new FakeRefusal(ErrorCode.CONFLICT, "the pod already exists", null, null);
        }
        if (request.instead() != null) {
            FakeJob old = find(request.instead());
            replaced.add(old.body.id());
            if (!old.isOver()) old.state("cancelled", 143);
        }
        boolean repeat = answered.containsKey(request.request());
        SubmitAnswer answer =
                made(request.request(), specs, request.array() == null ? null : "000a77a1");
        if (answersToLose-- > 0) return;
        if (lateAnswers-- > 0)
            throw new FakeRefusal(ErrorCode.UNDECIDED, "the server is busy", null, null);
        answer(exchange, repeat ? 200 : 201, answer, SubmitAnswer.class);
    }

    private SpecBody completed(SpecBody spec, HereBody here) {
        return FakeBodies.completed(spec, here, runsImages);
    }

    synchronized SubmitAnswer made(String request, List<SpecBody> specs, String array) {
        SubmitAnswer known = answered.get(request);
        if (known != null) return known;
        var ids = new ArrayList<String>();
        for (SpecBody spec : specs) {
            submitted.add(spec);
            String name = spec.name() == null ? "job" : spec.name();
            String id = "%s_1763180000_%08x".formatted(name, 0xa0000000L + jobs.size());
            var job = new FakeJob(id, stateOfNew, spec);
            job.log = "made by a test\n";
            job.obstacles = List.of(obstacleOfNew);
            if (stateOfNew.equals("queued")) job.log = "";
            job.array(array);
            add(job);
            ids.add(id);
        }
        var answer = new SubmitAnswer(ids, array, List.of());
        answered.put(request, answer);
        return answer;
    }

    private synchronized void list(HttpExchange exchange, Map<String, String> query)
            throws IOException, FakeRefusal {
        String asked = query.getOrDefault("cluster", "local");
        if (!List.of("local", "lab").contains(asked)) {
            String problem = "cluster: no cluster '" + asked + "'; known: local, lab";
            throw new FakeRefusal(ErrorCode.INVALID, problem, "cluster", null);
        }
        String state = query.get("state");
        var found = new ArrayList<JobBody>();
        for (FakeJob job : jobs.values()) {
            boolean matches =
                    switch (state == null ? "" : state) {
                        case "" -> true;
                        case "active" -> !job.isOver();
                        case "finished" -> job.isOver();
                        default -> job.body.state().equals(state);
                    };
            String array = query.get("array");
            if (array != null) matches &= array(array).contains(job);
            String cluster = query.get("cluster");
            if (cluster != null) matches &= cluster.equals(job.body.cluster());
            if (matches) found.addFirst(job.listed());
        }
        var arrays = query.containsKey("arrays") ? FakeArrays.once(found, jobs.values()) : null;
        int start = query.containsKey("before") ? Integer.parseInt(query.get("before")) : 0;
        int end =
                Math.min(
                        found.size(), start + Integer.parseInt(query.getOrDefault("limit", "100")));
        String next = end < found.size() ? String.valueOf(end) : null;
        var page = new JobPage(found.subList(start, end), next, notes, arrays);
        answer(exchange, 200, page, JobPage.class);
    }

    private static ProfileBody profile(FakeJob job) throws FakeRefusal {
        String id = job.body.id();
        if (job.speeds != null) return new ProfileBody(id, job.speeds, job.gpuMemoryBytes);
        String problem = id + " was not submitted as a training job";
        throw new FakeRefusal(ErrorCode.CONFLICT, problem, null, null);
    }

    synchronized FakeJob find(String suffix) throws FakeRefusal {
        if (suffix.equals("@last")) return jobs.lastEntry().getValue();
        var matches = jobs.keySet().stream().filter(id -> id.endsWith(suffix)).toList();
        if (matches.isEmpty()) {
            throw new FakeRefusal(
                    ErrorCode.NOT_FOUND, "no job ends with '" + suffix + "'", null, null);
        }
        if (matches.size() > 1) {
            throw new FakeRefusal(
                    ErrorCode.AMBIGUOUS, "'" + suffix + "' could be several jobs:", null, matches);
        }
        return jobs.get(matches.getFirst());
    }

    private void logs(HttpExchange exchange, FakeJob job, Map<String, String> query)
            throws IOException {
        if (query.containsKey("follow")) {
            String last = exchange.getRequestHeaders().getFirst("Last-Event-ID");
            follow(exchange, job, last == null ? 0 : Integer.parseInt(last.split(":")[1]));
            return;
        }
        String log = job.log(query.get("task"));
        int end = log.getBytes(StandardCharsets.UTF_8).length;
        if (query.containsKey("tail")) {
            List<String> lines = log.lines().toList();
            int from = Math.max(0, lines.size() - Integer.parseInt(query.get("tail")));
            log = String.join("\n", lines.subList(from, lines.size())) + "\n";
        }
        byte[] bytes = log.getBytes(StandardCharsets.UTF_8);
        int start = Integer.parseInt(query.getOrDefault("offset", "0"));
        bytes = Arrays.copyOfRange(bytes, Math.min(start, bytes.length), bytes.length);
        exchange.getResponseHeaders().add("X-Log-Attempt", String.valueOf(job.body.attempts()));
        exchange.getResponseHeaders().add("X-Log-Offset", String.valueOf(end));
        exchange.sendResponseHeaders(200, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    /** One event for each line of the log. */
    private void follow(HttpExchange exchange, FakeJob job, int offset) throws IOException {
        exchange.sendResponseHeaders(200, 0);
        var out = exchange.getResponseBody();
        out.write(": heartbeat\n\n".getBytes(StandardCharsets.UTF_8));
        int at = offset;
        int sent = 0;
        while (at < job.log.length()) {
            int end = job.log.indexOf('\n', at) + 1;
            String data = JSON.type(String.class).toJson(job.log.substring(at, end));
            String event = "id: 1:" + end + "\nevent: log\ndata: " + data + "\n\n";
            out.write(event.getBytes(StandardCharsets.UTF_8));
            out.flush();
            at = end;
            if (++sent == eventsBeforeBreak) return;
        }
        job.awaitEnd();
        String end = "event: end\ndata: " + JSON.type(JobBody.class).toJson(job.body) + "\n\n";
        out.write(end.getBytes(StandardCharsets.UTF_8));
    }

    /** Ends at once: whoever waits asks for the job again. */
    private void events(HttpExchange exchange, FakeJob job) throws IOException {
        exchange.sendResponseHeaders(200, 0);
        exchange.getResponseBody().write(": heartbeat\n\n".getBytes(StandardCharsets.UTF_8));
        exchange.getResponseBody().flush();
        job.waited();
    }

    private static Map<String, String> query(URI uri) {
        var query = new HashMap<String, String>();
        if (uri.getRawQuery() == null) return query;
        for (String pair : uri.getRawQuery().split("&")) {
            String[] parts = pair.split("=", 2);
            query.put(parts[0], URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
        }
        return query;
    }

    static <T> T read(HttpExchange exchange, Class<T> type) throws IOException {
        return JSON.type(type).fromJson(exchange.getRequestBody().readAllBytes());
    }

    private <T> void set(HttpExchange call, int status, T body, Class<T> type) throws IOException {
        asked.add(new String(call.getRequestBody().readAllBytes()));
        answer(call, status, body, type);
    }

    static <T> void answer(HttpExchange exchange, int status, T body, Class<T> type)
            throws IOException {
        byte[] json = JSON.type(type).toJsonBytes(body);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, json.length);
        exchange.getResponseBody().write(json);
    }
}
