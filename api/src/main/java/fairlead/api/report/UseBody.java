package fairlead.api.report;

import io.avaje.jsonb.Json;

/**
 * What one person or project has used. Hours are GPU-hours; a part of a GPU counts as that part.
 *
 * @param jobs that ran in the span
 * @param failed of those, that ended in it and failed
 * @param waitSeconds the median of how long jobs that first started in the span had waited; null
 *     where none did
 * @param quota of a project that has one
 * @param borrowedHours of a project: what it used above its quota, where any project has one
 * @param lentHours of a project: what others used of its quota
 */
@Json
public record UseBody(
        String name,
        int jobs,
        int failed,
        double gpuHours,
        Double waitSeconds,
        Integer quota,
        Double borrowedHours,
        Double lentHours) {}
