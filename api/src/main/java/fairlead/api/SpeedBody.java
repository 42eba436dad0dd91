package fairlead.api;

import io.avaje.jsonb.Json;

/**
 * How fast a training script is on a number of GPUs: means over its latest epochs there.
 *
 * @param gpus on all nodes together
 * @param shared whether others could use the same GPU
 * @param stepSeconds null when the script does not say
 * @param epochs how many were measured
 * @param speedUp how many times as fast as in the first row
 * @param own whether this job has measured it; otherwise earlier jobs with the same script have
 */
@Json
public record SpeedBody(
        int nodes,
        int gpus,
        boolean shared,
        double epochSeconds,
        Double stepSeconds,
        int epochs,
        double speedUp,
        boolean own) {}
