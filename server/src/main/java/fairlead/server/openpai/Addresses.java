package fairlead.server.openpai;

import fairlead.control.Controller;
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
record Addresses(Controller controller, Predicate<String> isHere) {
    private static final String HERE = "127.0.0.1";

    /** As the tasks know each other; the node's name where only the engine knows more. */
    String ip(Job job, TaskPlacement task) {
        return isHere.test(job.spec().cluster()) ? HERE : task.node();
    }

    /**
     * The ports of a task by label. They go back when the attempt ends; from then on only those are
     * known that the role has fixed.
     */
    Map<String, List<Integer>> ports(Job job, TaskPlacement task, int rank) {
        Optional<TaskPorts> told = controller.ports(job);
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
