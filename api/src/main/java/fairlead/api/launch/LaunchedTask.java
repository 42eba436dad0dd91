package fairlead.api.launch;

import java.util.List;
import java.util.Map;

/**
 * One task of an attempt.
 *
 * @param host where the other tasks find it; empty for one that nobody has to find
 * @param ports those it has got, by label
 */
public record LaunchedTask(String role, int index, String host, Map<String, List<Integer>> ports) {}
