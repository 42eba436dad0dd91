package fairlead.api;

import fairlead.api.json.Wire;

import io.avaje.jsonb.Json;

import java.util.List;
import java.util.Map;

/**
 * Jobs, newest first. With more to come, {@code next} is the {@code before} of the next page.
 *
 * @param notes for whoever wonders about these jobs, such as a cluster that cannot be reached
 * @param arrays how far the arrays are that one job each stands for; null where all jobs are listed
 */
@Json
public record JobPage(
        List<JobBody> jobs, String next, List<String> notes, List<ArrayProgress> arrays) {
    /**
     * An array as one row.
     *
     * @param command with {@code {i}} for the index; null for those who may not see the spec
     * @param states how many of its jobs that are kept are in each state
     */
    @Json
    public record ArrayProgress(String id, String command, Map<String, Long> states) {}

    /** For programs that read several pages as one. */
    public byte[] json() {
        return Wire.json(this, JobPage.class);
    }
}
