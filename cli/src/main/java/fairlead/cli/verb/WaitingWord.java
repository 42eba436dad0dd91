package fairlead.cli.verb;

import fairlead.cli.line.Session;

import java.time.Duration;

/** Tells what a command waits for, unless it is closed before a moment has passed. */
final class WaitingWord implements AutoCloseable {
    private static final Duration MOMENT = Duration.ofSeconds(1);

    private final Thread thread;

    WaitingWord(String words, Session session) {
        thread = Thread.ofVirtual().start(() -> tell(words, session));
    }

    private static void tell(String words, Session session) {
        try {
            Thread.sleep(MOMENT);
            session.say(words + "...");
        } catch (InterruptedException _) {
            // It came in time.
            return;
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
