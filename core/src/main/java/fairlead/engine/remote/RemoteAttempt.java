package fairlead.engine.remote;

import fairlead.engine.Observation;
import fairlead.job.AttemptId;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * An attempt that was launched and not forgotten. All of it but the volatile fields is guarded by
 * the lock, under which it is launched and stopped too, so that a stop never passes a launch.
 */
public abstract class RemoteAttempt {
    public final ReentrantLock lock = new ReentrantLock();
    public final AttemptId id;
    public final AttemptFiles files;

    /** Written only with the lock held. */
    public volatile Optional<AttemptFiles.StopOrder> stop;

    /** Tells a launch under way that a stop waits for it. */
    public volatile boolean isStopWanted;

    /** What others see; null before the first look. */
    public volatile Observation observation;

    private volatile boolean isGone;

    protected RemoteAttempt(AttemptId id, AttemptFiles files) throws IOException {
        this.id = id;
        this.files = files;
        this.stop = files.stopOrder();
    }

    public abstract boolean allEnded();

    /** What others should see now. */
    protected abstract Observation present();

    /** Makes the present state what others see. Answers whether it differs. */
    public final boolean publish() {
        Observation now = present();
        boolean differs = !now.equals(observation);
        observation = now;
        return differs;
    }

    /** True once it is dropped: whoever waited for the lock must look for a new one. */
    public final boolean isGone() {
        return isGone;
    }

    final void drop() {
        isGone = true;
    }

    /** Writes the order down; a repeat does not lengthen the grace. */
    final void order(Duration grace) throws IOException {
        if (stop.isPresent()) return;
        var order = new AttemptFiles.StopOrder(Instant.now(), grace);
        files.order(order);
        stop = Optional.of(order);
    }
}
