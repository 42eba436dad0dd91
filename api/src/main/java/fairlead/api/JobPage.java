package fairlead.api;

import fairlead.api.json.Wire;

import io.avaje.jsonb.Json;

import java.util.List;

/**
 * Jobs, newest first. With more to come, {@code next} is the {@code before} of the next page.
 *
 * @param notes for whoever wonders about these jobs, such as a cluster that cannot be reached
 */
@Json
public record JobPage(List<JobBody> jobs, String next, List<String> notes) {
    /** For programs that read several pages as one. */
    public byte[] json() {
        return Wire.json(this, JobPage.class);
    }
}
