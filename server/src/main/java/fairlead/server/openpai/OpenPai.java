package fairlead.server.openpai;

import static fairlead.server.openpai.PaiRoute.guests;
import static fairlead.server.openpai.PaiRoute.of;
import static fairlead.server.openpai.PaiRoute.open;

import fairlead.control.Controller;
import fairlead.server.auth.Access;
import fairlead.server.auth.Caller;
import fairlead.server.auth.LoginTries;
import fairlead.server.auth.Logins;
import fairlead.server.http.Annex;
import fairlead.server.http.Head;
import fairlead.server.http.Memory;
import fairlead.server.http.Visitors;
import fairlead.server.runtime.Questions;
import fairlead.server.wire.Json;

import io.helidon.common.buffers.DataReader;
import io.helidon.common.parameters.Parameters;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.PathMatcher;
import io.helidon.http.PathMatchers;
import io.helidon.http.RequestException;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * OpenPAI's REST interface: its table of routes, and around each the check of the token and the
 * form of every refusal. Pages of this server and of the origins in its settings may call it.
 */
public final class OpenPai implements Annex {
    private static final String ROOT = "/api/v1";

    /** OpenPAI's own proxy has its server there, so that is what its SDK calls. */
    private static final String BEHIND_PROXY = "/rest-server";

    private static final String NEXT_ROOT = "/api/v2";
    private static final String BANNER = "PAI RESTful API";
    private static final String ANY = "*";

    private static final String NO_VERSION_2 =
            " There is no version 2 of the API, nor of job files (YAML): submit a job file of"
                    + " version 1 (JSON) to /api/v1/user/USER/jobs.";

    private static final HeaderName ALLOW_ORIGIN =
            HeaderNames.create("Access-Control-Allow-Origin");
    private static final HeaderName ALLOW_METHODS =
            HeaderNames.create("Access-Control-Allow-Methods");
    private static final HeaderName ALLOW_HEADERS =
            HeaderNames.create("Access-Control-Allow-Headers");

    private static final System.Logger LOG = System.getLogger(OpenPai.class.getName());

    private final Access access;
    private final Visitors visitors;
    private final VirtualClusterRoutes clusters;
    private final List<PaiRoute> routes;
    private final Map<PaiRoute, List<PathMatcher>> matchers = new LinkedHashMap<>();

    private record Found(PaiRoute route, Parameters path) {}

    /**
     * @param cluster the one that OpenPAI knows of: that of jobs that name none
     * @param parts what the routes of jobs stand on
     */
    public OpenPai(
            Controller controller,
            String cluster,
            Questions questions,
            Access access,
            Visitors visitors,
            Logins logins,
            Supplier<Instant> clock,
            JobParts parts) {
        this.access = access;
        this.visitors = visitors;
        var tokens = new TokenRoutes(controller, access, logins, new LoginTries(), clock);
        var users = new UserRoutes(controller, questions, access);
        this.clusters = new VirtualClusterRoutes(controller, questions, access, cluster);
        var all = new ArrayList<PaiRoute>();
        all.addAll(
                List.of(
                        open(ANY, "", call -> call.sendText(BANNER)),
                        open("GET", "/openapi.json", OpenPai::describe),
                        open("POST", "/token", tokens::logIn),
                        of("GET", "/user", users::list),
                        of("PUT", "/user", users::set),
                        of("DELETE", "/user", users::delete),
                        of("PUT", "/user/{user}/virtualClusters", users::setVirtualClusters),
                        of("PUT", "/user/{user}/githubPAT", users::setGitHubPat),
                        guests("/virtual-clusters", clusters::list),
                        guests("/virtual-clusters/{vc}", clusters::show),
                        of("PUT", "/virtual-clusters/{vc}", clusters::set),
                        of("DELETE", "/virtual-clusters/{vc}", clusters::delete),
                        of("PUT", "/virtual-clusters/{vc}/status", clusters::setStatus)));
        all.addAll(JobParts.routes(controller, questions, parts));
        this.routes = List.copyOf(all);
        for (PaiRoute route : routes)
            matchers.put(
                    route,
                    Stream.of(ROOT, BEHIND_PROXY + ROOT)
                            .map(root -> PathMatchers.create(root + route.path() + "[/]"))
                            .toList());
    }

    List<PaiRoute> routes() {
        return routes;
    }

    @Override
    public List<String> roots() {
        return List.of(ROOT, BEHIND_PROXY + ROOT, NEXT_ROOT, BEHIND_PROXY + NEXT_ROOT);
    }

    @Override
    public String answer(ServerRequest request, ServerResponse response) {
        Optional<String> origin = request.headers().first(HeaderNames.ORIGIN);
        Optional<String> refusal = visitors.pageRefusal(origin, host(request));
        response.header(HeaderNames.VARY, "Origin");
        if (refusal.isPresent()) {
            refuse(new PaiProblem(PaiCode.FORBIDDEN_USER, refusal.get()), request, response);
            return NO_ROUTE;
        }
        origin.ifPresent(page -> response.header(ALLOW_ORIGIN, page));
        if (request.prologue().method().text().equals("OPTIONS")) {
            allow(request, response);
            return ROOT;
        }
        Found found = null;
        try {
            found = find(request);
            run(found, request, response);
        } catch (Head.Answered _) {
            // All is said.
        } catch (OutOfMemoryError _) {
            refuse(tooMuch(), request, response);
        } catch (Exception failure) {
            refuse(problem(failure), request, response);
        }
        return found == null ? NO_ROUTE : ROOT + found.route().path();
    }

    /** What a browser asks before it lets a page call. */
    private static void allow(ServerRequest request, ServerResponse response) {
        String asked =
                request.headers()
                        .first(HeaderNames.create("Access-Control-Request-Headers"))
                        .filter(names -> names.matches("[A-Za-z0-9, -]{1,1000}"))
                        .orElse("Authorization, Content-Type");
        response.status(204)
                .header(ALLOW_METHODS, "GET,HEAD,PUT,PATCH,POST,DELETE")
                .header(ALLOW_HEADERS, asked)
                .send();
    }

    private Found find(ServerRequest request) {
        String method = Head.methodOf(request);
        for (PaiRoute route : routes) {
            if (!route.method().equals(method) && !route.method().equals(ANY)) continue;
            for (PathMatcher matcher : matchers.get(route)) {
                var match = matcher.match(request.path());
                if (match.accepted()) return new Found(route, match.path().pathParameters());
            }
        }
        String path = request.path().path();
        throw new PaiProblem(
                PaiCode.NO_API,
                "API endpoint %.20s %.200s is not found.%s"
                        .formatted(
                                request.prologue().method().text(),
                                path,
                                path.contains(NEXT_ROOT) ? NO_VERSION_2 : ""));
    }

    private void run(Found found, ServerRequest request, ServerResponse response) throws Exception {
        var call = new PaiCall(request, response, found.path());
        // As in OpenPAI a name is judged before the token, whoever asks.
        call.virtualCluster().ifPresent(name -> clusters.checkName(found.route().method(), name));
        String header = request.headers().first(HeaderNames.AUTHORIZATION).orElse("");
        Optional<Caller> caller = access.caller(header);
        if (found.route().door() == PaiRoute.Door.PEOPLE) {
            found.route().judge().run(call);
            call.enter(caller.orElseThrow(() -> unauthorized(found.route())));
        } else if (caller.isEmpty()) {
            refuseOtherNames(request);
            if (found.route().door() == PaiRoute.Door.GUESTS && !visitors.guests())
                throw unauthorized(found.route());
        }
        call.readChunks();
        found.route().action().run(call);
    }

    private void refuseOtherNames(ServerRequest request) {
        visitors.hostRefusal(host(request))
                .ifPresent(
                        words -> {
                            throw new PaiProblem(PaiCode.FORBIDDEN_USER, words);
                        });
    }

    private static Optional<String> host(ServerRequest request) {
        return request.headers().first(HeaderNames.HOST);
    }

    /** Pages of OpenPAI's first portal ask for files without a token, and show these words. */
    private static PaiProblem unauthorized(PaiRoute route) {
        return new PaiProblem(
                PaiCode.UNAUTHORIZED_USER,
                "Guest is not allowed to do this operation."
                        + (route.path().endsWith("/config")
                                ? " The file of a job is for its owner and admins, as it holds"
                                        + " commands and variables: log in and send the token."
                                : ""));
    }

    private static PaiProblem tooMuch() {
        return new PaiProblem(
                PaiCode.TOO_MANY_REQUESTS,
                "the request takes more memory than is free now; try again");
    }

    private static PaiProblem problem(Exception failure) {
        var expected = PaiProblem.of(failure);
        if (expected.isPresent()) return expected.get();
        if (Memory.hasEnded(failure)) return tooMuch();
        return switch (failure) {
            // The listener's own words about a body that cannot be read.
            case RequestException refused -> throw refused;
            // The peer is gone: nobody is left to be told.
            case IOException gone -> throw new CloseConnectionException("peer is gone", gone);
            case UncheckedIOException gone ->
                    throw new CloseConnectionException("peer is gone", gone);
            case DataReader.InsufficientDataAvailableException gone ->
                    throw new CloseConnectionException("peer is gone in its body", gone);
            case CloseConnectionException gone -> throw gone;
            default -> {
                LOG.log(System.Logger.Level.ERROR, "a bug in OpenPAI's interface", failure);
                yield new PaiProblem(
                        PaiCode.UNKNOWN, "unexpected error; the server's log says more");
            }
        };
    }

    private static void refuse(PaiProblem problem, ServerRequest request, ServerResponse response) {
        if (response.isSent()) throw new CloseConnectionException(problem.getMessage());
        var body = new LinkedHashMap<String, Object>();
        body.put("code", problem.code().word());
        body.put("message", problem.getMessage());
        response.status(problem.status())
                .header(HeaderNames.CONTENT_TYPE, "application/json; charset=utf-8");
        if (problem.code() == PaiCode.UNAUTHORIZED_USER)
            response.header(HeaderNames.WWW_AUTHENTICATE, "Bearer");
        Head.send(request, response, Json.writeBytes(body));
    }

    private static void describe(PaiCall call) throws IOException {
        try (InputStream in = OpenPai.class.getResourceAsStream("/fairlead/server/openpai.json")) {
            if (in == null) throw new IllegalStateException("the build lacks openpai.json");
            call.sendJson(in.readAllBytes());
        }
    }
}
