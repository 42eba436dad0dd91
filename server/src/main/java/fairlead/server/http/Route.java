package fairlead.server.http;

import java.util.Set;

/**
 * One call of the interface.
 *
 * @param path with {@code {id}} where a job is named, {@code {name}} where a project or a person
 *     is, {@code {uuid}} where a job's own UUID stands, {@code {session}} where that of a command
 *     beside a task
 * @param door who may come in
 * @param parameters of the query that it knows
 * @param judge what is looked at before the token, whoever asks
 * @param <C> what it sees of a call
 */
public record Route<C extends Call>(
        String method,
        String path,
        Door door,
        Set<String> parameters,
        Action<C> judge,
        Action<C> action) {
    /** As a method: any. */
    public static final String ANY = "*";

    /** Whose token a call needs. */
    public enum Door {
        /** Nobody's. */
        OPEN,
        /** Nobody's where the settings let guests in; otherwise somebody's. */
        GUESTS,
        /** Somebody's. */
        PEOPLE,
        /** Somebody's, which a browser may send as a password. Only for what changes nothing. */
        BROWSERS,
        /** That of a job. */
        JOBS
    }

    /** What a call does. Every exception becomes an answer. */
    @FunctionalInterface
    public interface Action<C extends Call> {
        void run(C call) throws Exception;
    }

    public Route(String method, String path, Door door, Set<String> parameters, Action<C> action) {
        this(method, path, door, parameters, _ -> {}, action);
    }

    public static Route<Call> get(String path, Action<Call> action, String... parameters) {
        return new Route<>("GET", path, Door.PEOPLE, Set.of(parameters), action);
    }

    public static Route<Call> post(String path, Action<Call> action, String... parameters) {
        return new Route<>("POST", path, Door.PEOPLE, Set.of(parameters), action);
    }

    public static Route<Call> put(String path, Action<Call> action, String... parameters) {
        return new Route<>("PUT", path, Door.PEOPLE, Set.of(parameters), action);
    }

    public static Route<Call> patch(String path, Action<Call> action) {
        return new Route<>("PATCH", path, Door.PEOPLE, Set.of(), action);
    }

    public static Route<Call> delete(String path, Action<Call> action) {
        return new Route<>("DELETE", path, Door.PEOPLE, Set.of(), action);
    }

    /** One that a browser may open. */
    public static Route<Call> page(String path, Action<Call> action, String... parameters) {
        return new Route<>("GET", path, Door.BROWSERS, Set.of(parameters), action);
    }

    /** One that needs no token. */
    public static Route<Call> open(String path, Action<Call> action) {
        return new Route<>("GET", path, Door.OPEN, Set.of(), action);
    }

    /** One to post to that needs no token. */
    public static Route<Call> openPost(String path, Action<Call> action) {
        return new Route<>("POST", path, Door.OPEN, Set.of(), action);
    }

    /** One that only a job may post to. */
    public static Route<Call> jobPost(String path, Action<Call> action) {
        return new Route<>("POST", path, Door.JOBS, Set.of(), action);
    }
}
