package fairlead.simulator;

import java.time.Duration;
import java.util.Optional;

/**
 * One job of a recorded or made-up past.
 *
 * @param id as its source names it
 * @param submit counted from the trace's time zero
 * @param gpus how many it asks for; without a curve it runs on exactly so many or not at all
 * @param runTime undisturbed, on its GPUs
 */
public record TraceJob(
        String id,
        String owner,
        Duration submit,
        int gpus,
        Duration runTime,
        Optional<TraceCurve> curve) {
    public TraceJob(String id, String owner, Duration submit, int gpus, Duration runTime) {
        this(id, owner, submit, gpus, runTime, Optional.empty());
    }

    public TraceJob {
        if (submit.isNegative()) {
            throw new IllegalArgumentException(id + " is submitted before time zero: " + submit);
        }
        if (gpus < 1) throw new IllegalArgumentException(id + " has no GPU: " + gpus);
        if (!runTime.isPositive()) {
            throw new IllegalArgumentException(id + " has no run time: " + runTime);
        }
    }
}
