package fairlead.api;

import io.avaje.jsonb.Json;

import java.util.List;

/**
 * One task of the current or last attempt. The exit code is null while it runs or when it is lost.
 */
@Json
public record TaskBody(
        String task,
        String state,
        String node,
        List<Integer> gpus,
        Integer exitCode,
        String note) {}
