package fairlead.job;

import java.util.Comparator;

/**
 * On what a training job has run: this decides its speed.
 *
 * @param tasks nodes, as each task of a training job has one
 * @param gpus of all tasks together
 * @param beside the scripts that used the same GPU; empty when it was alone
 */
public record Setup(int tasks, int gpus, String beside) implements Comparable<Setup> {
    public static final String ALONE = "";

    private static final Comparator<Setup> ORDER =
            Comparator.comparingInt(Setup::gpus)
                    .thenComparingInt(Setup::tasks)
                    .thenComparing(Setup::beside);

    /** One task for each node, with so many GPUs in all, and nobody beside it. */
    public static Setup alone(int tasks, int gpus) {
        return new Setup(tasks, gpus, ALONE);
    }

    public static Setup alone(Placement placement) {
        return of(placement, ALONE);
    }

    static Setup of(Placement placement, String beside) {
        int gpus = 0;
        for (TaskPlacement task : placement.tasks()) gpus += task.shares().size();
        return new Setup(placement.tasks().size(), gpus, beside);
    }

    public boolean isShared() {
        return !beside.isEmpty();
    }

    @Override
    public int compareTo(Setup other) {
        return ORDER.compare(this, other);
    }
}
