package fairlead.server.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.control.Message;
import fairlead.server.TestEngine;
import fairlead.testing.Eventually;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

final class ObserverTest {
    private final TestEngine engine = new TestEngine(1);
    private final List<Message> inbox = new CopyOnWriteArrayList<>();
    private final List<Throwable> bugs = new CopyOnWriteArrayList<>();
    private volatile boolean isFull;

    /** So many calls are acknowledged as looks have begun: each look changes the number. */
    private final Observer observer =
            new Observer(
                    "local",
                    engine,
                    engine::looks,
                    message -> !isFull && inbox.add(message),
                    bugs::add);

    @AfterEach
    void stop() throws Exception {
        observer.stop(Duration.ofSeconds(10));
        assertEquals(List.of(), bugs);
    }

    private List<Message.Observed> looks() {
        return inbox.stream()
                .filter(Message.Observed.class::isInstance)
                .map(Message.Observed.class::cast)
                .toList();
    }

    @Test
    void nodesAndAFirstLookAreThereWhenTheFirstLookIsOver() throws Exception {
        observer.start();
        observer.awaitFirstLook();
        assertInstanceOf(Message.NodesSeen.class, inbox.get(0));
        assertInstanceOf(Message.Observed.class, inbox.get(1));
    }

    @Test
    void nodesThatHaveChangedAreReportedBeforeWhatWasLostOnThem() throws Exception {
        observer.start();
        observer.awaitFirstLook();
        int before = looks().size();
        engine.drain();
        Eventually.when("the next look", () -> looks().size() > before);
        var drained = new Message.NodesSeen("local", engine.nodes());
        int seen = inbox.indexOf(drained);
        assertTrue(seen > 0 && seen < inbox.indexOf(looks().get(before)), inbox::toString);
        Eventually.when("two more looks", () -> looks().size() > before + 2);
        assertEquals(seen, inbox.lastIndexOf(drained), "nodes that stay the same are no news");
    }

    @Test
    void acknowledgementsAreCountedBeforeTheLookBegins() throws Exception {
        observer.start();
        observer.hint();
        Eventually.when("three looks", () -> looks().size() >= 3);
        for (int i = 0; i < 3; i++) assertEquals(i, looks().get(i).begun());
    }

    @Test
    void aLookThatFailsIsToldAndOneThatSucceedsEndsThat() throws Exception {
        engine.vanish("connection refused");
        observer.start();
        observer.awaitFirstLook();
        assertEquals(new Message.Unseen("local", "connection refused"), inbox.getFirst());
        engine.vanish(null);
        Eventually.when("it is seen", () -> looks().size() >= 1);
        int nodes = inbox.indexOf(new Message.NodesSeen("local", engine.nodes()));
        assertTrue(nodes > 0 && nodes < inbox.indexOf(looks().getFirst()), inbox::toString);
    }

    @Test
    void anEngineThatFailsIsNotAskedMoreOftenForItsHints() throws Exception {
        engine.vanish("connection refused");
        observer.start();
        observer.awaitFirstLook();
        long begun = System.nanoTime();
        int told = inbox.size();
        Eventually.when(
                "two more looks",
                () -> {
                    observer.hint();
                    return inbox.size() >= told + 2;
                });
        long millis = (System.nanoTime() - begun) / 1_000_000;
        assertTrue(millis >= 1_000, "two pauses took " + millis + " ms in spite of hints");
    }

    @Test
    void aFullInboxIsTriedAgainSoon() throws Exception {
        isFull = true;
        observer.start();
        observer.awaitFirstLook();
        assertTrue(inbox.isEmpty());
        isFull = false;
        Eventually.when("a look and the nodes arrive", () -> looks().size() >= 1);
        assertInstanceOf(Message.NodesSeen.class, inbox.getFirst());
    }
}
