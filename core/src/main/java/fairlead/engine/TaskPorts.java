package fairlead.engine;

import fairlead.job.Effect;
import fairlead.job.Job;
import fairlead.job.Role;
import fairlead.job.TaskPlacement;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The ports of an attempt's tasks by their labels: those that a role has fixed, and for the others
 * any that the engine has found.
 */
public final class TaskPorts {
    private final List<Map<String, List<Integer>>> ofRank = new ArrayList<>();

    /**
     * @param any as many as {@link #anyFor} says, in the order of tasks and of the ports of their
     *     roles
     */
    public TaskPorts(Effect.Launch launch, List<Integer> any) {
        Iterator<Integer> next = any.iterator();
        for (TaskPlacement task : launch.place().placement().tasks()) {
            var ports = new LinkedHashMap<String, List<Integer>>();
            for (Role.Ports each : role(launch, task).ports()) {
                ports.put(
                        each.label(),
                        IntStream.range(0, each.count())
                                .mapToObj(i -> each.isFixed() ? each.first() + i : next.next())
                                .toList());
            }
            ofRank.add(ports);
        }
    }

    /**
     * Those of a job's current or last attempt, also after its end: an engine reports them once the
     * attempt runs. Ports that are all fixed are known as soon as there is an attempt.
     */
    public static Optional<TaskPorts> of(Job job) {
        return job.attempt().flatMap(attempt -> told(new Effect.Launch(job, attempt)));
    }

    private static Optional<TaskPorts> told(Effect.Launch launch) {
        List<Integer> numbers = launch.place().endpoints().ports();
        return numbers.size() < TaskEnvironment.portsFor(launch)
                ? Optional.empty()
                : Optional.of(TaskEnvironment.named(launch, numbers));
    }

    /** How many ports an attempt needs of which any will do. */
    public static int anyFor(Effect.Launch launch) {
        return launch.place().placement().tasks().stream()
                .flatMap(task -> role(launch, task).ports().stream())
                .filter(each -> !each.isFixed())
                .mapToInt(Role.Ports::count)
                .sum();
    }

    private static Role role(Effect.Launch launch, TaskPlacement task) {
        return launch.job().spec().role(task.task().role());
    }

    /** In the order of the role; none for a role without ports. */
    public Map<String, List<Integer>> of(int rank) {
        return ofRank.get(rank);
    }
}
