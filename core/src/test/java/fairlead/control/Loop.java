package fairlead.control;

import fairlead.cluster.Gpu;
import fairlead.cluster.Node;
import fairlead.cluster.Rules;
import fairlead.engine.Observation;
import fairlead.job.AttemptId;
import fairlead.job.Event;
import fairlead.job.Exit;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.JobState;
import fairlead.job.Samples;
import fairlead.job.TaskId;
import fairlead.journal.JournalException;
import fairlead.journal.MemoryJournal;
import fairlead.policies.Policies;
import fairlead.policy.Policy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * A controller with one node, of two GPUs unless a test says otherwise, at a time that a test sets.
 */
final class Loop {
    final MemoryJournal journal = new MemoryJournal();
    private final int gpus;
    Controller controller;
    Instant now = Samples.NOON;

    Loop() throws JournalException {
        this(Policies.byName("fair"), new SplittableRandom(1));
    }

    Loop(Policy policy, RandomGenerator dice) throws JournalException {
        this(policy, dice, 2);
    }

    Loop(Policy policy, RandomGenerator dice, int gpus) throws JournalException {
        this.gpus = gpus;
        restart(policy, dice);
    }

    /** Takes up the journal as a new server would. */
    void restart() throws JournalException {
        restart(Policies.byName("fair"), new SplittableRandom(2));
    }

    private void restart(Policy policy, RandomGenerator dice) throws JournalException {
        var clusters = List.of(new Cluster("local", policy));
        controller = new Controller(journal, clusters, Rules.NONE, dice);
        List<Gpu> all = IntStream.range(0, gpus).mapToObj(i -> new Gpu(i, "declared", 0)).toList();
        tick(new Message.NodesSeen("local", List.of(new Node("node", all, 4, 0, true))));
    }

    Tick tick(Message... messages) throws JournalException {
        return controller.tick(now, List.of(messages));
    }

    Tick after(long seconds) throws JournalException {
        now = now.plusSeconds(seconds);
        return tick();
    }

    CompletableFuture<Message.Submitted> submit(String owner, List<JobSpec> specs)
            throws JournalException {
        var answer = new CompletableFuture<Message.Submitted>();
        tick(
                new Message.Submit(
                        owner, specs, Optional.empty(), OptionalInt.empty(), List.of(), answer));
        return answer;
    }

    JobId submit(JobSpec spec) throws Exception {
        return submit("ann", List.of(spec)).get().jobs().getFirst();
    }

    /** The engine shows every attempt running, and these of the job's tasks ended. */
    Tick observe(JobId ended, Map<TaskId, Exit> exits) throws JournalException {
        var seen = new ArrayList<Observation>();
        for (Job job : controller.unfinished()) {
            if (!(job.state() instanceof JobState.Active alive)) continue;
            seen.add(
                    new Observation(
                            alive.attempt().id(), true, job.id().equals(ended) ? exits : Map.of()));
        }
        return tick(new Message.Observed("local", seen, Long.MAX_VALUE));
    }

    JobId running(JobSpec spec) throws Exception {
        JobId id = submit(spec);
        observe(id, Map.of());
        return id;
    }

    /** What the script of the first attempt says. */
    CompletableFuture<Job> report(JobId job, Function<Instant, Event.Report> fact)
            throws JournalException {
        var answer = new CompletableFuture<Job>();
        tick(new Message.Trained(first(job), fact, answer));
        return answer;
    }

    static AttemptId first(JobId job) {
        return new AttemptId(job, 1);
    }

    Job job(JobId id) {
        return controller.unfinished(id).orElseThrow();
    }

    List<String> history(JobId id) {
        return journal.history(id).stream()
                .map(fact -> fact.event().getClass().getSimpleName())
                .toList();
    }
}
