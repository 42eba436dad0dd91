package fairlead.server.auth;

import fairlead.job.Job;

/**
 * Whoever makes a call.
 *
 * @param isAdmin may change projects and people, and touch everybody's jobs
 * @param project where their jobs go that name none
 */
public record Caller(String name, boolean isAdmin, String project) {
    /** Whether they may see and change all of the job. */
    public boolean owns(Job job) {
        return isAdmin || name.equals(job.owner());
    }
}
