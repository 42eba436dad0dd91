package fairlead.bench;

import fairlead.cluster.View;
import fairlead.policies.Policies;
import fairlead.policy.Explanation;
import fairlead.policy.Plan;
import fairlead.policy.Policy;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One plan of the fair policy over a large view. How long it takes depends on the crowd, so there
 * are several seeds: a plan that stops jobs is tried out, and made anew if it stops some in vain.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 3)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xmx1g", "-XX:ActiveProcessorCount=2"})
public class PlanBenchmark {
    @Param({"1000", "10000"})
    public int nodes;

    @Param({"full", "freed", "lent"})
    public String cluster;

    @Param({"1", "2", "3"})
    public long seed;

    private final Policy fair = Policies.byName("fair");
    private View view;

    @Setup
    public void fill() {
        view = Crowd.view(cluster, nodes, seed);
        Plan plan = fair.plan(view);
        System.out.printf(
                "# %d run, %d start, %d preempted%n",
                view.active().size(), plan.starts().size(), plan.preempts().size());
    }

    @Benchmark
    public Plan plan() {
        return fair.plan(view);
    }

    @Benchmark
    public List<Explanation> explain() {
        return fair.explain(view);
    }
}
