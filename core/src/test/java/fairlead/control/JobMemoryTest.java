package fairlead.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.job.Event;
import fairlead.job.Footprint;
import fairlead.job.Job;
import fairlead.job.JobMachine;
import fairlead.job.JobSpec;
import fairlead.job.Samples;

import org.junit.jupiter.api.Test;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

class JobMemoryTest {
    private static final long MIB = 1 << 20;
    private static final JobSpec SMALL = Samples.spec(Samples.role("main", 1, 1));
    private static final JobSpec LARGE = SMALL.withEnvironment(Map.of("TEXT", "x".repeat(100_000)));

    private final JobMemory memory = new JobMemory(new MemoryBounds(10 * MIB, 6 * MIB));

    @Test
    void theJobsOfAnArrayCountTheirSpecOnce() {
        for (int i = 0; i < 1_000; i++) memory.add(Samples.job(i, "ann", LARGE));
        assertEquals(1_000L * Footprint.JOB_BYTES + Footprint.of(LARGE), memory.bytes());
        assertTrue(Footprint.of(LARGE) > 100_000 && Footprint.of(LARGE) < 110_000);
    }

    @Test
    void whatHasGoneTakesNothingAndWhatChangesTakesTheSame() {
        Job first = Samples.job(1, "ann", LARGE);
        Job second = Samples.job(2, "ann", LARGE);
        memory.change(Optional.empty(), first);
        memory.change(Optional.empty(), second);
        memory.change(Optional.empty(), Samples.job(3, "bob", SMALL));
        long before = memory.bytes();
        memory.change(Optional.of(first), first);
        assertEquals(before, memory.bytes());
        memory.change(Optional.of(first), cancelled(first));
        assertEquals(before - Footprint.JOB_BYTES, memory.bytes(), "the spec is still used");
        memory.change(Optional.of(second), cancelled(second));
        assertEquals(Footprint.JOB_BYTES + Footprint.of(SMALL), memory.bytes());
        assertEquals(0, memory.bytes("ann"));
        memory.clear();
        assertEquals(0, memory.bytes("bob"));
    }

    private static Job cancelled(Job job) {
        return JobMachine.next(job, new Event.CancelRequested(Samples.NOON.plusSeconds(60), "ann"));
    }

    @Test
    void onePersonLeavesRoomForTheOthers() {
        List<JobSpec> many = Collections.nCopies(5_000, SMALL);
        assertEquals(Optional.empty(), memory.refusal("ann", many));
        for (int i = 0; i < 5_000; i++) memory.add(Samples.job(i, "ann", SMALL));
        Refused refused = memory.refusal("ann", many).orElseThrow();
        assertEquals(Refused.Kind.BUSY, refused.kind());
        assertEquals(
                "the unfinished jobs of ann would take 10 MiB of the server's memory, and one"
                        + " person's may take 6 MiB; wait until some have ended, or submit fewer or"
                        + " with a smaller environment",
                refused.getMessage());
        assertEquals(Optional.empty(), memory.refusal("bob", many));
        for (int i = 0; i < 5_000; i++) memory.add(Samples.job(5_000 + i, "bob", SMALL));
        assertEquals(
                "all unfinished jobs would take 11 MiB of the server's memory, and may take 10 MiB;"
                        + " wait until some have ended, or give the server more memory",
                memory.refusal("cid", Collections.nCopies(1_000, SMALL))
                        .orElseThrow()
                        .getMessage());
        assertEquals(Optional.empty(), memory.refusal("cid", List.of(SMALL)));
    }

    @Test
    void theBoundsFollowTheHeap() {
        assertEquals(new MemoryBounds(0, 0), MemoryBounds.of(16 * MIB));
        assertEquals(new MemoryBounds(16 * MIB, 8 * MIB), MemoryBounds.of(64 * MIB));
        MemoryBounds usual = MemoryBounds.of(2_048 * MIB);
        assertTrue(usual.owner() > 200_000L * Footprint.JOB_BYTES, "on a machine of 8 GiB");
        assertTrue(MemoryBounds.of(1_024 * MIB).owner() > 200_000L * Footprint.JOB_BYTES);
    }
}
