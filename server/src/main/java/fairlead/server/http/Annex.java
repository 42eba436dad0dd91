package fairlead.server.http;

import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;

import java.util.List;

/** Another system's interface under a path of its own, which has its own words for refusals. */
public interface Annex {
    /** Where it begins, such as {@code /api/v1}; everything below is its own. */
    List<String> roots();

    /**
     * Answers, whatever the call is; fails only where nobody is left to be told.
     *
     * @return the path of the route that answered, or {@link #NO_ROUTE}
     */
    String answer(ServerRequest request, ServerResponse response);

    /** The route of a call that no route was found for. */
    String NO_ROUTE = RequestCounts.NO_ROUTE;
}
