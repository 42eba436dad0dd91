package fairlead.server.openpai;

import fairlead.control.Controller;
import fairlead.job.Project;
import fairlead.job.Resources;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Projects seen as virtual clusters: shares of a cluster in percent instead of GPUs. What is
 * promised stays a whole number of GPUs. A percentage is rounded to the nearest one, a half down,
 * and is shown with two decimals, so that what was read can be written back without a change.
 *
 * @param gpus of the cluster
 * @param projects all of them, by name
 */
record VirtualClusters(int gpus, Map<String, Project> projects) {
    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);
    private static final int DECIMALS = 2;

    static VirtualClusters of(Controller controller, String cluster) {
        int gpus =
                controller.view(cluster).nodes().stream()
                        .mapToInt(node -> node.node().gpus().size())
                        .sum();
        return new VirtualClusters(gpus, all(controller));
    }

    /** Also the one that exists without being made. */
    static Map<String, Project> all(Controller controller) {
        var all = new TreeMap<>(controller.rules().projects());
        all.putIfAbsent(Project.DEFAULT, Project.named(Project.DEFAULT));
        return all;
    }

    static Project with(Project project, String member) {
        var members = new TreeSet<>(project.members());
        members.add(member);
        return project.withMembers(members);
    }

    static Project without(Project project, String member) {
        var members = new TreeSet<>(project.members());
        members.remove(member);
        return project.withMembers(members);
    }

    /** GPUs that no project has a promise of, but {@code default} and this one. */
    int left(String name) {
        int promised = 0;
        for (Project project : projects.values()) {
            boolean counts =
                    !project.name().equals(Project.DEFAULT) && !project.name().equals(name);
            if (counts) promised += project.quota().orElse(0);
        }
        return Math.max(0, gpus - promised);
    }

    /** What a share of the cluster is in GPUs; empty: none. Any share of no GPUs is none. */
    OptionalInt quota(String name, BigDecimal percent) {
        if (gpus == 0) return OptionalInt.empty();
        int nearest =
                percent.multiply(BigDecimal.valueOf(gpus))
                        .divide(HUNDRED)
                        .setScale(0, RoundingMode.HALF_DOWN)
                        .intValueExact();
        int left = left(name);
        if (nearest > left || left == 0 && percent.signum() > 0)
            throw new PaiProblem(
                    PaiCode.NO_ENOUGH_QUOTA,
                    "No enough quota: %d of %d GPUs are left".formatted(left, gpus));
        return some(nearest);
    }

    /**
     * The quota of {@code default} once this project has so many GPUs: the rest. Where nobody has a
     * promise nothing is promised to it either, and everyone shares the cluster. While no GPU is
     * seen, as before a cluster is reached for the first time, it keeps what it has.
     */
    OptionalInt rest(String name, OptionalInt quota) {
        boolean isShared =
                quota.isEmpty()
                        && projects.values().stream()
                                .filter(project -> !project.name().equals(Project.DEFAULT))
                                .filter(project -> !project.name().equals(name))
                                .allMatch(project -> project.quota().isEmpty());
        if (isShared) return OptionalInt.empty();
        return gpus == 0
                ? projects.get(Project.DEFAULT).quota()
                : some(left(name) - quota.orElse(0));
    }

    /** A promise of no GPUs is none. */
    private static OptionalInt some(int gpus) {
        return gpus > 0 ? OptionalInt.of(gpus) : OptionalInt.empty();
    }

    /** What a project is promised, in percent of the cluster. */
    double capacity(Project project) {
        if (!project.name().equals(Project.DEFAULT))
            return percent(1_000L * project.quota().orElse(0));
        return gpus == 0 ? 100 : percent(1_000L * left(Project.DEFAULT));
    }

    /** Thousandths of a GPU in percent of the cluster. */
    double percent(long milliGpus) {
        if (gpus == 0) return 0;
        return BigDecimal.valueOf(milliGpus)
                .multiply(HUNDRED)
                .divide(
                        BigDecimal.valueOf((long) gpus * Resources.GPU),
                        DECIMALS,
                        RoundingMode.HALF_UP)
                .doubleValue();
    }
}
