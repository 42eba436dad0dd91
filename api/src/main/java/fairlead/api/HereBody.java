package fairlead.api;

import io.avaje.jsonb.Json;

import java.util.Map;

/**
 * Where a submit is typed. It counts only where tasks run on the machines themselves: an image has
 * a folder and variables of its own.
 *
 * @param folder the working folder of jobs that name none; absolute
 * @param env variables of every job that does not set them itself
 */
@Json
public record HereBody(String folder, Map<String, String> env) {}
