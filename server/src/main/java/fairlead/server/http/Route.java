package fairlead.server.http;

import java.util.Set;

/**
 * One call of the interface.
 *
 * @param path with {@code {id}} where a job is named, {@code {name}} where a project or a person is
 * @param open whether it needs no token
 * @param parameters of the query; any other is refused, so that a slip of the pen is noticed
 */
record Route(String method, String path, boolean open, Set<String> parameters, Action action) {
    /** What a call does. Every exception becomes an answer. */
    @FunctionalInterface
    interface Action {
        void run(Call call) throws Exception;
    }

    static Route get(String path, Action action, String... parameters) {
        return new Route("GET", path, false, Set.of(parameters), action);
    }

    static Route post(String path, Action action, String... parameters) {
        return new Route("POST", path, false, Set.of(parameters), action);
    }

    static Route put(String path, Action action, String... parameters) {
        return new Route("PUT", path, false, Set.of(parameters), action);
    }

    static Route patch(String path, Action action) {
        return new Route("PATCH", path, false, Set.of(), action);
    }

    static Route delete(String path, Action action) {
        return new Route("DELETE", path, false, Set.of(), action);
    }

    /** One that needs no token. */
    static Route open(String path, Action action) {
        return new Route("GET", path, true, Set.of(), action);
    }
}
