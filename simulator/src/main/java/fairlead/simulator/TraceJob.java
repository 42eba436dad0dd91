package fairlead.simulator;

import java.time.Duration;

/**
 * One job of a recorded or made-up past, rigid: it runs on exactly so many GPUs or not at all.
 *
 * @param id as its source names it
 * @param submit counted from the trace's time zero
 * @param runTime undisturbed, on its GPUs
 */
public record TraceJob(String id, String owner, Duration submit, int gpus, Duration runTime) {
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
