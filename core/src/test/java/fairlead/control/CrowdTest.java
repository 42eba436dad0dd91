package fairlead.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import fairlead.cluster.Rules;
import fairlead.job.Footprint;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.journal.JournalException;
import fairlead.policies.Policies;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Goal: many jobs cost no more memory and no more commits than they must. */
class CrowdTest extends OneNode {
    @Test
    void jobsThatMemoryHasNoRoomForAreRefusedAndAnEndMakesRoom() throws Exception {
        long two = 2 * (Footprint.of(ONE_GPU) + Footprint.JOB_BYTES);
        var bounded =
                new Controller(
                        disk,
                        List.of(new Cluster("local", Policies.byName("fair"))),
                        Rules.NONE,
                        new SplittableRandom(1),
                        Duration.ZERO,
                        Map.of(),
                        new MemoryBounds(two, two));
        controller = bounded;
        JobId first = submit("ann", ONE_GPU);
        submit("ann", ONE_GPU);
        var answer = new CompletableFuture<Message.Submitted>();
        tick(submitMessage("ann", Optional.empty(), answer, ONE_GPU));
        var refusal = assertThrows(ExecutionException.class, answer::get);
        assertEquals(Refused.Kind.BUSY, ((Refused) refusal.getCause()).kind());
        assertEquals(2, controller.unfinished().size());
        // What is counted anew after a failure is what was counted before it.
        disk.failing = true;
        var lost = new CompletableFuture<Message.Submitted>();
        assertThrows(
                JournalException.class,
                () -> tick(new Message.Cancel(first, "ann", new CompletableFuture<>())));
        disk.failing = false;
        tick(submitMessage("ann", Optional.empty(), lost, ONE_GPU));
        assertThrows(ExecutionException.class, lost::get);
        cancel(first);
        submit("ann", ONE_GPU);
    }

    @Test
    void theJobsOfAnArrayShareTheirSpecAndRunWithTheirIndex() throws Exception {
        JobSpec sweep =
                ONE_GPU.withRoles(role -> role.running(List.of("echo", "{i}")))
                        .withEnvironment(Map.of("SEED", "s{i}"));
        var answer = new CompletableFuture<Message.Submitted>();
        tick(
                new Message.Submit(
                        "ann",
                        Collections.nCopies(3, sweep),
                        Optional.empty(),
                        OptionalInt.of(7),
                        List.of(),
                        answer));
        Job last = job(answer.get().jobs().getLast());
        assertSame(sweep, last.spec());
        assertEquals(List.of("echo", "9"), last.command());
        assertEquals(List.of("echo", "9"), last.ownSpec().roles().getFirst().command());
        assertEquals(Map.of("SEED", "s9"), last.ownSpec().environment());
        assertEquals("echo 9", last.script());
    }

    @Test
    void manyJobsAreCancelledInOneCommit() throws Exception {
        JobId runs = submit("ann", ONE_GPU);
        List<JobId> waiting = request("ann", "r1", ONE_GPU, ONE_GPU, ONE_GPU).jobs();
        cancel(waiting.get(2));
        var answer = new CompletableFuture<List<Job>>();
        Tick tick =
                tick(
                        new Message.CancelAll(
                                List.of(runs, waiting.get(0), waiting.get(1), waiting.get(2)),
                                "ann",
                                answer));
        assertEquals(
                List.of("stopping", "stopping", "cancelled"),
                answer.get().stream().map(job -> job.state().word()).toList());
        assertEquals(3, tick.facts().size(), "and what had ended is left alone");
    }
}
