package fairlead.job;

import java.time.Instant;
import java.util.regex.Pattern;

/** The name of a job for ever: {@code <experiment>_<epoch seconds>_<8 hex>}. */
public record JobId(String text) implements Comparable<JobId> {
    private static final Pattern FORM =
            Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*_\\d+_[0-9a-f]{8}");

    public JobId {
        if (!FORM.matcher(text).matches()) {
            throw new IllegalArgumentException("not a job id: " + text);
        }
    }

    /** The dice are handed in, so that a simulation gives the same ids again. */
    public static JobId of(String experiment, Instant submitted, int dice) {
        return new JobId("%s_%d_%08x".formatted(experiment, submitted.getEpochSecond(), dice));
    }

    /** What stands before the seconds: the name of the job. */
    public String experiment() {
        int dice = text.lastIndexOf('_');
        return text.substring(0, text.lastIndexOf('_', dice - 1));
    }

    @Override
    public int compareTo(JobId other) {
        return text.compareTo(other.text);
    }

    @Override
    public String toString() {
        return text;
    }
}
