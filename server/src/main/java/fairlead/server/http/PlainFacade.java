package fairlead.server.http;

import fairlead.api.ErrorCode;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;

import java.util.List;

/**
 * An interface in our own words: each route is called as its path, a refusal says itself in JSON.
 */
public abstract class PlainFacade implements Facade<Call> {
    @Override
    public final List<String> patterns(Route<Call> route) {
        return List.of(route.path());
    }

    /** What stands in braces is not filled in, so no metric has a name or a secret of a path. */
    @Override
    public final String label(Route<Call> route) {
        return route.path();
    }

    @Override
    public final Call call(ServerRequest request, ServerResponse response) {
        return new Call(request, response);
    }

    @Override
    public final Refusal words(Problem problem, String label) {
        return problem;
    }

    @Override
    public final String contentType() {
        return "application/json";
    }

    /** What needs no token is answered under a name of this server alone. */
    protected static void requireOwnName(Call call, Visitors visitors) {
        visitors.hostRefusal(call.request().headers().first(HeaderNames.HOST))
                .ifPresent(PlainFacade::forbid);
    }

    protected static void forbid(String words) {
        throw new Problem(ErrorCode.FORBIDDEN, words);
    }
}
