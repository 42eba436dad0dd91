package fairlead.simulator;

import fairlead.job.Profile;
import fairlead.job.Setup;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * How fast the job of a trace learns, on whatever it may get.
 *
 * @param script jobs with the same script and batch size have the same curve
 * @param epochSeconds only where it was measured: speed is not monotone in GPUs, so a value between
 *     two rows would be invented
 */
public record TraceCurve(
        String script, int batchSize, int epochs, Map<Setup, Double> epochSeconds) {
    public TraceCurve {
        epochSeconds = Collections.unmodifiableMap(new TreeMap<>(epochSeconds));
    }

    double epochSeconds(Setup setup) {
        Double seconds = epochSeconds.get(setup);
        if (seconds == null) {
            throw new IllegalStateException(script + " has no speed on " + setup);
        }
        return seconds;
    }

    /** As if everything had been measured. */
    Profile profile() {
        var speeds = new TreeMap<Setup, Profile.Speed>();
        epochSeconds.forEach(
                (setup, seconds) -> speeds.put(setup, new Profile.Speed(seconds, 0, 1)));
        return new Profile(speeds, 0);
    }

    int gpusMin() {
        return epochSeconds.keySet().stream().mapToInt(Setup::gpus).min().orElseThrow();
    }

    int gpusMax() {
        return epochSeconds.keySet().stream().mapToInt(Setup::gpus).max().orElseThrow();
    }
}
