package fairlead.server.launch;

import fairlead.engine.EngineException;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.JobId;
import fairlead.job.JobSpec;

import java.util.Optional;

/** Something that the server does before each launch, such as fetching code. Any thread. */
public interface LaunchStep {
    /** Why it can never be done for this spec, in words for its owner. */
    Optional<String> refuses(JobSpec spec);

    /**
     * Does it, and answers the launch as the engine should see it. A repeat for the same attempt
     * leaves what is there.
     */
    Effect.Launch prepare(Effect.Launch launch) throws EngineException;

    /** The spec as the engine sees it once this is done: whoever enters a task comes there. */
    JobSpec entered(AttemptId attempt, JobSpec spec);

    /** Takes it away again: nothing of the attempt runs any more. */
    void clear(AttemptId attempt) throws EngineException;

    /** The same for whatever is left of all attempts of the job. */
    void clear(JobId job) throws EngineException;
}
