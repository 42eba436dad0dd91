package fairlead.server.http;

import fairlead.api.ErrorBody;
import fairlead.api.ErrorCode;
import fairlead.api.Release;
import fairlead.wire.Json;
import fairlead.wire.Units;

import io.helidon.common.buffers.DataReader;
import io.helidon.common.tls.Tls;
import io.helidon.http.DirectHandler;
import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.http.RequestException;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.Handler;
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
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.regex.Pattern;

import javax.net.ssl.SSLContext;

/**
 * The listener of all interfaces: around each route of each the same limits, the same care for
 * bodies, and for every failure an answer, in the words of the interface. Requests run on virtual
 * threads.
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

    /** A job's UUID is a secret, and so is the way to a port: no log has one. */
    private static final Pattern UUID =
            Pattern.compile(
                    "\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}|\\b\\p{XDigit}{64}\\b");

    /** Older ones are broken. */
    private static final List<String> TLS_VERSIONS = List.of("TLSv1.3", "TLSv1.2");

    private static final Set<String> READING = Set.of("GET", "OPTIONS", Route.ANY);

    private static final int HEADER_BYTES_MAX = 16 * 1024;
    private static final int PROLOGUE_BYTES_MAX = 8 * 1024;

    /** Streams, sessions, the commands of users' shells, and room to answer those too many. */
    private static final int CONNECTIONS_MAX = 2_048;

    /** A command keeps its connection for seconds, a library may for minutes. */
    private static final Duration IDLE_MAX = Duration.ofMinutes(5);

    /** A client sends the head of a request at once; so much is for the worst of lines. */
    private static final Duration HEAD_PATIENCE = Duration.ofSeconds(30);

    /** Requests under way may end within this; streams have been told before. */
    private static final Duration STOP_GRACE = Duration.ofSeconds(2);

    /** Of one that is written to the log. */
    private static final int VERSION_LENGTH_MAX = 40;

    private static final Header VERSION =
            HeaderValues.createCached(HeaderNames.create(Release.HEADER), Release.VERSION);

    private static final System.Logger LOG = System.getLogger(HttpFront.class.getName());
    private static final System.Logger ACCESS_LOG = System.getLogger("fairlead.access");

    private final List<Facade<?>> facades;
    private final RequestCounts counts;
    private final PersonLimits limits;
    private final Consumer<Answered> audit;
    private final InetSocketAddress address;

    /** The newest release that has called; that of this server at first. */
    private final AtomicReference<String> newest = new AtomicReference<>(Release.VERSION);

    private final WebServer server;

    /**
     * Does not listen yet.
     *
     * @param tls by which it encrypts; empty: not at all
     * @param audit told of each call that was to change something
     * @param facades the first whose routes fit a request answers it; the last may be for the rest
     */
    public HttpFront(
            String host,
            int port,
            Optional<SSLContext> tls,
            List<Facade<?>> facades,
            List<Http1Upgrader> upgraders,
            RequestCounts counts,
            PersonLimits limits,
            Consumer<Answered> audit) {
        this.address = new InetSocketAddress(host, port);
        this.facades = List.copyOf(facades);
        this.counts = counts;
        this.limits = limits;
        this.audit = audit;
        WebServerConfig.Builder builder = WebServer.builder();
        tls.ifPresent(context -> builder.tls(encrypted(context)));
        this.server =
                builder.host(host)
                        .port(port)
                        .shutdownHook(false)
                        .featuresDiscoverServices(false)
                        .protocolsDiscoverServices(false)
                        .addConnectionSelector(selector(upgraders, HEAD_PATIENCE))
                        .maxPayloadSize(REFUSED_BYTES_MAX)
                        .maxTcpConnections(CONNECTIONS_MAX)
                        .idleConnectionTimeout(IDLE_MAX)
                        .shutdownGracePeriod(STOP_GRACE)
                        .connectionOptions(options -> options.tcpNoDelay(true))
                        .directHandlers(HttpFront::direct)
                        .routing(this::fill)
                        .build();
    }

    private static Tls encrypted(SSLContext context) {
        return Tls.builder().sslContext(context).enabledProtocols(TLS_VERSIONS).build();
    }

    /** How connections are read. */
    static ServerConnectionSelector selector(List<Http1Upgrader> upgraders, Duration headPatience) {
        var config =
                Http1Config.builder()
                        .maxHeadersSize(HEADER_BYTES_MAX)
                        .maxPrologueLength(PROLOGUE_BYTES_MAX)
                        .addReceiveListener(new Framing())
                        .addSendListener(new Answering())
                        .build();
        var http1 = Http1ConnectionSelector.builder().config(config);
        upgraders.forEach(http1::addUpgrader);
        return new StrictChunks(http1.build(), headPatience);
    }

    /** Those of the last interface, which is our own. */
    public List<? extends Route<?>> table() {
        return facades.getLast().routes();
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
        routing.addFilter(this::sayVersion);
        routing.addFilter(HttpFront::closeWhereAsked);
        for (Facade<?> facade : facades) mount(facade, routing);
    }

    private <C extends Call> void mount(Facade<C> facade, HttpRouting.Builder routing) {
        for (Route<C> route : facade.routes()) {
            Handler handler = (request, response) -> answer(facade, route, request, response);
            for (String pattern : facade.patterns(route)) {
                if (route.method().equals(Route.ANY)) {
                    routing.any(pattern, handler);
                    continue;
                }
                routing.route(Method.create(route.method()), pattern, handler);
                if (route.method().equals("GET")) routing.route(Method.HEAD, pattern, handler);
            }
        }
        Handler unknown = (request, response) -> answerUnknown(facade, request, response);
        if (facade.patternsOfUnknown().isEmpty()) routing.any(unknown);
        for (String pattern : facade.patternsOfUnknown()) routing.any(pattern, unknown);
    }

    /** A command that is newer has told its user; whoever reads the log may be somebody else. */
    private void sayVersion(FilterChain chain, RoutingRequest request, RoutingResponse response) {
        response.header(VERSION);
        String agent = request.headers().first(HeaderNames.USER_AGENT).orElse("");
        if (agent.startsWith(Release.AGENT_NAME) && !agent.equals(Release.AGENT)) {
            String version = agent.substring(Release.AGENT_NAME.length());
            String known = newest.get();
            if (Release.isNewer(version, known) && newest.compareAndSet(known, version))
                LOG.log(
                        System.Logger.Level.WARNING,
                        "a command of version {0} calls, which is newer than this server ({1})",
                        version.length() > VERSION_LENGTH_MAX ? "?" : version,
                        Release.VERSION);
        }
        chain.proceed();
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

    private <C extends Call> void answer(
            Facade<C> facade, Route<C> route, ServerRequest request, ServerResponse response) {
        String label = facade.label(route);
        try (C call = facade.call(request, response)) {
            try {
                facade.enter(route, call);
                refuseByRole(facade, route, call);
                if (call.caller() != null) limits.admit(call.caller().name(), System.nanoTime());
                call.readChunks();
                route.action().run(call);
            } catch (Head.Answered _) {
                // All is said.
            } catch (OutOfMemoryError _) {
                var problem = new Problem(ErrorCode.BUSY, TOO_MUCH);
                refuse(facade, facade.words(problem, label), call, response);
            } catch (RequestException broken) {
                throw refusedForGood(broken, request, response);
            } catch (Exception failure) {
                // A browser asks its user for a password only when the answer says so; the portal
                // has a page for that.
                if (route.door() == Route.Door.BROWSERS && !Call.isOfPortal(request))
                    response.header(HeaderNames.WWW_AUTHENTICATE, "Basic realm=\"Fairlead\"");
                Refusal refusal =
                        failure instanceof Refusal said && !(failure instanceof Problem)
                                ? said
                                : facade.words(problem(route.method(), label, failure), label);
                refuse(facade, refusal, call, response);
            } finally {
                if (changes(route)) audit.accept(call.answered(route.method(), label));
            }
        } finally {
            String method = route.method().equals(Route.ANY) ? methodOf(request) : route.method();
            counts.count(method, label, response.status().code());
            log(request, response);
        }
    }

    /** What no viewer may, and nobody with a token for less, whatever the call is about. */
    private static <C extends Call> void refuseByRole(Facade<C> facade, Route<C> route, C call) {
        if (call.caller() == null) return;
        call.caller()
                .refusal(route.method(), facade.label(route))
                .ifPresent(
                        words -> {
                            throw new Problem(ErrorCode.FORBIDDEN, words);
                        });
    }

    /** Jobs report all the time; what they say is kept with them. */
    private static boolean changes(Route<?> route) {
        boolean isOfPeople = route.door() != Route.Door.JOBS && !route.path().contains("{uuid}");
        return isOfPeople && !READING.contains(route.method());
    }

    private static String methodOf(ServerRequest request) {
        return request.prologue().method().text();
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
                    "application/json",
                    request,
                    response);
        }
        return new CloseConnectionException("a request without a good end", broken);
    }

    private <C extends Call> void answerUnknown(
            Facade<C> facade, ServerRequest request, ServerResponse response) {
        try (C call = facade.call(request, response)) {
            refuse(facade, facade.unknown(call), call, response);
        }
        counts.count(RequestCounts.NO_ROUTE, RequestCounts.NO_ROUTE, response.status().code());
        log(request, response);
    }

    private static Problem problem(String method, String label, Exception failure) {
        Optional<Problem> expected = Problem.of(failure);
        if (expected.isPresent()) return expected.get();
        if (Memory.hasEnded(failure)) return new Problem(ErrorCode.BUSY, TOO_MUCH);
        return switch (failure) {
            // The peer is gone: nobody is left to be told.
            case IOException gone -> throw new CloseConnectionException("peer is gone", gone);
            case UncheckedIOException gone ->
                    throw new CloseConnectionException("peer is gone", gone);
            case DataReader.InsufficientDataAvailableException gone ->
                    throw new CloseConnectionException("peer is gone in its body", gone);
            case CloseConnectionException gone -> throw gone;
            default -> {
                LOG.log(System.Logger.Level.ERROR, "a bug in " + method + " " + label, failure);
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
            Facade<?> facade, Refusal refusal, Call call, ServerResponse response) {
        // A stream that breaks off is all that its peer can still be told.
        if (call.hasBegun()) throw new CloseConnectionException(refusal.getMessage());
        refuse(refusal, facade.contentType(), call.request(), response);
    }

    private static void refuse(
            Refusal refusal, String contentType, ServerRequest request, ServerResponse response) {
        response.status(refusal.status()).header(HeaderNames.CONTENT_TYPE, contentType);
        boolean isTold = response.headers().contains(HeaderNames.WWW_AUTHENTICATE);
        if (refusal.status() == ErrorCode.UNAUTHORIZED.status() && !isTold)
            response.header(HeaderNames.WWW_AUTHENTICATE, "Bearer");
        Head.send(request, response, Json.writeBytes(refusal.body()));
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
