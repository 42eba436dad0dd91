package fairlead.api.clusters;

import io.avaje.jsonb.Json;

import java.util.List;

/**
 * The GPUs of a cluster over time.
 *
 * @param runs in no order
 * @param notes what it may lack
 */
@Json
public record TimelineBody(
        String cluster, String from, String now, List<RunBody> runs, List<String> notes) {}
