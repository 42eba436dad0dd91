package fairlead.api.spec;

import io.avaje.jsonb.Json;

/**
 * The job file of another system that a job was made from.
 *
 * @param dialect whose file it is, such as {@code openpai}
 * @param text the file exactly as it was submitted
 * @param key what that system calls the job, such as {@code ann~mnist}; one job has it at a time,
 *     until it is deleted
 */
@Json
public record OriginBody(String dialect, String text, String key) {}
