package fairlead.simulator;

import fairlead.policies.Policies;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * How a policy did on a trace. Times are in seconds; completion time runs from a job's submit to
 * its finish, the makespan from the first submit to the last finish.
 *
 * <p>A percentile is the smallest completion time that so many jobs do not exceed (nearest rank).
 * GPU use counts GPUs while a job holds them, restarts included.
 *
 * <p>Fairness: N is the number of unfinished jobs, the job itself among them, averaged over its
 * life; G is all GPUs; the exclusive run time is that on an empty cluster, with one restart cost.
 *
 * <ul>
 *   <li>Shockwave: completion time / (exclusive run time x max(1, N / G)); unfair above 1.05.
 *   <li>Themis: completion time / time alone on G / N GPUs; unfair above 1. A rigid job of g GPUs
 *       takes its exclusive run time there, times g / (G / N) where that is more than 1.
 * </ul>
 */
public record Report(
        String policy,
        String knows,
        int jobs,
        double mean,
        double median,
        double p90,
        double p99,
        double makespan,
        double gpuUse,
        int preemptions,
        double shockwaveWorst,
        double shockwaveUnfair,
        double themisWorst,
        double themisUnfair,
        double bothUnfair,
        Optional<Justice> justice) {
    static final double SHOCKWAVE_UNFAIR_ABOVE = 1.05;
    static final double THEMIS_UNFAIR_ABOVE = 1;

    /**
     * How the fair rule was kept, by a judge who watched.
     *
     * @param unjustTime part of the makespan in which somebody waited unjustly for too long
     * @param worst seconds that somebody waited so
     * @param stops for another job, for each job
     * @param faults stops that were in vain or hit the wrong job of an owner
     */
    public record Justice(double unjustTime, double worst, double stops, int faults) {}

    public static Report of(
            String policy, Trace trace, Replay.Setting setting, Replay.Result result) {
        List<TraceJob> jobs = trace.jobs();
        int count = jobs.size();
        double gpus = setting.shape().gpus();
        double[] submits = new double[count];
        double[] finishes = new double[count];
        double[] times = new double[count];
        for (int i = 0; i < count; i++) {
            submits[i] = seconds(jobs.get(i).submit());
            finishes[i] = seconds(result.finish().get(i));
            times[i] = seconds(result.finish().get(i).minus(jobs.get(i).submit()));
        }
        var crowd = new Crowd(submits, finishes);
        double[] shockwave = new double[count];
        double[] themis = new double[count];
        for (int i = 0; i < count; i++) {
            TraceJob job = jobs.get(i);
            double alone = seconds(job.runTime().plus(setting.restartCost()));
            double others = crowd.average(submits[i], finishes[i]);
            shockwave[i] = times[i] / (alone * Math.max(1, others / gpus));
            themis[i] = times[i] / (alone * Math.max(1, job.gpus() * others / gpus));
        }
        double makespan = Arrays.stream(finishes).max().orElseThrow() - submits[0];
        double[] sorted = times.clone();
        Arrays.sort(sorted);
        return new Report(
                policy,
                Policies.knows(policy).word(),
                count,
                Arrays.stream(times).sum() / count,
                percentile(sorted, 50),
                percentile(sorted, 90),
                percentile(sorted, 99),
                makespan,
                seconds(result.busy()) / (gpus * makespan),
                result.preemptions(),
                Arrays.stream(shockwave).max().orElseThrow(),
                above(shockwave, SHOCKWAVE_UNFAIR_ABOVE),
                Arrays.stream(themis).max().orElseThrow(),
                above(themis, THEMIS_UNFAIR_ABOVE),
                aboveBoth(shockwave, themis),
                result.fairness()
                        .map(
                                seen ->
                                        new Justice(
                                                seconds(seen.unjust()) / makespan,
                                                seconds(seen.worst()),
                                                (double) seen.stops() / count,
                                                seen.faults())));
    }

    private static double aboveBoth(double[] shockwave, double[] themis) {
        int count = 0;
        for (int i = 0; i < shockwave.length; i++) {
            boolean isUnfair =
                    shockwave[i] > SHOCKWAVE_UNFAIR_ABOVE && themis[i] > THEMIS_UNFAIR_ABOVE;
            if (isUnfair) count++;
        }
        return (double) count / shockwave.length;
    }

    static double percentile(double[] sorted, int percent) {
        return sorted[Math.max(0, (sorted.length * percent + 99) / 100 - 1)];
    }

    private static double above(double[] values, double bound) {
        return (double) Arrays.stream(values).filter(value -> value > bound).count()
                / values.length;
    }

    private static double seconds(Duration duration) {
        return duration.toSeconds() + duration.toNanosPart() / 1e9;
    }
}
