package fairlead.api;

import io.avaje.jsonb.Json;

import java.util.List;

/**
 * What became of a change of several jobs.
 *
 * @param array whose jobs they are; null where they were named one by one
 * @param jobs those that were changed; of an array in the order of their submission
 * @param refused why the others were not
 */
@Json
public record JobsAnswer(String array, List<Changed> jobs, List<ErrorBody> refused) {
    /**
     * A job and where it stands now: cancelled if it was waiting, stopping if it ran, or deleted.
     */
    @Json
    public record Changed(String id, String state) {}
}
