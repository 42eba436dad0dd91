package fairlead.server.routes;

import fairlead.api.ErrorCode;
import fairlead.job.JobId;
import fairlead.server.auth.Access;
import fairlead.server.auth.BrowserAccess;
import fairlead.server.auth.Caller;
import fairlead.server.http.Call;
import fairlead.server.http.Head;
import fairlead.server.http.PlainFacade;
import fairlead.server.http.Problem;
import fairlead.server.http.Refusal;
import fairlead.server.http.Route;
import fairlead.server.http.Visitors;

import io.helidon.http.HeaderNames;
import io.helidon.http.PathMatcher;
import io.helidon.http.PathMatchers;
import io.helidon.webserver.http.ServerRequest;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Our own interface: it also answers for whatever belongs to no other. */
final class OwnFacade extends PlainFacade {
    private static final String NO_TOKEN =
            "no token: send 'Authorization: Bearer TOKEN', with the token that 'fairlead user"
                    + " create' has printed, that of a login, or your own server's in server.json";

    /** A job called as kubectl does, pods/NAME: paths are matched once they are decoded. */
    private static final Pattern SLASHED_JOB = Pattern.compile("/v1/jobs/([^/]*%2[Ff][^/]*)");

    private static final String NO_SESSION = "the session is over: log in again";

    private final List<Route<Call>> routes;
    private final Access access;
    private final BrowserAccess browsers;
    private final Visitors visitors;
    private final Map<PathMatcher, String> methodsByPath = new LinkedHashMap<>();

    OwnFacade(List<Route<Call>> routes, Access access, BrowserAccess browsers, Visitors visitors) {
        this.routes = List.copyOf(routes);
        this.access = access;
        this.browsers = browsers;
        this.visitors = visitors;
        var methods = new LinkedHashMap<String, TreeSet<String>>();
        for (Route<Call> route : routes)
            methods.computeIfAbsent(route.path(), _ -> new TreeSet<>()).add(route.method());
        methods.forEach(
                (path, known) ->
                        methodsByPath.put(PathMatchers.create(path), String.join(", ", known)));
    }

    @Override
    public List<Route<Call>> routes() {
        return routes;
    }

    @Override
    public List<String> patternsOfUnknown() {
        return List.of();
    }

    @Override
    public void enter(Route<Call> route, Call call) throws Exception {
        refusePages(call.request());
        switch (route.door()) {
            case OPEN -> refuseOtherNames(call);
            case GUESTS -> throw new IllegalStateException("no route of ours is for guests");
            case PEOPLE -> enter(call, header -> header);
            case BROWSERS -> enter(call, Access::bearer);
            case JOBS -> call.enter(job(authorization(call.request())));
        }
        // Refused, so that a slip of the pen is noticed.
        for (String name : call.request().query().names()) {
            if (!route.parameters().contains(name)) throw unknownParameter(route, name);
        }
    }

    /**
     * By a token, or else by the session of a browser.
     *
     * @param form how the header spells a token
     */
    private void enter(Call call, UnaryOperator<String> form) {
        ServerRequest request = call.request();
        Optional<String> cookies = request.headers().first(HeaderNames.COOKIE);
        boolean hasToken = request.headers().contains(HeaderNames.AUTHORIZATION);
        if (hasToken || !browsers.isBrowser(cookies)) {
            String header = form.apply(authorization(request));
            call.enter(caller(header), () -> access.caller(header).isPresent());
            return;
        }
        Caller caller =
                browsers.caller(cookies)
                        .orElseThrow(() -> new Problem(ErrorCode.UNAUTHORIZED, NO_SESSION));
        refuseForgery(request);
        call.enter(caller, () -> browsers.caller(cookies).isPresent());
    }

    /**
     * A browser sends a cookie along with whatever a page asks for, but no page of another site can
     * make it send this header: it would have to ask us before, and we refuse.
     */
    private static void refuseForgery(ServerRequest request) {
        boolean changes = !Head.methodOf(request).equals("GET");
        if (changes && !Call.isOfPortal(request))
            forbid("a call with a session that changes something needs " + Call.PORTAL_HEADER);
    }

    private void refusePages(ServerRequest request) {
        if (visitors.isLoopback())
            visitors.hostRefusal(request.headers().first(HeaderNames.HOST))
                    .ifPresent(OwnFacade::forbid);
        visitors.pageRefusal(
                        request.headers().first(HeaderNames.ORIGIN),
                        request.headers().first(HeaderNames.HOST))
                .ifPresent(OwnFacade::forbid);
    }

    /** Whoever has a token may call the server what they like: a page of a stranger has none. */
    private void refuseOtherNames(Call call) {
        if (visitors.isLoopback()) return;
        Optional<String> header = call.request().headers().first(HeaderNames.AUTHORIZATION);
        if (header.map(Access::bearer).flatMap(access::caller).isPresent()) return;
        requireOwnName(call, visitors);
    }

    private static Problem unknownParameter(Route<Call> route, String name) {
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

    @Override
    public Refusal unknown(Call call) {
        ServerRequest request = call.request();
        for (var known : methodsByPath.entrySet()) {
            if (!known.getKey().match(request.path()).accepted()) continue;
            call.header(HeaderNames.ALLOW_NAME, known.getValue());
            return new Problem(
                    ErrorCode.WRONG_METHOD,
                    "%.20s is not possible here; possible: %s"
                            .formatted(request.prologue().method().text(), known.getValue()));
        }
        Matcher slashed = SLASHED_JOB.matcher(request.path().rawPath());
        if (slashed.lookingAt()) {
            String job = URLDecoder.decode(slashed.group(1), StandardCharsets.UTF_8);
            return new Problem(ErrorCode.NOT_FOUND, "no job '%.200s'".formatted(job));
        }
        return new Problem(
                ErrorCode.NOT_FOUND, "no such path: %.200s".formatted(request.path().path()));
    }
}
