package fairlead.bench;

import fairlead.cluster.ClusterState;
import fairlead.cluster.View;
import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobMachine;
import fairlead.policies.Policies;
import fairlead.policy.Plan;
import fairlead.policy.Policy;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Gangs placed by the policy alone on 5,000 nodes of 8 GPUs: all of them in one plan on an empty
 * cluster, and a few in each plan of a full one whose oldest gangs end. Read {@code gangs}:
 * decisions in a second.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 3)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xmx1g", "-XX:ActiveProcessorCount=2"})
public class GangBenchmark {
    private static final int NODES = 5_000;
    private static final int GANGS = 5_000;
    private static final int ENDS_PER_TICK = 100;

    private final Policy fair = Policies.byName("fair");
    private final Gangs gangs = new Gangs();
    private View empty;
    private ClusterState busy;
    private final Map<JobId, Job> jobs = new HashMap<>();
    private final ArrayDeque<JobId> running = new ArrayDeque<>();
    private Instant now = Crowd.NOON;

    @Setup
    public void fill() {
        var state = new ClusterState();
        state.nodes(Crowd.nodes(NODES));
        for (int i = 0; i < GANGS; i++) state.change(Optional.empty(), Optional.of(gangs.next()));
        empty = state.view(now);

        busy = new ClusterState();
        busy.nodes(Crowd.nodes(NODES));
        for (int i = 0; i < GANGS; i++) submit();
        start(fair.plan(busy.view(now)));
    }

    @Benchmark
    public Plan oneLargePlan(Placed placed) {
        Plan plan = fair.plan(empty);
        placed.gangs += plan.starts().size();
        return plan;
    }

    /** Ends, submits, the view, the plan and its starts, without a controller around them. */
    @Benchmark
    public Plan freedGangs(Placed placed) {
        now = now.plusSeconds(1);
        for (int i = 0; i < ENDS_PER_TICK && !running.isEmpty(); i++) {
            busy.change(Optional.of(jobs.remove(running.poll())), Optional.empty());
        }
        while (jobs.size() < GANGS) submit();
        Plan plan = fair.plan(busy.view(now));
        start(plan);
        placed.gangs += plan.starts().size();
        return plan;
    }

    private void submit() {
        Job gang = gangs.next();
        jobs.put(gang.id(), gang);
        busy.change(Optional.empty(), Optional.of(gang));
    }

    private void start(Plan plan) {
        for (Plan.Start start : plan.starts()) {
            Job before = jobs.get(start.job());
            var attempt = new Attempt(new AttemptId(start.job(), 1), start.placement());
            Job placed = JobMachine.next(before, new Event.AttemptPlaced(now, attempt));
            Job after = JobMachine.next(placed, new Event.AttemptStarted(now, attempt.id()));
            busy.change(Optional.of(before), Optional.of(after));
            jobs.put(after.id(), after);
            running.add(after.id());
        }
    }
}
