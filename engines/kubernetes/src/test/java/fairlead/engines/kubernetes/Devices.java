package fairlead.engines.kubernetes;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The GPUs of a node, handed out whole to pods, as NVIDIA's device plugin does. Any thread. */
final class Devices {
    private final List<String> free;
    private final int total;
    private final Map<String, List<String>> held = new HashMap<>();

    Devices(List<String> uuids) {
        free = new ArrayList<>(uuids);
        total = uuids.size();
    }

    /** Empty: there are not so many free. A pod that has some keeps them. */
    synchronized Optional<List<String>> take(String pod, int count) {
        if (held.containsKey(pod)) return Optional.of(held.get(pod));
        if (count > free.size()) return Optional.empty();
        var taken = List.copyOf(free.subList(0, count));
        free.subList(0, count).clear();
        held.put(pod, taken);
        return Optional.of(taken);
    }

    synchronized void giveBack(String pod) {
        var back = held.remove(pod);
        if (back != null) free.addAll(back);
    }

    synchronized int available() {
        return free.size();
    }

    int total() {
        return total;
    }
}
