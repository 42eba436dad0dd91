package fairlead.job;

import java.util.List;

/** Where every task of an attempt runs, in the order of the spec's roles. */
public record Placement(List<TaskPlacement> tasks) {
    public Placement {
        tasks = List.copyOf(tasks);
        if (tasks.isEmpty()) throw new IllegalArgumentException("a placement without tasks");
    }
}
