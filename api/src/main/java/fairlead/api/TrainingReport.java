package fairlead.api;

import io.avaje.jsonb.Json;

/**
 * What one rank of a training script reports about itself. A null is unknown.
 *
 * @param attempt the one that the script runs in
 * @param rank 0 by default
 * @param kind hello, heartbeat, epoch-start, epoch-end or checkpoint
 * @param epoch how many are done in all, those before a restart included; an epoch that starts has
 *     this number, counted from 0
 * @param step how many steps of the current epoch are done
 * @param gpuMemoryBytes the most that one GPU has held so far
 */
@Json
public record TrainingReport(
        Integer attempt,
        Integer rank,
        String kind,
        Integer epoch,
        Long step,
        Double stepSeconds,
        Double epochSeconds,
        Long gpuMemoryBytes) {}
