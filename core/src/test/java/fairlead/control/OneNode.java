package fairlead.control;

import fairlead.cluster.Gpu;
import fairlead.cluster.Node;
import fairlead.cluster.Rules;
import fairlead.engine.Observation;
import fairlead.job.AttemptId;
import fairlead.job.Exit;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.Samples;
import fairlead.job.TaskId;
import fairlead.journal.Fact;
import fairlead.journal.ForwardingJournal;
import fairlead.journal.JournalException;
import fairlead.journal.MemoryJournal;
import fairlead.policies.Policies;
import fairlead.policy.Policy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/**
 * A controller with one node of two GPUs, whose journal can run out of disk, at a time that a test
 * sets.
 */
abstract class OneNode {
    static final Node TWO_GPUS =
            new Node(
                    "node-a",
                    List.of(new Gpu(0, "declared", 0), new Gpu(1, "declared", 0)),
                    4,
                    1L << 33,
                    true);

    static final JobSpec ONE_GPU = Samples.spec(Samples.role("main", 1, 1));

    static final JobSpec ONE_MINUTE =
            Samples.spec(0, 3, Optional.of(Duration.ofMinutes(1)), Samples.role("main", 1, 1));

    final MemoryJournal journal = new MemoryJournal();

    Instant now = Samples.NOON;

    FillingJournal disk;

    Controller controller = start(Policies.byName("fair"));

    /** A journal whose disk can be full. */
    final class FillingJournal extends ForwardingJournal {
        boolean failing;

        FillingJournal() {
            super(journal);
        }

        @Override
        public void commit(List<Fact> facts, Collection<Job> changed) throws JournalException {
            if (failing) throw new JournalException("the disk is full", null);
            super.commit(facts, changed);
        }
    }

    Controller start(Policy policy) {
        return start(policy, Duration.ZERO, Map.of());
    }

    Controller start(Policy policy, Duration jump, Map<AttemptId, Duration> before) {
        try {
            disk = new FillingJournal();
            var fresh =
                    new Controller(
                            disk,
                            List.of(new Cluster("local", policy)),
                            Rules.NONE,
                            new SplittableRandom(1),
                            jump,
                            before,
                            MemoryBounds.NONE);
            fresh.tick(now, List.of(new Message.NodesSeen("local", List.of(TWO_GPUS))));
            return fresh;
        } catch (JournalException broken) {
            throw new IllegalStateException(broken);
        }
    }

    Tick tick(Message... messages) throws JournalException {
        return controller.tick(now, List.of(messages));
    }

    static Message.Submit submitMessage(
            String owner,
            Optional<String> request,
            CompletableFuture<Message.Submitted> answer,
            JobSpec... specs) {
        return new Message.Submit(
                owner, List.of(specs), request, OptionalInt.empty(), List.of(), answer);
    }

    Message.Submitted request(String owner, String request, JobSpec... specs) throws Exception {
        var answer = new CompletableFuture<Message.Submitted>();
        tick(submitMessage(owner, Optional.of(request), answer, specs));
        return answer.get();
    }

    JobId submit(String owner, JobSpec spec) throws Exception {
        var answer = new CompletableFuture<Message.Submitted>();
        tick(submitMessage(owner, Optional.empty(), answer, spec));
        return answer.get().jobs().getFirst();
    }

    CompletableFuture<Job> cancel(JobId id) throws JournalException {
        var answer = new CompletableFuture<Job>();
        tick(new Message.Cancel(id, "ann", answer));
        return answer;
    }

    CompletableFuture<List<JobId>> delete(JobId id) throws JournalException {
        var answer = new CompletableFuture<List<JobId>>();
        tick(new Message.Delete(List.of(id), answer));
        return answer;
    }

    Job job(JobId id) {
        return controller.unfinished(id).orElseThrow();
    }

    List<String> history(JobId id) {
        var names = new ArrayList<String>();
        journal.history(id).forEach(fact -> names.add(fact.event().getClass().getSimpleName()));
        return names;
    }

    static Observation seen(AttemptId attempt, Map<TaskId, Exit> exits) {
        return new Observation(attempt, true, exits);
    }
}
