package fairlead.api;

import io.avaje.jsonb.Json;

import java.util.List;

/** Jobs, newest first. With more to come, {@code next} is the {@code before} of the next page. */
@Json
public record JobPage(List<JobBody> jobs, String next) {}
