package fairlead.server.runtime;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Sees when the listener has died, which the library that it is from only logs: from then on
 * connections are refused, and a process that nobody can reach would keep the home folder. A
 * listener that is merely busy, or that somebody has filled with connections, accepts them late but
 * refuses none.
 */
public final class ListenerWatch {
    private static final Duration PERIOD = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** Once may be the moment in which the system was out of something. */
    private static final int REFUSALS_MAX = 3;

    private final Supplier<InetSocketAddress> address;
    private final Consumer<Throwable> bug;
    private final Duration period;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread thread;

    /**
     * @param bug called when the listener, or this watch, has died
     */
    public ListenerWatch(Supplier<InetSocketAddress> address, Consumer<Throwable> bug) {
        this(address, bug, PERIOD);
    }

    ListenerWatch(Supplier<InetSocketAddress> address, Consumer<Throwable> bug, Duration period) {
        this.address = address;
        this.bug = bug;
        this.period = period;
        this.thread = Thread.ofPlatform().name("listener-watch").daemon().unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    /** To be called before the listener is stopped. */
    public void stop(Duration patience) throws InterruptedException {
        stopped.countDown();
        thread.join(patience);
    }

    private void run() {
        try {
            int refusals = 0;
            while (!stopped.await(period.toMillis(), TimeUnit.MILLISECONDS)) {
                refusals = isRefused() ? refusals + 1 : 0;
                if (refusals == REFUSALS_MAX)
                    throw new IllegalStateException("the listener has died: " + address.get());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (Throwable death) {
            if (stopped.getCount() > 0) bug.accept(death);
        }
    }

    private boolean isRefused() {
        try (var socket = new Socket()) {
            socket.connect(address.get(), (int) PATIENCE.toMillis());
            return false;
        } catch (ConnectException refused) {
            return true;
        } catch (IOException _) {
            // A time that was over, or no file descriptor left: the listener may live.
            return false;
        }
    }
}
