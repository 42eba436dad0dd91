package fairlead.server.openpai;

import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.server.runtime.Groundwork;

import java.util.Optional;

/** A cluster whose tasks do not see the server's files: no code can be laid before them. */
public final class CodeElsewhere implements Groundwork {
    private final String cluster;

    public CodeElsewhere(String cluster) {
        this.cluster = cluster;
    }

    @Override
    public Optional<String> refuses(JobSpec spec) {
        return CodeFolders.withCode(spec)
                .map(
                        known ->
                                "the tasks of the cluster %s do not see the server's files, so codeDir %s is not brought to them; mount it, or put it into the image"
                                        .formatted(cluster, known.job().codeDir()));
    }

    @Override
    public Effect.Launch lay(Effect.Launch launch) {
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
