package fairlead.api.clusters;

import io.avaje.jsonb.Json;

import java.util.List;

/**
 * GPUs of a node that a job had, has, or will most likely have, for a time.
 *
 * @param gpus their numbers on the node
 * @param start since when, or from when on
 * @param end null while it goes on, and where nobody can say when it will end
 * @param planned whether it has not begun yet; its start is then the most likely one
 * @param expectedEnd of one that goes on, when it is expected to end; null where nobody can say
 */
@Json
public record RunBody(
        String job,
        String owner,
        String state,
        String node,
        List<Integer> gpus,
        String start,
        String end,
        boolean planned,
        String expectedEnd) {}
