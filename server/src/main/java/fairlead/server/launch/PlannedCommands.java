package fairlead.server.launch;

import fairlead.api.launch.LaunchPlan;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.Role;

import java.util.Optional;

/** Gives the tasks of dialects' jobs the commands, folder and port that their plan says. */
public record PlannedCommands(LaunchHooks hooks) implements LaunchStep {
    @Override
    public Optional<String> refuses(JobSpec spec) {
        return Optional.empty();
    }

    @Override
    public Effect.Launch prepare(Effect.Launch launch) {
        JobSpec spec = launch.job().spec();
        LaunchPlan plan = hooks.plan(spec, launch.job().owner());
        if (plan == LaunchPlan.NONE) return launch;
        JobSpec begun = plan.folder().map(spec::inFolder).orElse(spec);
        return launch.asking(begun.withRoles(role -> planned(role, plan)));
    }

    private static Role planned(Role role, LaunchPlan plan) {
        Role ported = plan.port().map(role::withPort).orElse(role);
        return ported.running(plan.command().apply(role.command()));
    }

    @Override
    public JobSpec entered(AttemptId attempt, JobSpec spec) {
        return spec;
    }

    @Override
    public void clear(AttemptId attempt) {
        // Nothing is left of it outside the tasks.
    }

    @Override
    public void clear(JobId job) {
        // Nothing is left of it outside the tasks.
    }
}
