package fairlead.server.http;

import fairlead.api.ErrorBody;
import fairlead.api.ErrorCode;
import fairlead.job.JobId;
import fairlead.server.auth.Access;
import fairlead.server.auth.Caller;
import fairlead.server.wire.Json;
import fairlead.server.wire.Units;

import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.http.PathMatcher;
import io.helidon.http.PathMatchers;
import io.helidon.http.RequestException;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.http1.spi.Http1Upgrader;
import io.helidon.webserver.spi.ServerConnectionSelector;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The listener: one table of routes, and around each route the same limits, the same check of the
 * token and the same form of every refusal. Requests run on virtual threads.
 */
public final class HttpFront {
    /** Ten thousand jobs of a kilobyte and a half each; also the largest single command. */
    static final int BODY_BYTES_MAX = 16 * 1024 * 1024;

    /**
     * So much is read to its end before it is refused: a peer that is still sending would otherwise
     * see its connection break, and not why.
     */
    private static final int REFUSED_BYTES_MAX = 4 * BODY_BYTES_MAX;

    private static final String TOO_MUCH =
            "the request takes more memory than is free now; make it smaller or try again";

    private static final String NO_TOKEN =
            "no token: send 'Authorization: Bearer TOKEN', with the token of server.json";

    /** A job's UUID is a secret, so no log has one. */
    private static final Pattern UUID =
            Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

    private static final int HEADER_BYTES_MAX = 16 * 1024;
    private static final int PROLOGUE_BYTES_MAX = 8 * 1024;

    /** Streams, sessions, the commands of users' shells, and room to answer those too many. */
    private static final int CONNECTIONS_MAX = 1_024;

    /** A command keeps its connection for seconds, a library may for minutes. */
    private static final Duration IDLE_MAX = Duration.ofMinutes(5);

    /** A client sends the head of a request at once; so much is for the worst of lines. */
    private static final Duration HEAD_PATIENCE = Duration.ofSeconds(30);

    /** Requests under way may end within this; streams have been told before. */
    private static final Duration STOP_GRACE = Duration.ofSeconds(2);

    private static final System.Logger LOG = System.getLogger(HttpFront.class.getName());
    private static final System.Logger ACCESS_LOG = System.getLogger("fairlead.access");

    private final List<Route> routes;
    private final Annex annex;
    private final Access access;
    private final Visitors visitors;
    private final RequestCounts counts;
    private final InetSocketAddress address;
    private final WebServer server;
    private final Map<PathMatcher, String> methodsByPath = new LinkedHashMap<>();

    /** Does not listen yet. */
    HttpFront(
            String host,
            int port,
            List<Route> routes,
            Annex annex,
            Http1Upgrader upgrader,
            Access access,
            Visitors visitors,
            RequestCounts counts) {
        this.address = new InetSocketAddress(host, port);
        this.routes = List.copyOf(routes);
        this.annex = annex;
        this.access = access;
        this.visitors = visitors;
        this.counts = counts;
        var methods = new LinkedHashMap<String, TreeSet<String>>();
        for (Route route : routes)
            methods.computeIfAbsent(route.path(), _ -> new TreeSet<>()).add(route.method());
        methods.forEach(
                (path, known) ->
                        methodsByPath.put(PathMatchers.create(path), String.join(", ", known)));
        this.server =
                WebServer.builder()
                        .host(host)
                        .port(port)
                        .shutdownHook(false)
                        .featuresDiscoverServices(false)
                        .protocolsDiscoverServices(false)
                        .addConnectionSelector(selector(upgrader, HEAD_PATIENCE))
                        .maxPayloadSize(REFUSED_BYTES_MAX)
                        .maxTcpConnections(CONNECTIONS_MAX)
                        .idleConnectionTimeout(IDLE_MAX)
                        .shutdownGracePeriod(STOP_GRACE)
                        .connectionOptions(options -> options.tcpNoDelay(true))
                        .directHandlers(HttpFront::direct)
                        .routing(this::fill)
                        .build();
    }

    /** How connections are read. */
    static ServerConnectionSelector selector(Http1Upgrader upgrader, Duration headPatience) {
        var config =
                Http1Config.builder()
                        .maxHeadersSize(HEADER_BYTES_MAX)
                        .maxPrologueLength(PROLOGUE_BYTES_MAX)
                        .addReceiveListener(new Framing())
                        .addSendListener(new Answering())
                        .build();
        return new StrictChunks(
                Http1ConnectionSelector.builder().config(config).addUpgrader(upgrader).build(),
                headPatience);
    }

    public List<String> routes() {
        var lines = new ArrayList<String>();
        for (Route route : routes) lines.add(route.method() + " " + route.path());
        return lines;
    }

    List<Route> table() {
        return routes;
    }

    /** Begins to listen; fails when the address is not ours or the port is in use. */
    public void start() throws IOException {
        // The library only logs why it cannot listen, so the question is asked before it is.
        try (var probe = new ServerSocket()) {
            probe.bind(address);
        } catch (IOException refused) {
            throw new IOException(
                    "cannot listen on %s:%d: %s"
                            .formatted(
                                    address.getHostString(),
                                    address.getPort(),
                                    refused.getMessage()),
                    refused);
        }
        server.start();
        if (!server.isRunning()) throw new IOException("cannot listen; the log says why");
    }

    /** Where it listens, for somebody on this machine. */
    public InetSocketAddress reachable() {
        return address.getAddress().isAnyLocalAddress()
                ? new InetSocketAddress(InetAddress.getLoopbackAddress(), port())
                : new InetSocketAddress(address.getAddress(), port());
    }

    public int port() {
        return server.port();
    }

    /** Accepts nothing new and waits a little for requests under way. */
    public void stop() {
        server.stop();
    }

    private void fill(HttpRouting.Builder routing) {
        routing.addFilter(HttpFront::closeWhereAsked);
        for (Route route : routes) {
            routing.route(
                    Method.create(route.method()),
                    route.path(),
                    (request, response) -> answer(route, request, response));
            if (!route.method().equals("GET")) continue;
            routing.route(
                    Method.HEAD,
                    route.path(),
                    (request, response) -> answer(route, request, response));
        }
        for (String root : annex.roots()) {
            routing.any(root, this::answerByAnnex);
            routing.any(root + "/*", this::answerByAnnex);
        }
        routing.any(this::answerUnknown);
    }

    /** The library only says that it closes, and goes on to serve what comes next. */
    private static void closeWhereAsked(
            FilterChain chain, RoutingRequest request, RoutingResponse response) {
        boolean isLast =
                request.headers().values(HeaderNames.CONNECTION).stream()
                        .anyMatch(word -> word.strip().equalsIgnoreCase("close"));
        if (isLast) response.header(HeaderValues.CONNECTION_CLOSE);
        chain.proceed();
        if (isLast) throw new CloseConnectionException("its sender wants no more of it");
    }

    private void answerByAnnex(ServerRequest request, ServerResponse response) {
        String route;
        try {
            route = annex.answer(request, response);
        } catch (RequestException broken) {
            throw refusedForGood(broken, request, response);
        }
        boolean isKnown = !route.equals(Annex.NO_ROUTE);
        String method = isKnown ? request.prologue().method().text() : RequestCounts.NO_ROUTE;
        counts.count(method, route, response.status().code());
        log(request, response);
    }

    private void answer(Route route, ServerRequest request, ServerResponse response) {
        try (var call = new Call(request, response)) {
            try {
                run(route, request, call);
            } catch (Head.Answered _) {
                // All is said.
            } catch (OutOfMemoryError _) {
                refuse(new Problem(ErrorCode.BUSY, TOO_MUCH), call, request, response);
            } catch (RequestException broken) {
                throw refusedForGood(broken, request, response);
            } catch (Exception failure) {
                // A browser asks its user for a password only when it is told to.
                if (route.door() == Route.Door.BROWSERS)
                    response.header(HeaderNames.WWW_AUTHENTICATE, "Basic realm=\"Fairlead\"");
                refuse(problem(route, failure), call, request, response);
            }
        } finally {
            counts.count(route.method(), route.path(), response.status().code());
            log(request, response);
        }
    }

    /**
     * Answers a request whose body cannot be read to its end. Where the next one begins nobody
     * knows, so the connection goes.
     */
    private static CloseConnectionException refusedForGood(
            RequestException broken, ServerRequest request, ServerResponse response) {
        boolean isTooLarge = broken.status().code() == ErrorCode.TOO_LARGE.status();
        if (!response.isSent()) {
            response.header(HeaderValues.CONNECTION_CLOSE);
            refuse(
                    isTooLarge
                            ? new Problem(ErrorCode.TOO_LARGE, tooLarge(BODY_BYTES_MAX))
                            : new Problem(ErrorCode.INVALID, badRequest(broken.getMessage())),
                    request,
                    response);
        }
        return new CloseConnectionException("a request without a good end", broken);
    }

    private void run(Route route, ServerRequest request, Call call) throws Exception {
        refusePages(request);
        switch (route.door()) {
            case OPEN -> refuseOtherNames(request);
            case PEOPLE -> {
                String header = authorization(request);
                call.enter(caller(header), () -> access.caller(header).isPresent());
            }
            case BROWSERS -> {
                String header = Access.bearer(authorization(request));
                call.enter(caller(header), () -> access.caller(header).isPresent());
            }
            case JOBS -> call.enter(job(authorization(request)));
        }
        for (String name : request.query().names()) {
            if (!route.parameters().contains(name)) throw unknownParameter(route, name);
        }
        call.readChunks(route.door() == Route.Door.PEOPLE || route.door() == Route.Door.BROWSERS);
        route.action().run(call);
    }

    private void refusePages(ServerRequest request) {
        visitors.pageRefusal(
                        request.headers().first(HeaderNames.ORIGIN),
                        request.headers().first(HeaderNames.HOST))
                .ifPresent(HttpFront::forbid);
    }

    /** Whoever has a token may call the server what they like: a page of a stranger has none. */
    private void refuseOtherNames(ServerRequest request) {
        Optional<String> header = request.headers().first(HeaderNames.AUTHORIZATION);
        if (header.map(Access::bearer).flatMap(access::caller).isPresent()) return;
        visitors.hostRefusal(request.headers().first(HeaderNames.HOST))
                .ifPresent(HttpFront::forbid);
    }

    private static void forbid(String words) {
        throw new Problem(ErrorCode.FORBIDDEN, words);
    }

    private static Problem unknownParameter(Route route, String name) {
        String known = String.join(", ", new TreeSet<>(route.parameters()));
        return Problem.invalid(
                name,
                "no parameter '%.40s'; known: %s"
                        .formatted(name, known.isEmpty() ? "none" : known));
    }

    private static String authorization(ServerRequest request) {
        return request.headers()
                .first(HeaderNames.AUTHORIZATION)
                .orElseThrow(() -> new Problem(ErrorCode.UNAUTHORIZED, NO_TOKEN));
    }

    private Caller caller(String authorization) {
        Optional<Caller> caller = access.caller(authorization);
        if (caller.isPresent()) return caller.get();
        if (access.job(authorization).isPresent())
            throw new Problem(
                    ErrorCode.FORBIDDEN, "the token of a job may only report on that job");
        throw new Problem(ErrorCode.UNAUTHORIZED, "the token is wrong");
    }

    private JobId job(String authorization) {
        return access.job(authorization)
                .orElseThrow(
                        () ->
                                new Problem(
                                        ErrorCode.FORBIDDEN,
                                        "the token is not that of a job: send FAIRLEAD_JOB_TOKEN"));
    }

    private void answerUnknown(ServerRequest request, ServerResponse response) {
        String method = request.prologue().method().text();
        String path = request.path().path();
        Problem problem = new Problem(ErrorCode.NOT_FOUND, "no such path: %.200s".formatted(path));
        for (var known : methodsByPath.entrySet()) {
            if (!known.getKey().match(request.path()).accepted()) continue;
            response.header(HeaderNames.ALLOW, known.getValue());
            problem =
                    new Problem(
                            ErrorCode.WRONG_METHOD,
                            "%.20s is not possible here; possible: %s"
                                    .formatted(method, known.getValue()));
        }
        refuse(problem, request, response);
        counts.count(RequestCounts.NO_ROUTE, RequestCounts.NO_ROUTE, response.status().code());
        log(request, response);
    }

    private static Problem problem(Route route, Exception failure) {
        Optional<Problem> expected = Problem.of(failure);
        if (expected.isPresent()) return expected.get();
        return switch (failure) {
            // The peer is gone: nobody is left to be told.
            case IOException gone -> throw new CloseConnectionException("peer is gone", gone);
            case UncheckedIOException gone ->
                    throw new CloseConnectionException("peer is gone", gone);
            case CloseConnectionException gone -> throw gone;
            default -> {
                LOG.log(
                        System.Logger.Level.ERROR,
                        "a bug in " + route.method() + " " + route.path(),
                        failure);
                yield new Problem(
                        ErrorCode.BUG,
                        "a bug in the server (%s); its log says more"
                                .formatted(failure.getClass().getSimpleName()));
            }
        };
    }

    static String tooLarge(int bytesMax) {
        return "the body is larger than " + Units.text(bytesMax) + "iB";
    }

    private static void refuse(
            Problem problem, Call call, ServerRequest request, ServerResponse response) {
        // A stream that breaks off is all that its peer can still be told.
        if (call.hasBegun()) throw new CloseConnectionException(problem.getMessage());
        refuse(problem, request, response);
    }

    private static void refuse(Problem problem, ServerRequest request, ServerResponse response) {
        response.status(problem.code().status())
                .header(HeaderNames.CONTENT_TYPE, "application/json");
        boolean isTold = response.headers().contains(HeaderNames.WWW_AUTHENTICATE);
        if (problem.code() == ErrorCode.UNAUTHORIZED && !isTold)
            response.header(HeaderNames.WWW_AUTHENTICATE, "Bearer");
        Head.send(request, response, Json.writeBytes(problem.body()));
    }

    private static void log(ServerRequest request, ServerResponse response) {
        if (!ACCESS_LOG.isLoggable(System.Logger.Level.DEBUG)) return;
        ACCESS_LOG.log(
                System.Logger.Level.DEBUG,
                "{0} {1} {2}",
                request.prologue().method().text(),
                UUID.matcher(request.path().path()).replaceAll("UUID"),
                response.status().code());
    }

    /** What the listener itself refuses, before any route is asked. */
    private static void direct(DirectHandlers.Builder handlers) {
        for (DirectHandler.EventType type : DirectHandler.EventType.values())
            handlers.addHandler(type, HttpFront::refuseDirectly);
    }

    private static DirectHandler.TransportResponse refuseDirectly(
            DirectHandler.TransportRequest request,
            DirectHandler.EventType type,
            io.helidon.http.Status status,
            io.helidon.http.ServerResponseHeaders headers,
            String message) {
        // The listener's own kinds say less than the status that it chose.
        boolean isTooLarge = status.code() == ErrorCode.TOO_LARGE.status();
        ErrorCode code =
                isTooLarge
                        ? ErrorCode.TOO_LARGE
                        : switch (type) {
                            case PAYLOAD_TOO_LARGE -> ErrorCode.TOO_LARGE;
                            case FORBIDDEN -> ErrorCode.FORBIDDEN;
                            case INTERNAL_ERROR -> ErrorCode.BUG;
                            case BAD_REQUEST, OTHER, HTTP_VERSION_NOT_SUPPORTED ->
                                    ErrorCode.INVALID;
                        };
        String words =
                code == ErrorCode.TOO_LARGE
                        ? tooLarge(BODY_BYTES_MAX)
                        : status.code() == io.helidon.http.Status.REQUEST_URI_TOO_LONG_414_CODE
                                ? "bad request: the address is too long"
                                : badRequest(message);
        return DirectHandler.TransportResponse.builder()
                .status(status)
                .headers(headers)
                .header(HeaderNames.CONTENT_TYPE, "application/json")
                .keepAlive(type.keepAlive())
                .entity(Json.writeBytes(new ErrorBody(code.word(), words, null, null)))
                .build();
    }

    /**
     * @param reason what the listener says of it; it does not always
     */
    private static String badRequest(String reason) {
        return "bad request: " + (reason == null ? "it is not well-formed HTTP" : reason);
    }
}
