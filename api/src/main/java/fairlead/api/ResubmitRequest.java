package fairlead.api;

import io.avaje.jsonb.Json;

/** GPUs for each task of the new job, or null for the old number. */
@Json
public record ResubmitRequest(String request, Integer gpus) {}
