package fairlead.api;

import io.avaje.jsonb.Json;

import java.util.List;
import java.util.Map;

/**
 * What a user asks for, in the shape of a job file. Either roles, or command with gpus, cpus and
 * memory for a job with the one role {@code main}. A null is left to the server's default.
 *
 * @param time the time limit, such as {@code 90s}, {@code 30m}, {@code 4h}, {@code 2d}
 */
@Json
public record SpecBody(
        String name,
        String cluster,
        String project,
        Integer priority,
        @Json.Serializer(CommandAdapter.class) List<String> command,
        Integer gpus,
        Integer cpus,
        String memory,
        List<RoleBody> roles,
        Map<String, String> env,
        Integer retries,
        String time,
        String workdir,
        String user) {}
