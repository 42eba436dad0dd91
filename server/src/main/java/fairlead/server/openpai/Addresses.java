package fairlead.server.openpai;

import fairlead.engine.TaskPorts;
import fairlead.job.Job;
import fairlead.job.Role;
import fairlead.job.TaskPlacement;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Where tasks are reached. Any thread.
 *
 * @param isHere whether the tasks of a cluster run on this machine
 */
record Addresses(Predicate<String> isHere) {
    private static final String HERE = "127.0.0.1";

    /** What the engine has reported; until then the node's name for tasks of other machines. */
    String ip(Job job, TaskPlacement task, int rank) {
        if (isHere.test(job.spec().cluster())) return HERE;
        List<String> hosts =
                job.attempt().map(attempt -> attempt.endpoints().hosts()).orElse(List.of());
        return rank < hosts.size() ? hosts.get(rank) : task.node();
    }

    /** The ports of a task by label; before it runs only those are known that its role fixes. */
    Map<String, List<Integer>> ports(Job job, TaskPlacement task, int rank) {
        Optional<TaskPorts> told = TaskPorts.of(job);
        if (told.isPresent()) return told.get().of(rank);
        var fixed = new LinkedHashMap<String, List<Integer>>();
        for (Role.Ports each : job.spec().role(task.task().role()).ports()) {
            if (!each.isFixed()) continue;
            fixed.put(
                    each.label(),
                    IntStream.range(0, each.count()).mapToObj(i -> each.first() + i).toList());
        }
        return fixed;
    }
}
