package fairlead.api;

import io.avaje.jsonb.Json;

/** One thing that happened to a job. The state is the one that it left the job in, where known. */
@Json
public record EventBody(String job, String at, String event, String detail, String state) {}
