package fairlead.api;

import io.avaje.jsonb.Json;

import java.util.List;

/**
 * What preemptions have cost a job.
 *
 * @param lostSeconds of work, by all of them; the fair order gives it back as time waited
 * @param receipts the latest ones, oldest first
 */
@Json
public record SetbacksBody(double lostSeconds, List<ReceiptBody> receipts) {}
