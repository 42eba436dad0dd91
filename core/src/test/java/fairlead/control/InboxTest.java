package fairlead.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

class InboxTest {
    private final Inbox inbox = new Inbox();

    @Test
    void messagesComeOutInOrderAndAtMostAThousandAtATime() throws Exception {
        for (int i = 0; i < 1_500; i++) assertTrue(inbox.offer(message(i)));
        List<Message> first = inbox.await(Duration.ZERO);
        assertEquals(1_000, first.size());
        assertEquals(message(0), first.getFirst());
        assertEquals(500, inbox.size());
        List<Message> rest = inbox.await(Duration.ZERO);
        assertEquals(message(1_000), rest.getFirst());
        assertEquals(500, rest.size());
        assertEquals(List.of(), inbox.await(Duration.ofMillis(-1)));
    }

    @Test
    void aFullInboxTakesNothingMore() {
        for (int i = 0; i < 10_000; i++) assertTrue(inbox.offer(message(i)));
        assertFalse(inbox.offer(message(0)));
        assertEquals(10_000, inbox.size());
    }

    private static Message message(int number) {
        return new Message.Unseen("local", "look " + number);
    }
}
