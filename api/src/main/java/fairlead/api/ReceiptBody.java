package fairlead.api;

import io.avaje.jsonb.Json;

/**
 * One preemption.
 *
 * @param at when it was asked for
 * @param beneficiary the id of the job that needed the place
 * @param lostSeconds of work since the last checkpoint; 0 when it stopped at one
 */
@Json
public record ReceiptBody(String at, String beneficiary, String why, double lostSeconds) {}
