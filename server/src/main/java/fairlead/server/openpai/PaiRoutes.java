package fairlead.server.openpai;

import fairlead.server.http.Route;
import fairlead.server.http.Route.Action;
import fairlead.server.http.Route.Door;

import java.util.Set;

/**
 * The kinds of routes that OpenPAI has. Paths are below its root, with {@code {user}} where a user
 * is named, {@code {vc}} where a virtual cluster is and {@code {job}} where a job is. Parameters
 * that a route does not know are passed over.
 */
final class PaiRoutes {
    private PaiRoutes() {}

    /** One that needs no token. */
    static Route<PaiCall> open(String method, String path, Action<PaiCall> action) {
        return new Route<>(method, path, Door.OPEN, Set.of(), action);
    }

    /** One that OpenPAI answers without a token. */
    static Route<PaiCall> guests(String path, Action<PaiCall> action) {
        return new Route<>("GET", path, Door.GUESTS, Set.of(), action);
    }

    static Route<PaiCall> of(String method, String path, Action<PaiCall> action) {
        return new Route<>(method, path, Door.PEOPLE, Set.of(), action);
    }

    /** One whose body is judged before the token. */
    static Route<PaiCall> judged(
            String method, String path, Action<PaiCall> judge, Action<PaiCall> action) {
        return new Route<>(method, path, Door.PEOPLE, Set.of(), judge, action);
    }
}
