package fairlead.bench;

import fairlead.cluster.View;
import fairlead.policies.Policies;
import fairlead.policy.Plan;
import fairlead.policy.Policy;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;

/**
 * What one plan costs its thread in processor time, which a machine that does other work besides
 * does not lengthen as it does the time on the clock. Without what the garbage collector and the
 * compiler do meanwhile on threads of their own.
 */
final class PlanCpuTime {
    /** Until the compiler has seen enough. */
    private static final int WARM_UP_PLANS = 100;

    private static final int PLANS = 41;

    private PlanCpuTime() {}

    /** Prints a row of Markdown for each seed: {@code NODES CLUSTER SEED...} */
    public static void main(String[] arguments) {
        int nodes = Integer.parseInt(arguments[0]);
        String cluster = arguments[1];
        for (String seed : List.of(arguments).subList(2, arguments.length)) {
            View view = Crowd.view(cluster, nodes, Long.parseLong(seed));
            long[] nanos = new long[PLANS];
            for (int i = 0; i < WARM_UP_PLANS; i++) cpuNanos(view);
            for (int i = 0; i < PLANS; i++) nanos[i] = cpuNanos(view);
            Arrays.sort(nanos);
            Plan plan = Policies.byName("fair").plan(view);
            System.out.printf(
                    "| %,d | %s | %s | %d | %d | %.1f ms | %.1f ms |%n",
                    nodes,
                    cluster,
                    seed,
                    plan.starts().size(),
                    plan.preempts().size(),
                    nanos[PLANS / 2] / 1e6,
                    nanos[PLANS * 9 / 10] / 1e6);
        }
    }

    private static long cpuNanos(View view) {
        Policy fair = Policies.byName("fair");
        var threads = ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadCpuTime();
        fair.plan(view);
        return threads.getCurrentThreadCpuTime() - before;
    }
}
