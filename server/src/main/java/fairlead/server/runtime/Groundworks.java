package fairlead.server.runtime;

import fairlead.engine.EngineException;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.JobId;
import fairlead.job.JobSpec;

import java.util.List;
import java.util.Optional;

/** Several groundworks, one after the other: each sees the launch as those before have left it. */
public record Groundworks(List<Groundwork> all) implements Groundwork {
    public Groundworks {
        all = List.copyOf(all);
    }

    @Override
    public Optional<String> refuses(JobSpec spec) {
        return all.stream().flatMap(each -> each.refuses(spec).stream()).findFirst();
    }

    @Override
    public Effect.Launch lay(Effect.Launch launch) throws EngineException {
        Effect.Launch laid = launch;
        for (Groundwork each : all) laid = each.lay(laid);
        return laid;
    }

    @Override
    public JobSpec entered(AttemptId attempt, JobSpec spec) {
        JobSpec entered = spec;
        for (Groundwork each : all) entered = each.entered(attempt, entered);
        return entered;
    }

    @Override
    public void clear(AttemptId attempt) throws EngineException {
        for (Groundwork each : all) each.clear(attempt);
    }

    @Override
    public void clear(JobId job) throws EngineException {
        for (Groundwork each : all) each.clear(job);
    }
}
