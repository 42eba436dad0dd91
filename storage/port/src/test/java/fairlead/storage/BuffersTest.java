package fairlead.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.IdentityHashMap;
import java.util.concurrent.FutureTask;

/** The memory of large downloads has a bound. */
@Timeout(60)
class BuffersTest {
    @Test
    void whoComesWhenAllAreTakenWaitsForOne() throws Exception {
        var buffers = new Buffers();
        var taken = new IdentityHashMap<byte[], Boolean>();
        for (int i = 0; i < Buffers.COUNT; i++) taken.put(buffers.take(), true);
        assertEquals(Buffers.COUNT, taken.size(), "each is another");
        var next = new FutureTask<>(buffers::take);
        Thread waiting = Thread.ofPlatform().start(next);
        while (waiting.isAlive() && waiting.getState() != Thread.State.WAITING) Thread.yield();
        assertTrue(waiting.isAlive(), "there was one more");
        byte[] back = taken.keySet().iterator().next();
        buffers.give(back);
        assertSame(back, next.get());
        buffers.give(back);
        assertSame(back, buffers.take());
    }
}
