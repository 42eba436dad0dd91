package fairlead.server.http;

import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;

import java.util.List;

/**
 * One interface of the server: its routes, whom it lets in, and its words for refusals. Everything
 * else around a call is the same for all of them, see {@link HttpFront}.
 *
 * @param <C> what its routes see of a call
 */
public interface Facade<C extends Call> {
    /** The first that fits a call answers it. */
    List<Route<C>> routes();

    /** Where the listener looks for a route. */
    List<String> patterns(Route<C> route);

    /** What is its own besides, so that it refuses whatever no route is for; empty for the rest. */
    List<String> patternsOfUnknown();

    /** What a route is called in the metrics. */
    String label(Route<C> route);

    C call(ServerRequest request, ServerResponse response);

    /** Lets the call in, or refuses it. */
    void enter(Route<C> route, C call) throws Exception;

    /** Why no route is there for the call. */
    Refusal unknown(C call);

    /**
     * The same in its own words.
     *
     * @param label of the route; empty where there is none
     */
    Refusal words(Problem problem, String label);

    /** The content type of its refusals. */
    String contentType();
}
