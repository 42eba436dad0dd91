package fairlead.engines.azureml;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import fairlead.engine.MoreVariables;
import fairlead.engines.azureml.rest.Doc;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A workspace of Azure ML whose jobs are processes of this machine. It takes only calls that
 * Azure's specification allows, answers in the shapes that the real service was recorded to give,
 * and fails as often as a test wants. Each of Azure's hosts is the first part of a path here.
 */
public final class TestService implements AutoCloseable {
    /** Longer than a polite task needs, short for one that is not. */
    static final long GRACE_MILLIS = 400;

    static final String STORE = "store";

    private static final int PAGE = 10;
    private static final String ARM = "management.azure.com";
    private static final String API = "eastus2.api.azureml.ms";
    private static final String BLOB = "account.blob.core.windows.net";
    private static final Pattern LAST = Pattern.compile("/(jobs|runs|datastores|computes)/([^/]+)");
    private static final Pattern RANGE = Pattern.compile("bytes=(\\d+)-(\\d+)");

    /** What goes wrong with a call. */
    enum Fault {
        NONE,
        THROTTLED,
        /** For longer than a test waits, and in words alone. */
        THROTTLED_LONG,
        INTERNAL,
        UNAVAILABLE,
        TIMED_OUT,
        /** The connection is cut before anything is done. */
        CUT_BEFORE,
        /** What was asked for is done, and the connection is cut before the answer. */
        CUT_AFTER
    }

    /** Decides what goes wrong. */
    interface Faults {
        Fault of(String method, String path);
    }

    private final Path folder;
    private final HttpServer server;
    private final Specification specification = Specification.read();
    private final Map<String, TestJob> jobs = new ConcurrentHashMap<>();
    private final List<TestJob> newest = new CopyOnWriteArrayList<>();

    /** What the specification does not allow, and was called. */
    public final List<String> mistakes = new CopyOnWriteArrayList<>();

    /** How often each kind of call was made. */
    final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();

    /** Jobs that were made, each as often as it was. */
    final Map<String, AtomicInteger> made = new ConcurrentHashMap<>();

    /** Tokens below this number have ended; so have addresses of logs. */
    volatile int tokenFirst;

    volatile int addressFirst;
    volatile Faults faults = (_, _) -> Fault.NONE;

    /** Whether jobs run at once; else a test moves them on. */
    volatile boolean isRunning = true;

    volatile int machines = 4;

    public static TestService start(Path folder) throws IOException {
        return new TestService(folder);
    }

    private TestService(Path folder) throws IOException {
        this.folder = folder;
        this.server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    /** What the setting {@code azure-cloud} names. */
    public String cloud() {
        return base() + ARM;
    }

    String base() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    }

    AzureMlSettings settings(Path home) {
        return settings(
                home,
                new AzureMlSettings.Pace(
                        Duration.ofMillis(15),
                        Duration.ofMillis(120),
                        Duration.ofMillis(100),
                        Duration.ofMillis(15),
                        Duration.ZERO));
    }

    AzureMlSettings settings(Path home, AzureMlSettings.Pace pace) {
        return new AzureMlSettings(
                home,
                "azure",
                URI.create(base() + ARM),
                "00000000-0000-0000-0000-000000000000",
                "group",
                "space",
                "gpu-cluster",
                Optional.of("example.com/image:1"),
                OptionalInt.empty(),
                AzureMlSettings.Distribution.PYTORCH,
                AzureMlSettings.QUEUED,
                pace,
                1 << 20,
                MoreVariables.NONE);
    }

    /** Makes a folder of this machine a datastore. */
    void store(Path place) throws IOException {
        Files.createDirectories(folder.resolve("storage"));
        Path link = folder.resolve("storage").resolve(STORE);
        Files.deleteIfExists(link);
        Files.createSymbolicLink(link, place);
    }

    TestJob job(String name) {
        return jobs.get(name);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
            String[] parts = exchange.getRequestURI().getPath().substring(1).split("/", 2);
            String path = "/" + parts[1];
            String query = Optional.ofNullable(exchange.getRequestURI().getQuery()).orElse("");
            String method = exchange.getRequestMethod();
            count(method, parts[0], path);
            Fault fault = faults.of(method, path);
            if (fault == Fault.CUT_BEFORE) return;
            if (fault != Fault.NONE && fault != Fault.CUT_AFTER) {
                fail(exchange, fault);
                return;
            }
            Reply reply = answer(exchange, method, parts[0], path, query, body);
            if (fault == Fault.CUT_AFTER) return;
            send(exchange, reply);
        } catch (RuntimeException | AssertionError problem) {
            mistakes.add(problem.toString());
            throw problem;
        }
    }

    private void count(String method, String host, String path) {
        Matcher last = LAST.matcher(path);
        String what = last.find() ? last.replaceFirst("/$1/NAME") : path;
        int at = what.lastIndexOf("/workspaces/space");
        String kind =
                host.equals(BLOB)
                        ? "GET log"
                        : method
                                + " "
                                + (at < 0
                                        ? what
                                        : what.substring(at + "/workspaces/space".length()));
        calls.computeIfAbsent(kind, _ -> new AtomicInteger()).incrementAndGet();
    }

    record Reply(int status, byte[] body, Map<String, String> headers) {
        static Reply of(int status, Object json) {
            return new Reply(
                    status,
                    json == null ? new byte[0] : Doc.text(json).getBytes(UTF_8),
                    Map.of("Content-Type", "application/json; charset=utf-8"));
        }

        /** In the service's own form. */
        static Reply error(int status, String inner, String message) {
            return of(
                    status,
                    Map.of(
                            "error",
                            Map.of(
                                    "code",
                                    "UserError",
                                    "message",
                                    message,
                                    "additionalInfo",
                                    List.of(
                                            Map.of(
                                                    "type",
                                                    "InnerError",
                                                    "info",
                                                    Map.of("value", Map.of("code", inner)))))));
        }
    }

    private static void send(HttpExchange exchange, Reply reply) throws IOException {
        reply.headers().forEach((name, value) -> exchange.getResponseHeaders().add(name, value));
        exchange.sendResponseHeaders(
                reply.status(), reply.body().length == 0 ? -1 : reply.body().length);
        if (reply.body().length > 0) exchange.getResponseBody().write(reply.body());
    }

    private static void fail(HttpExchange exchange, Fault fault) throws IOException {
        send(
                exchange,
                switch (fault) {
                    case THROTTLED -> new Reply(429, new byte[0], Map.of("Retry-After", "0"));
                    case THROTTLED_LONG ->
                            Reply.error(
                                    429,
                                    "TooManyRequests",
                                    "Received too many requests in a short amount of time. Retry"
                                            + " again after 500 seconds.");
                    case INTERNAL -> Reply.error(500, "ServiceError", "InternalServerError");
                    case UNAVAILABLE -> Reply.of(503, null);
                    default -> new Reply(504, "<html>504</html>".getBytes(UTF_8), Map.of());
                });
    }

    private Reply answer(
            HttpExchange exchange,
            String method,
            String host,
            String path,
            String query,
            String body)
            throws IOException {
        if (host.equals(BLOB)) return blob(exchange, path, query);
        if (path.equals("/discovery")) return Reply.of(200, Map.of("api", base() + API));
        var wrong = specification.mistakes(method, path, query, body);
        if (!wrong.isEmpty()) {
            String words = method + " " + path + "?" + query + ": " + wrong;
            mistakes.add(words);
            return Reply.error(400, "BadArgument", words);
        }
        String token = exchange.getRequestHeaders().getFirst("Authorization");
        if (token == null || Integer.parseInt(token.replace("Bearer token-", "")) < tokenFirst)
            return Reply.of(
                    401,
                    Map.of(
                            "error",
                            Map.of(
                                    "code",
                                    "ExpiredAuthenticationToken",
                                    "message",
                                    "It is over.")));
        Matcher last = LAST.matcher(path);
        String kind = last.find() ? last.group(1) : "";
        String name = kind.isEmpty() ? "" : last.group(2);
        if (path.endsWith("/vmSizes")) return Reply.of(200, sizes());
        if (path.endsWith("/jobs")) return list(query);
        if (path.contains("/environments/")) return Reply.of(201, Map.of("properties", Map.of()));
        return switch (kind) {
            case "jobs" ->
                    method.equals("PUT")
                            ? put(name, body)
                            : method.equals("POST") ? cancel(name) : get(name);
            case "runs" -> run(name, path.endsWith("/details"));
            case "datastores" ->
                    Files.exists(folder.resolve("storage").resolve(name))
                            ? Reply.of(200, Map.of("name", name))
                            : Reply.error(
                                    404, "NotFoundError", "Could not find datastore: " + name);
            case "computes" -> Reply.of(200, compute(name));
            default ->
                    Reply.of(
                            200,
                            Map.of(
                                    "properties",
                                    Map.of("discoveryUrl", base() + API + "/discovery")));
        };
    }

    private static Map<String, Object> sizes() {
        return Map.of(
                "value",
                List.of(
                        Map.of("name", "Standard_NC6", "gpus", 1, "vCPUs", 6, "memoryGB", 56),
                        Map.of("name", "Standard_NC12", "gpus", 2, "vCPUs", 12, "memoryGB", 112)));
    }

    private Map<String, Object> compute(String name) {
        long running = newest.stream().filter(job -> job.status().equals("Running")).count();
        return Map.of(
                "name",
                name,
                "properties",
                Map.of(
                        "computeLocation",
                        "eastus2",
                        "provisioningState",
                        "Succeeded",
                        "properties",
                        Map.of(
                                "vmSize",
                                "STANDARD_NC12",
                                "scaleSettings",
                                Map.of("maxNodeCount", machines),
                                "nodeStateCounts",
                                Map.of("runningNodeCount", Math.min(running, machines)))));
    }

    private Reply put(String name, String body) throws IOException {
        Doc asked = Doc.parse(body);
        boolean[] isNew = new boolean[1];
        TestJob job =
                jobs.computeIfAbsent(
                        name,
                        _ -> {
                            isNew[0] = true;
                            return new TestJob(
                                    name,
                                    asked,
                                    folder.resolve("runs").resolve(name),
                                    folder.resolve("storage"),
                                    GRACE_MILLIS);
                        });
        if (!isNew[0])
            return asked.equals(job.body)
                    ? Reply.of(200, shape(job))
                    : Reply.error(
                            400, "JobPropertyImmutable", "A job with this name already exists.");
        newest.addFirst(job);
        made.computeIfAbsent(name, _ -> new AtomicInteger()).incrementAndGet();
        Reply reply = Reply.of(201, shape(job));
        if (isRunning) job.start();
        return reply;
    }

    private static Map<String, Object> shape(TestJob job) {
        var properties = new LinkedHashMap<String, Object>();
        properties.put("status", job.status());
        properties.put("jobType", "Command");
        properties.put("tags", job.body.at("properties", "tags").value());
        properties.put("codeId", null);
        return Map.of("name", job.name, "properties", properties);
    }

    private Reply get(String name) {
        TestJob job = jobs.get(name);
        return job == null ? missing(name) : Reply.of(200, shape(job));
    }

    private static Reply missing(String name) {
        return Reply.error(404, "JobNotFound", "Job " + name + " not found.");
    }

    private Reply list(String query) {
        var asked = Specification.parts(query);
        int from = Integer.parseInt(asked.getOrDefault("$skip", "0"));
        var all =
                newest.stream()
                        .filter(
                                job ->
                                        job.body
                                                .at("properties", "tags")
                                                .map()
                                                .containsKey(asked.get("tag")))
                        .toList();
        var page = all.subList(Math.min(from, all.size()), Math.min(from + PAGE, all.size()));
        var answer = new LinkedHashMap<String, Object>();
        answer.put("value", page.stream().map(TestService::shape).toList());
        if (from + PAGE < all.size())
            answer.put(
                    "nextLink",
                    base()
                            + ARM
                            + settings(folder).path()
                            + "/jobs?api-version=2024-10-01&jobType=Command&listViewType=ActiveOnly&tag="
                            + asked.get("tag")
                            + "&$skip="
                            + (from + PAGE));
        return Reply.of(200, answer);
    }

    private Reply cancel(String name) {
        TestJob job = jobs.get(name);
        if (job == null) return missing(name);
        if (job.isEnded())
            return Reply.error(
                    400, "CancelPipelineRunInTerminalStatus", "It is in terminal status.");
        job.cancel();
        return Reply.of(202, null);
    }

    private Reply run(String name, boolean hasLogs) throws IOException {
        TestJob job = jobs.get(name);
        if (job == null) return missing(name);
        var run = new LinkedHashMap<String, Object>();
        run.put("runId", name);
        run.put("status", job.status());
        if (job.status().equals("Queued"))
            run.put(
                    "queueingInfo",
                    Map.of(
                            "code",
                            "InsufficientAvailableNodes",
                            "message",
                            "Job needs 1 node(s) while currently the cluster only has 0 available"
                                    + " node(s)"));
        if (hasLogs) {
            var files = new LinkedHashMap<String, String>();
            for (String file : job.logs().keySet())
                files.put(file, base() + BLOB + "/" + name + "/" + file + "?sig=" + addressFirst);
            run.put("logFiles", files);
        }
        return Reply.of(200, run);
    }

    private Reply blob(HttpExchange exchange, String path, String query) throws IOException {
        if (Integer.parseInt(query.replace("sig=", "")) < addressFirst)
            return new Reply(
                    403,
                    "<Error><Code>AuthenticationFailed</Code></Error>".getBytes(UTF_8),
                    Map.of());
        String[] parts = path.substring(1).split("/", 2);
        Path file = jobs.get(parts[0]).logs().get(parts[1]);
        Matcher range = RANGE.matcher(exchange.getRequestHeaders().getFirst("Range"));
        if (!range.matches()) throw new AssertionError("no range");
        try (var in = new RandomAccessFile(file.toFile(), "r")) {
            long from = Long.parseLong(range.group(1));
            if (from >= in.length())
                return new Reply(
                        416, "<Error><Code>InvalidRange</Code></Error>".getBytes(UTF_8), Map.of());
            int length =
                    (int) Math.min(in.length() - from, Long.parseLong(range.group(2)) - from + 1);
            var bytes = new byte[length];
            in.seek(from);
            in.readFully(bytes);
            return new Reply(206, bytes, Map.of());
        }
    }

    @Override
    public void close() {
        server.stop(0);
        jobs.values().forEach(TestJob::kill);
    }
}
