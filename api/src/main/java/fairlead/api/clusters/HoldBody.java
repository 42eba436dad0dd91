package fairlead.api.clusters;

import io.avaje.jsonb.Json;

/**
 * What one task holds of a GPU.
 *
 * @param thousandths how much of it
 */
@Json
public record HoldBody(String job, String owner, String task, int thousandths) {}
