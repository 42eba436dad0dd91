package fairlead.api;

import io.avaje.jsonb.Json;

import java.util.List;

/**
 * What became of an abort of a whole array.
 *
 * @param jobs those that had not ended yet, in the order of their submission
 */
@Json
public record AbortAnswer(String array, List<Aborted> jobs) {
    /** A job and where it stands now: cancelled if it was waiting, stopping if it ran. */
    @Json
    public record Aborted(String id, String state) {}
}
