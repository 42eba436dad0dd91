package fairlead.engine;

import fairlead.job.Effect;

import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Variables that the tasks of some jobs find beside Fairlead's own, such as those of the system
 * that their job file comes from. They follow from the launch alone, so that a repeated launch
 * gives the same ones.
 */
@FunctionalInterface
public interface MoreVariables {
    MoreVariables NONE = (_, _, _) -> _ -> Map.of();

    /**
     * By rank, for the tasks of one attempt. A name may be one that shells do not take, such as
     * {@code a.b}, but has no {@code =}.
     *
     * @param hosts where each task is found by the others, in the order of the placement
     */
    IntFunction<Map<String, String>> of(Effect.Launch launch, List<String> hosts, TaskPorts ports);
}
