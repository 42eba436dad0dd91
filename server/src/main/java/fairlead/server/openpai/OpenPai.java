package fairlead.server.openpai;

import static fairlead.server.openpai.PaiRoutes.guests;
import static fairlead.server.openpai.PaiRoutes.of;
import static fairlead.server.openpai.PaiRoutes.open;

import fairlead.api.ErrorCode;
import fairlead.control.Controller;
import fairlead.server.auth.Access;
import fairlead.server.auth.Caller;
import fairlead.server.auth.LoginTries;
import fairlead.server.auth.Logins;
import fairlead.server.http.Facade;
import fairlead.server.http.Problem;
import fairlead.server.http.Refusal;
import fairlead.server.http.Route;
import fairlead.server.http.Visitors;
import fairlead.server.runtime.Questions;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;

import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * OpenPAI's REST interface: its table of routes, whom it lets in, and its words for refusals. Pages
 * of this server and of the origins in its settings may call it.
 */
public final class OpenPai implements Facade<PaiCall> {
    private static final String ROOT = "/api/v1";

    /** OpenPAI's own proxy has its server there, so that is what its SDK calls. */
    private static final String BEHIND_PROXY = "/rest-server";

    private static final String NEXT_ROOT = "/api/v2";
    private static final String BANNER = "PAI RESTful API";
    private static final String OPTIONS = "OPTIONS";
    private static final String ANYWHERE = "/*";

    private static final String NO_VERSION_2 =
            " There is no version 2 of the API, nor of job files (YAML): submit a job file of"
                    + " version 1 (JSON) to /api/v1/user/USER/jobs.";

    private static final String ALLOW_ORIGIN = "Access-Control-Allow-Origin";
    private static final String ALLOW_METHODS = "Access-Control-Allow-Methods";
    private static final String ALLOW_HEADERS = "Access-Control-Allow-Headers";

    private final Access access;
    private final Visitors visitors;
    private final VirtualClusterRoutes clusters;
    private final List<Route<PaiCall>> routes;

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
        var all = new ArrayList<Route<PaiCall>>();
        all.addAll(
                List.of(
                        open(OPTIONS, ANYWHERE, OpenPai::allow),
                        open(Route.ANY, "", call -> call.sendText(BANNER)),
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
    }

    @Override
    public List<Route<PaiCall>> routes() {
        return routes;
    }

    @Override
    public List<String> patterns(Route<PaiCall> route) {
        if (route.path().equals(ANYWHERE)) return patternsOfUnknown();
        return Stream.of(ROOT, BEHIND_PROXY + ROOT)
                .map(root -> root + route.path() + "[/]")
                .toList();
    }

    @Override
    public List<String> patternsOfUnknown() {
        return Stream.of(ROOT, BEHIND_PROXY + ROOT, NEXT_ROOT, BEHIND_PROXY + NEXT_ROOT)
                .flatMap(root -> Stream.of(root, root + ANYWHERE))
                .toList();
    }

    @Override
    public String label(Route<PaiCall> route) {
        return route.path().equals(ANYWHERE) ? ROOT : ROOT + route.path();
    }

    @Override
    public PaiCall call(ServerRequest request, ServerResponse response) {
        return new PaiCall(request, response);
    }

    /** A page of another origin reads an answer only where it is allowed to. */
    private void admitPage(PaiCall call) {
        Optional<String> origin = call.request().headers().first(HeaderNames.ORIGIN);
        call.header(HeaderNames.VARY_NAME, "Origin");
        if (visitors.isLoopback()) visitors.hostRefusal(host(call)).ifPresent(OpenPai::forbid);
        visitors.pageRefusal(origin, host(call)).ifPresent(OpenPai::forbid);
        origin.ifPresent(page -> call.header(ALLOW_ORIGIN, page));
    }

    private static void forbid(String words) {
        throw new PaiProblem(PaiCode.FORBIDDEN_USER, words);
    }

    private static Optional<String> host(PaiCall call) {
        return call.request().headers().first(HeaderNames.HOST);
    }

    @Override
    public void enter(Route<PaiCall> route, PaiCall call) throws Exception {
        admitPage(call);
        if (route.method().equals(OPTIONS)) return;
        // As in OpenPAI a name is judged before the token, whoever asks.
        call.virtualCluster().ifPresent(name -> clusters.checkName(route.method(), name));
        String header = call.request().headers().first(HeaderNames.AUTHORIZATION).orElse("");
        Optional<Caller> caller = access.caller(header);
        if (route.door() == Route.Door.PEOPLE) {
            route.judge().run(call);
            Caller known = caller.orElseThrow(() -> unauthorized(route, header));
            call.enter(known, () -> access.caller(header).isPresent());
        } else if (caller.isEmpty()) {
            visitors.hostRefusal(host(call)).ifPresent(OpenPai::forbid);
            if (route.door() == Route.Door.GUESTS && !visitors.guests())
                throw unauthorized(route, header);
        }
    }

    /** Pages of OpenPAI's first portal ask for files without a token, and show these words. */
    private static PaiProblem unauthorized(Route<PaiCall> route, String header) {
        if (!header.isBlank())
            return new PaiProblem(
                    PaiCode.UNAUTHORIZED_USER,
                    "The token that was sent is invalid or has ended: log in again for a new one.");
        String advice = " Send a token.";
        if (route.path().endsWith("/config")) {
            advice =
                    " The file of a job is for its owner and admins, as it holds commands and"
                            + " variables: log in and send the token.";
        } else if (route.door() == Route.Door.GUESTS) {
            advice =
                    " Send a token; on this server only its setting guests = yes lets others read.";
        }
        return new PaiProblem(
                PaiCode.UNAUTHORIZED_USER, "Guest is not allowed to do this operation." + advice);
    }

    @Override
    public Refusal unknown(PaiCall call) {
        try {
            admitPage(call);
        } catch (PaiProblem refused) {
            return refused;
        }
        String path = call.request().path().path();
        return new PaiProblem(
                PaiCode.NO_API,
                "API endpoint %.20s %.200s is not found.%s"
                        .formatted(
                                call.request().prologue().method().text(),
                                path,
                                path.contains(NEXT_ROOT) ? NO_VERSION_2 : ""));
    }

    @Override
    public Refusal words(Problem problem, String label) {
        return problem.code() == ErrorCode.BUG
                ? new PaiProblem(PaiCode.UNKNOWN, "unexpected error; the server's log says more")
                : PaiProblem.of(problem);
    }

    @Override
    public String contentType() {
        return PaiCall.JSON;
    }

    /** What a browser asks before it lets a page call. */
    private static void allow(PaiCall call) {
        String asked =
                call.request()
                        .headers()
                        .first(HeaderNames.create("Access-Control-Request-Headers"))
                        .filter(names -> names.matches("[A-Za-z0-9, -]{1,1000}"))
                        .orElse("Authorization, Content-Type");
        call.header(ALLOW_METHODS, "GET,HEAD,PUT,PATCH,POST,DELETE");
        call.header(ALLOW_HEADERS, asked);
        call.sendNothing();
    }

    private static void describe(PaiCall call) throws IOException {
        try (InputStream in = OpenPai.class.getResourceAsStream("/fairlead/server/openpai.json")) {
            if (in == null) throw new IllegalStateException("the build lacks openpai.json");
            call.sendJson(200, in.readAllBytes());
        }
    }
}
