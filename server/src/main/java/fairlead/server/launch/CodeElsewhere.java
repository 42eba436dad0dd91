package fairlead.server.launch;

import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.JobId;
import fairlead.job.JobSpec;

import java.util.Optional;

/** A cluster whose tasks do not see the server's files: no code can be laid before them. */
public final class CodeElsewhere implements LaunchStep {
    private final String cluster;
    private final LaunchHooks hooks;

    public CodeElsewhere(String cluster, LaunchHooks hooks) {
        this.cluster = cluster;
        this.hooks = hooks;
    }

    @Override
    public Optional<String> refuses(JobSpec spec) {
        return CodeFolders.code(hooks, spec)
                .map(
                        code ->
                                "the tasks of the cluster %s do not see the server's files, so %s %s is not brought to them; mount it, or put it into the image"
                                        .formatted(cluster, code.field(), code.asked()));
    }

    @Override
    public Effect.Launch prepare(Effect.Launch launch) {
        return launch;
    }

    @Override
    public JobSpec entered(AttemptId attempt, JobSpec spec) {
        return spec;
    }

    @Override
    public void clear(AttemptId attempt) {
        // Nothing was laid.
    }

    @Override
    public void clear(JobId job) {
        // Nothing was laid.
    }
}
