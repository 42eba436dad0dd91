package fairlead.server.auth;

import fairlead.job.Job;

import java.util.Optional;
import java.util.Set;

/**
 * Whoever makes a call.
 *
 * @param isAdmin may change projects and people, and touch everybody's jobs
 * @param project where their jobs go that name none
 * @param isViewer may look, and change nothing but what is about themselves
 * @param administers the projects whose jobs and members they look after
 * @param scope what their token lets them do of that
 */
public record Caller(
        String name,
        boolean isAdmin,
        String project,
        boolean isViewer,
        Set<String> administers,
        Scope scope) {
    /** Below it is what people change of themselves: passwords and tokens. */
    private static final String OWN_PATHS = "/v1/people/{name}/";

    private static final String SESSION = "/v1/session";

    public Caller {
        administers = Set.copyOf(administers);
    }

    /** A member or an admin, with a token that lets them do all of it. */
    public Caller(String name, boolean isAdmin, String project) {
        this(name, isAdmin, project, false, Set.of(), Scope.ADMIN);
    }

    /** The same person with another token. */
    Caller with(Scope other) {
        boolean isWhole = other == Scope.ADMIN;
        return new Caller(
                name,
                isAdmin && isWhole,
                project,
                isViewer,
                isWhole ? administers : Set.of(),
                other);
    }

    /** Whether they may do with the job all that its owner may. */
    public boolean owns(Job job) {
        return isAdmin || name.equals(job.owner());
    }

    /** Whether they may see all of the job, and stop it. */
    public boolean manages(Job job) {
        return owns(job) || administers.contains(job.spec().project());
    }

    /**
     * Why they may not make a call at all, whatever it is about; empty where that depends.
     *
     * @param path of the route
     */
    public Optional<String> refusal(String method, String path) {
        if (method.equals("GET") || path.equals(SESSION)) return Optional.empty();
        if (scope == Scope.READ)
            return Optional.of("a token with the scope 'read' may change nothing");
        boolean isOwn = path.startsWith(OWN_PATHS);
        if (isOwn && scope != Scope.ADMIN)
            return Optional.of("passwords and tokens need a token with the scope 'admin'");
        return isViewer && !isOwn
                ? Optional.of("viewers may change nothing; you are " + name)
                : Optional.empty();
    }
}
