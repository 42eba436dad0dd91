package fairlead.bench;

import fairlead.cluster.Rules;
import fairlead.control.Cluster;
import fairlead.control.Controller;
import fairlead.control.Message;
import fairlead.control.Owed;
import fairlead.control.Tick;
import fairlead.engine.Observation;
import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.Event;
import fairlead.job.Exit;
import fairlead.job.JobId;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;
import fairlead.journal.Fact;
import fairlead.journal.JournalException;
import fairlead.journal.MemoryJournal;
import fairlead.policies.Policies;

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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Whole ticks of the real controller on 5,000 full nodes of 8 GPUs: in each a look at the engine
 * shows every running gang and that the oldest ones have ended, as many new ones are submitted, and
 * others start in the freed places. All that a server does for them is in it (messages, view, plan,
 * plan check, facts, publishing), except for the disk: the journal is in memory. Read {@code
 * gangs}: decisions in a second.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 3)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xmx1g", "-XX:ActiveProcessorCount=2"})
public class GangTickBenchmark {
    private static final int NODES = 5_000;

    /** Waiting and running together; the nodes hold about 1,800 of them at once. */
    private static final int GANGS = 5_000;

    private static final int ENDS_PER_TICK = 100;

    private final Gangs gangs = new Gangs();
    private final MemoryJournal journal = new MemoryJournal();

    /** What the engine runs, oldest first. */
    private final LinkedHashMap<AttemptId, Attempt> running = new LinkedHashMap<>();

    private Controller controller;
    private Instant now = Crowd.NOON;
    private long acknowledged;

    /** What the next tick will take in from the engine, besides its looks. */
    private final List<Message> answers = new ArrayList<>();

    /** Gangs that ended in the last tick, whose records are then dropped, as retention does. */
    private final List<JobId> ended = new ArrayList<>();

    @Setup
    public void fill() throws JournalException {
        controller =
                new Controller(
                        journal,
                        List.of(new Cluster(Crowd.CLUSTER, Policies.byName("fair"))),
                        Rules.NONE,
                        new SplittableRandom(1));
        var first = new ArrayList<Message>();
        first.add(new Message.NodesSeen(Crowd.CLUSTER, Crowd.nodes(NODES)));
        for (int i = 0; i < GANGS; i++) first.add(submit());
        carryOut(controller.tick(now, first));
        System.out.printf("# %d of %d gangs run%n", running.size(), GANGS);
    }

    @Benchmark
    public Tick gangTicks(Placed placed) throws JournalException {
        now = now.plusSeconds(1);
        journal.delete(ended);
        ended.clear();
        List<Message> messages = new ArrayList<>(answers);
        answers.clear();
        messages.add(look());
        for (int i = 0; i < ended.size(); i++) messages.add(submit());
        Tick tick = controller.tick(now, messages);
        for (Fact fact : tick.facts()) {
            if (fact.event() instanceof Event.AttemptPlaced) placed.gangs++;
        }
        carryOut(tick);
        return tick;
    }

    private Message submit() {
        return new Message.Submit(
                gangs.owner(),
                List.of(gangs.spec()),
                Optional.empty(),
                OptionalInt.empty(),
                List.of(),
                new CompletableFuture<>());
    }

    /** Every gang as its engine shows it; the oldest have just ended well. */
    private Message look() {
        var seen = new ArrayList<Observation>(running.size());
        for (Attempt attempt : running.values()) {
            Map<TaskId, Exit> exits = Map.of();
            if (ended.size() < ENDS_PER_TICK) {
                exits = new HashMap<>();
                for (TaskPlacement task : attempt.placement().tasks()) {
                    exits.put(task.task(), Exit.of(0, now));
                }
                ended.add(attempt.id().job());
            }
            seen.add(new Observation(attempt.id(), true, exits));
        }
        return new Message.Observed(Crowd.CLUSTER, seen, acknowledged);
    }

    /** The engine does at once what is owed to it. */
    private void carryOut(Tick tick) {
        for (Owed owed : tick.owed()) {
            switch (owed.effect()) {
                case Effect.Launch launch -> running.put(launch.attempt(), launch.place());
                case Effect.Forget forget -> running.remove(forget.attempt());
                case Effect.Stop stop ->
                        throw new IllegalStateException("nobody asked for the stop of " + stop);
            }
            answers.add(new Message.Acknowledged(owed.effect(), ++acknowledged));
        }
    }
}
