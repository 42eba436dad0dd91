package fairlead.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.job.AttemptId;
import fairlead.job.Exit;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.JobSpec.After.Until;
import fairlead.job.JobState;
import fairlead.job.TaskId;
import fairlead.journal.JournalException;
import fairlead.policies.Policies;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Jobs that wait for other jobs. There are two GPUs, so a job that waits is free to start. */
class DependentsTest extends OneNode {
    private static JobSpec after(Until until, String... jobs) {
        return ONE_GPU.with(
                edit ->
                        edit.after =
                                Arrays.stream(jobs)
                                        .map(job -> new JobSpec.After(job, until))
                                        .toList());
    }

    private void run(JobId id) throws JournalException {
        tick(new Message.Observed("local", List.of(seen(new AttemptId(id, 1), Map.of())), 0));
    }

    private void end(JobId id, int code) throws JournalException {
        var exits = Map.of(new TaskId("main", 0), Exit.of(code, now));
        tick(new Message.Observed("local", List.of(seen(new AttemptId(id, 1), exits)), 0));
    }

    private JobId[] array(int size) throws Exception {
        var answer = new CompletableFuture<Message.Submitted>();
        tick(
                new Message.Submit(
                        "ann",
                        Collections.nCopies(size, ONE_GPU),
                        Optional.empty(),
                        OptionalInt.of(0),
                        List.of(),
                        answer));
        return answer.get().jobs().toArray(JobId[]::new);
    }

    private String word(JobId id) {
        return journal.find(id).orElseThrow().state().word();
    }

    @ParameterizedTest
    @CsvSource({
        "STARTED, starting, starting",
        "SUCCEEDED, queued, starting",
        "ENDED, queued, starting"
    })
    void aJobIsInTheQueueOnceTheOtherHasComeSoFar(Until until, String running, String over)
            throws Exception {
        JobId first = submit("ann", ONE_GPU);
        JobId second = submit("ann", after(until, first.text()));
        assertTrue(job(second).isHeld());
        assertEquals(List.of(), controller.view("local").queues(), "it is in nobody's way");
        run(first);
        assertEquals(running, word(second));
        end(first, 0);
        assertEquals(over, word(second));
    }

    @ParameterizedTest
    @CsvSource({"STARTED, starting", "SUCCEEDED, cancelled", "ENDED, starting"})
    void aFailureEndsWhoeverWaitsForASuccess(Until until, String word) throws Exception {
        JobId first = submit("ann", ONE_GPU);
        JobId second = submit("ann", after(until, first.text()));
        JobId third = submit("ann", after(Until.SUCCEEDED, second.text()));
        end(first, 7);
        assertEquals(word, word(second));
        assertEquals(word.equals("cancelled") ? "cancelled" : "queued", word(third));
        if (!word.equals("cancelled")) return;
        var over = (JobState.Finished) journal.find(third).orElseThrow().state();
        assertEquals(
                "it was to run once " + second + " has succeeded, which can no longer happen",
                over.outcome().reason());
    }

    @Test
    void allMustHaveComeSoFar() throws Exception {
        JobId one = submit("ann", ONE_GPU);
        JobId two = submit("ann", ONE_GPU);
        JobId last = submit("ann", after(Until.SUCCEEDED, one.text(), two.text()));
        end(one, 0);
        assertTrue(job(last).isHeld());
        delete(one).get();
        controller = start(Policies.byName("fair"));
        assertTrue(job(last).isHeld(), "also after a restart, and when the first is forgotten");
        end(two, 0);
        assertInstanceOf(JobState.Starting.class, job(last).state());
        assertEquals(List.of("Submitted", "Released", "AttemptPlaced"), history(last));
    }

    @Test
    void anArrayIsWaitedForAsAWhole() throws Exception {
        JobId[] jobs = array(3);
        String array = job(jobs[0]).array().orElseThrow().array();
        JobId last = submit("ann", after(Until.ENDED, array));
        JobId strict = submit("ann", after(Until.SUCCEEDED, array));
        end(jobs[0], 0);
        end(jobs[1], 7);
        assertEquals("cancelled", word(strict), "one of them has failed");
        assertTrue(job(last).isHeld());
        assertEquals(1, controller.awaited(job(last).spec().after().getFirst()).size());
        end(jobs[2], 0);
        assertInstanceOf(JobState.Starting.class, job(last).state());
    }

    @Test
    void whatHasEndedIsNotWaitedFor() throws Exception {
        JobId good = submit("ann", ONE_GPU);
        end(good, 0);
        JobId bad = submit("ann", ONE_GPU);
        end(bad, 7);
        JobId next = submit("ann", after(Until.SUCCEEDED, good.text()));
        assertInstanceOf(JobState.Starting.class, job(next).state());
        assertRefused(Refused.Kind.CONFLICT, after(Until.SUCCEEDED, bad.text()));
        assertRefused(Refused.Kind.NOT_FOUND, after(Until.ENDED, "nosuch_1_00000001"));
    }

    private void assertRefused(Refused.Kind kind, JobSpec spec) {
        var thrown = assertThrows(ExecutionException.class, () -> submit("ann", spec));
        assertEquals(kind, ((Refused) thrown.getCause()).kind(), thrown.getMessage());
    }

    @Test
    void whoIsHeldCanBeCancelledAndAFullDiskForgetsNothing() throws Exception {
        JobId first = submit("ann", ONE_GPU);
        JobId second = submit("ann", after(Until.ENDED, first.text()));
        JobId third = submit("ann", after(Until.ENDED, second.text()));
        disk.failing = true;
        assertThrows(JournalException.class, () -> end(first, 0));
        disk.failing = false;
        assertTrue(job(second).isHeld());
        cancel(second).get();
        assertInstanceOf(JobState.Starting.class, job(third).state(), "it has ended");
    }
}
