package fairlead.policy.elastic;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A training job as {@link Sizes} sees it: what is left to do, how fast it goes at each size, and
 * what it holds.
 *
 * @param priority among the same owner's jobs, a higher one goes strictly first
 * @param epochsLeft may end in the middle of an epoch; the part of the running epoch is an estimate
 * @param place GPUs held, by the node's index; empty while the job waits
 * @param startingSeconds until a running job makes progress; 0 once it does
 * @param dueSeconds until the job should have ended, by a deadline or by what its owner would have
 *     had alone; negative when it is late, infinite when nobody minds
 * @param stopsAnywhere whether a stop loses nothing at any time; otherwise it takes effect when the
 *     running epoch ends
 */
record Trainee(
        String id,
        String owner,
        int priority,
        Curve curve,
        double epochsLeft,
        Map<Integer, Integer> place,
        double startingSeconds,
        double dueSeconds,
        boolean stopsAnywhere) {

    /** One order for all callers, so that the same jobs in any order get the same plan. */
    static final Comparator<Trainee> BY_ID = Comparator.comparing(Trainee::id);

    Trainee {
        place = Collections.unmodifiableMap(new TreeMap<>(place));
        if (!(epochsLeft > 0)) {
            throw new IllegalArgumentException("epochsLeft of " + id + " is " + epochsLeft);
        }
        if (!place.isEmpty() && curve.indexOf(gpus(place)) < 0) {
            throw new IllegalArgumentException(
                    id + " runs on " + gpus(place) + " GPUs, but has sizes " + curve.sizes());
        }
    }

    static int gpus(Map<Integer, Integer> place) {
        return place.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Position of the present size in the curve, or -1 while the job waits. */
    int current() {
        return place.isEmpty() ? -1 : curve.indexOf(gpus(place));
    }

    /** Time that a job spent at one size inside the epoch that has not ended yet. */
    record Stint(int gpus, double seconds) {
        static double epochs(List<Stint> stints, Curve curve) {
            return stints.stream()
                    .mapToDouble(stint -> stint.seconds / curve.seconds(curve.indexOf(stint.gpus)))
                    .sum();
        }
    }
}
