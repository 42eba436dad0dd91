package fairlead.bench;

import fairlead.control.Cluster;
import fairlead.control.Controller;
import fairlead.control.Message;
import fairlead.control.Tick;
import fairlead.journal.JournalException;
import fairlead.journal.MemoryJournal;
import fairlead.policies.Policies;

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
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** A tick of the real controller into which nothing came. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 3, time = 2)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xmx1g", "-XX:ActiveProcessorCount=2"})
public class IdleTickBenchmark {
    @Param({"10000", "100000"})
    public int waiting;

    private Controller controller;

    @Setup
    public void fill() throws JournalException {
        var crowd = new Crowd(waiting / 10, 1);
        crowd.fill();
        crowd.wait(waiting);
        var journal = new MemoryJournal();
        journal.commit(List.of(), crowd.jobs());
        crowd.rules().projects().values().forEach(journal::keep);
        controller =
                new Controller(
                        journal,
                        List.of(new Cluster(Crowd.CLUSTER, Policies.byName("fair"))),
                        crowd.rules(),
                        new SplittableRandom(1));
        controller.tick(Crowd.NOON, List.of(new Message.NodesSeen(Crowd.CLUSTER, crowd.nodes())));
    }

    @Benchmark
    public Tick idleTick() throws JournalException {
        return controller.tick(Crowd.NOON, List.of());
    }
}
