package fairlead.api.spec;

import io.avaje.jsonb.Json;

/**
 * A job that another waits for.
 *
 * @param job its id or any text that names it, or an array's id for all its jobs
 * @param until {@code started}, {@code succeeded} or {@code ended}; nothing means succeeded
 */
@Json
public record AfterBody(String job, String until) {}
