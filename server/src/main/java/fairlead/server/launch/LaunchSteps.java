package fairlead.server.launch;

import fairlead.engine.EngineException;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.JobId;
import fairlead.job.JobSpec;

import java.util.List;
import java.util.Optional;

/** Several steps, one after the other: each sees the launch as those before have left it. */
public record LaunchSteps(List<LaunchStep> all) implements LaunchStep {
    public LaunchSteps {
        all = List.copyOf(all);
    }

    @Override
    public Optional<String> refuses(JobSpec spec) {
        return all.stream().flatMap(each -> each.refuses(spec).stream()).findFirst();
    }

    @Override
    public Effect.Launch prepare(Effect.Launch launch) throws EngineException {
        Effect.Launch prepared = launch;
        for (LaunchStep each : all) prepared = each.prepare(prepared);
        return prepared;
    }

    @Override
    public JobSpec entered(AttemptId attempt, JobSpec spec) {
        JobSpec entered = spec;
        for (LaunchStep each : all) entered = each.entered(attempt, entered);
        return entered;
    }

    @Override
    public void clear(AttemptId attempt) throws EngineException {
        for (LaunchStep each : all) each.clear(attempt);
    }

    @Override
    public void clear(JobId job) throws EngineException {
        for (LaunchStep each : all) each.clear(job);
    }
}
