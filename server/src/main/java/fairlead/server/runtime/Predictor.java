package fairlead.server.runtime;

import fairlead.control.Message;
import fairlead.control.Predictions;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Lets {@link Predictions} look every second. A thread of its own, which nobody waits for:
 * forecasts take longer than the loop may.
 */
public final class Predictor {
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Predictions predictions;
    private final Explanations explanations;
    private final Predicate<Message> inbox;
    private final Supplier<Instant> clock;
    private final Consumer<Throwable> bug;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread thread;

    public Predictor(
            Predictions predictions,
            Explanations explanations,
            Predicate<Message> inbox,
            Supplier<Instant> clock,
            Consumer<Throwable> bug) {
        this.predictions = predictions;
        this.explanations = explanations;
        this.inbox = inbox;
        this.clock = clock;
        this.bug = bug;
        this.thread = Thread.ofPlatform().name("predictor").daemon().unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    public void stop(Duration patience) throws InterruptedException {
        stopped.countDown();
        thread.join(patience);
    }

    private void run() {
        try {
            while (!stopped.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) look();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (Throwable broken) {
            bug.accept(broken);
        }
    }

    private void look() {
        predictions.look(clock.get(), explanations::forecast).ifPresent(inbox::test);
    }
}
