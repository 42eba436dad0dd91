package fairlead.policy.fair;

import fairlead.cluster.Rules;
import fairlead.cluster.View;
import fairlead.job.Job;
import fairlead.job.JobSpec;
import fairlead.job.JobState;
import fairlead.job.Project;
import fairlead.policy.Obstacle;
import fairlead.policy.Tally;

import java.util.Optional;

/**
 * What a project's rules say about interactive jobs: so many at once, and only inside the quota. An
 * owner's own training jobs inside the quota give way to them.
 */
public final class InteractiveWork {
    private InteractiveWork() {}

    /**
     * Why a job of this owner's could not start now, even on an empty cluster. What may be taken
     * from the owner's own training jobs is no obstacle.
     */
    public static Optional<Obstacle> refusal(String owner, JobSpec spec, View view) {
        if (!spec.interactive()) return Optional.empty();
        var tally = new Tally(view);
        for (Job job : view.active()) {
            boolean givesWay =
                    job.owner().equals(owner)
                            && job.spec().project().equals(spec.project())
                            && !job.spec().interactive()
                            && !(job.state() instanceof JobState.Stopping);
            if (givesWay) tally.remove(job);
        }
        return refusal(spec, view.rules(), tally)
                .map(obstacle -> beside(obstacle, new Tally(view)));
    }

    /** Told by all that the project holds now, as people see it, whatever would give way. */
    private static Obstacle beside(Obstacle obstacle, Tally all) {
        return obstacle instanceof Obstacle.QuotaFull(var project, _, var quota, var wanted)
                ? new Obstacle.QuotaFull(project, all.heldUntilStops(project), quota, wanted)
                : obstacle;
    }

    /** The same beside all that is held. */
    static Optional<Obstacle> refusal(JobSpec spec, Rules rules, Tally tally) {
        if (!spec.interactive()) return Optional.empty();
        Project project = rules.project(spec.project());
        int most = project.interactiveMax().orElse(Integer.MAX_VALUE);
        var tooMany = new Obstacle.TooManyInteractive(project.name(), most);
        boolean isEntitled = tally.isEntitled(spec);
        long quota = rules.quota(project.name());
        // What holds for good is said before what will pass.
        if (most == 0) return Optional.of(tooMany);
        if (!isEntitled && quota == 0) return Optional.of(new Obstacle.NoQuota(project.name()));
        if (!isEntitled && spec.milliGpus() > quota) {
            return Optional.of(new Obstacle.QuotaTooSmall(project.name(), quota, spec.milliGpus()));
        }
        if (tally.interactiveIn(project.name()) >= most) return Optional.of(tooMany);
        if (isEntitled) return Optional.empty();
        return Optional.of(
                new Obstacle.QuotaFull(
                        project.name(),
                        tally.heldUntilStops(project.name()),
                        quota,
                        spec.milliGpus()));
    }
}
