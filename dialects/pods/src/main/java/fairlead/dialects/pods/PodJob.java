package fairlead.dialects.pods;

import fairlead.api.spec.SpecBody;

import java.util.List;
import java.util.Map;

/**
 * The job that a pod file asks for.
 *
 * @param user whose the file says it is; null where it says nothing
 * @param lines where the fields of the spec come from, by their paths
 */
public record PodJob(
        SpecBody spec, String user, Map<String, Integer> lines, List<Remark> remarks) {}
