package fairlead.api;

import io.avaje.jsonb.Json;

/**
 * Somebody whose waiting jobs stand before another one.
 *
 * @param owner null for several people who are not named
 * @param people how many they are
 * @param gpus that these jobs ask for
 */
@Json
public record AheadBody(String owner, int people, int jobs, double gpus) {}
