package fairlead.api;

import io.avaje.jsonb.Json;

/**
 * What is known of a job in the queue, and not of other work there.
 *
 * @param name the job's own
 * @param obstacle the first thing that keeps it from running, in words; null while it runs
 * @param predictedStart when it will most likely start, as was last worked out; null where nobody
 *     can say
 */
@Json
public record QueueJob(
        String name,
        String project,
        String obstacle,
        String predictedStart,
        String predictedEarliest,
        String predictedLatest) {}
