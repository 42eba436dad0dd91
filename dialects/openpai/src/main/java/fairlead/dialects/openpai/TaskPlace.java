package fairlead.dialects.openpai;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where one task of an attempt runs.
 *
 * @param containerId names this run of the task
 * @param ports those it has got, by label
 */
public record TaskPlace(
        String role, int index, String ip, String containerId, Map<String, List<Integer>> ports) {
    public TaskPlace {
        var copy = new LinkedHashMap<String, List<Integer>>();
        ports.forEach((label, list) -> copy.put(label, List.copyOf(list)));
        ports = Collections.unmodifiableMap(copy);
    }

    /** The ports of a label, joined by commas. */
    String portList(String label) {
        var list = new StringBuilder();
        for (int port : ports.get(label)) list.append(list.isEmpty() ? "" : ",").append(port);
        return list.toString();
    }

    String firstPort(String label) {
        return ports.get(label).getFirst().toString();
    }
}
