package fairlead.server.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.testing.Eventually;

import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

final class ListenerWatchTest {
    private final List<Throwable> bugs = new CopyOnWriteArrayList<>();

    @Test
    void aListenerThatHasClosedIsABugAndOneThatOnlyAcceptsLateIsNone() throws Exception {
        var listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        var address = (InetSocketAddress) listener.getLocalSocketAddress();
        var looks = new AtomicInteger();
        var watch =
                new ListenerWatch(
                        () -> {
                            looks.incrementAndGet();
                            return address;
                        },
                        bugs::add,
                        Duration.ofMillis(1));
        // Nobody accepts, but the system keeps the connections.
        watch.start();
        Eventually.when("it has looked", () -> looks.get() > 5);
        assertEquals(List.of(), bugs);
        listener.close();
        Eventually.when("the bug is reported", () -> !bugs.isEmpty());
        assertTrue(bugs.getFirst().getMessage().startsWith("the listener has died"));
        watch.stop(Duration.ofSeconds(10));
    }
}
