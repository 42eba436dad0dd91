package fairlead.api;

import io.avaje.jsonb.Json;

import java.util.List;

/**
 * What was measured of a training job's script.
 *
 * @param rows by number of GPUs, then of nodes; empty before the first epoch
 * @param gpuMemoryBytes the most that one of its GPUs has held; null when nobody has looked
 */
@Json
public record ProfileBody(String id, List<SpeedBody> rows, Long gpuMemoryBytes) {}
