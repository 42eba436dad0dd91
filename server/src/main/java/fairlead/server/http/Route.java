package fairlead.server.http;

import java.util.Set;

/**
 * One call of the interface.
 *
 * @param path with {@code {id}} where a job is named, {@code {name}} where a project or a person
 *     is, {@code {uuid}} where a job's own UUID stands, {@code {session}} where that of a command
 *     beside a task
 * @param door who may come in
 * @param parameters of the query; any other is refused, so that a slip of the pen is noticed
 */
record Route(String method, String path, Door door, Set<String> parameters, Action action) {
    /** Whose token a call needs. */
    enum Door {
        /** Nobody's. */
        OPEN,
        /** Somebody's. */
        PEOPLE,
        /** Somebody's, which a browser may send as a password. Only for what changes nothing. */
        BROWSERS,
        /** That of a job. */
        JOBS
    }

    /** What a call does. Every exception becomes an answer. */
    @FunctionalInterface
    interface Action {
        void run(Call call) throws Exception;
    }

    static Route get(String path, Action action, String... parameters) {
        return new Route("GET", path, Door.PEOPLE, Set.of(parameters), action);
    }

    static Route post(String path, Action action, String... parameters) {
        return new Route("POST", path, Door.PEOPLE, Set.of(parameters), action);
    }

    static Route put(String path, Action action, String... parameters) {
        return new Route("PUT", path, Door.PEOPLE, Set.of(parameters), action);
    }

    static Route patch(String path, Action action) {
        return new Route("PATCH", path, Door.PEOPLE, Set.of(), action);
    }

    static Route delete(String path, Action action) {
        return new Route("DELETE", path, Door.PEOPLE, Set.of(), action);
    }

    /** One that a browser may open. */
    static Route page(String path, Action action, String... parameters) {
        return new Route("GET", path, Door.BROWSERS, Set.of(parameters), action);
    }

    /** One that needs no token. */
    static Route open(String path, Action action) {
        return new Route("GET", path, Door.OPEN, Set.of(), action);
    }

    /** One to post to that needs no token. */
    static Route openPost(String path, Action action) {
        return new Route("POST", path, Door.OPEN, Set.of(), action);
    }

    /** One that only a job may post to. */
    static Route jobPost(String path, Action action) {
        return new Route("POST", path, Door.JOBS, Set.of(), action);
    }
}
