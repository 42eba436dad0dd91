package fairlead.job;

import java.util.Comparator;

/**
 * On what a training job has run: this decides its speed.
 *
 * @param tasks nodes, as each task of a training job has one
 * @param gpus of all tasks together
 * @param shared whether others could use the same GPU
 */
public record Setup(int tasks, int gpus, boolean shared) implements Comparable<Setup> {
    private static final Comparator<Setup> ORDER =
            Comparator.comparingInt(Setup::gpus)
                    .thenComparingInt(Setup::tasks)
                    .thenComparing(Setup::shared);

    public static Setup of(Placement placement) {
        int gpus = 0;
        boolean shared = false;
        for (TaskPlacement task : placement.tasks()) {
            gpus += task.shares().size();
            shared |= task.shares().stream().anyMatch(share -> !share.isWhole());
        }
        return new Setup(placement.tasks().size(), gpus, shared);
    }

    @Override
    public int compareTo(Setup other) {
        return ORDER.compare(this, other);
    }
}
