package fairlead.bench;

import fairlead.cluster.View;
import fairlead.policy.Explanation;
import fairlead.policy.Plan;
import fairlead.policy.Policies;
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
 * One plan of the fair policy over a large view. In a {@code full} cluster nothing has ended; in a
 * {@code freed} one every hundredth job has just ended, and others start in its place; in a {@code
 * lent} one four of ten projects hold everything, and the owners of the rest want it back. How long
 * that takes depends on the crowd, so there are several seeds: trying out whether a stop would be
 * in vain costs as much as another plan.
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
    private static final int WAITING_PER_NODE = 10;

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
        var crowd = new Crowd(nodes, seed);
        if (cluster.equals("lent")) crowd.onlyLabs(4);
        crowd.fill();
        crowd.allLabs();
        if (cluster.equals("freed")) crowd.end(100);
        crowd.wait(WAITING_PER_NODE * nodes);
        view = crowd.view();
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
