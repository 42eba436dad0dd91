package fairlead.job;

import java.util.Map;

/**
 * How much memory an unfinished job takes, by estimate: cheap to say, and rather too much than too
 * little.
 */
public final class Footprint {
    /**
     * A job without its spec: itself, its id and times, its entries in maps, queues and views, what
     * it was told about its start, and what a plan and a forecast keep of it for a while.
     */
    public static final int JOB_BYTES = 1_000;

    /** An object of a spec with its references; also an entry of a map with its two texts. */
    private static final int PART_BYTES = 160;

    /** A spec's own fields and lists. */
    private static final int SPEC_BYTES = 1_000;

    private Footprint() {}

    /** Of a spec alone, which all jobs of an array share. */
    public static long of(JobSpec spec) {
        long bytes = SPEC_BYTES + text(spec.workingFolder());
        for (Map.Entry<String, String> entry : spec.environment().entrySet())
            bytes += PART_BYTES + text(entry.getKey()) + text(entry.getValue());
        for (Role role : spec.roles()) {
            bytes += 2 * PART_BYTES + (long) PART_BYTES * role.ports().size();
            for (String word : role.command()) bytes += PART_BYTES + text(word);
        }
        // What few specs have, and what is never large: as long as it prints is near enough.
        if (!spec.container().equals(Container.NONE))
            bytes += 2 * text(spec.container().toString());
        if (spec.retry().isPresent()) bytes += 2 * text(spec.retry().get().toString());
        if (spec.origin().isPresent()) bytes += text(spec.origin().get().text());
        return bytes;
    }

    /** Java keeps a text in one byte for each character, or in two where one of them needs that. */
    private static long text(String text) {
        boolean isNarrow = text.chars().allMatch(character -> character < 256);
        return isNarrow ? text.length() : 2L * text.length();
    }
}
