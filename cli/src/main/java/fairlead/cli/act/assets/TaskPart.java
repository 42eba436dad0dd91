package fairlead.cli.act.assets;

import java.util.Map;

/**
 * How much of a task's log has been fetched, and what became of it.
 *
 * @param offset the first byte that is missing here
 * @param open whose line goes on there: a rank, {@link #PLAIN}, or {@link #NONE} at the beginning
 *     of a line
 * @param files how long each file is; what is behind that was left by a call that broke off
 */
record TaskPart(long offset, int open, Map<String, Long> files) {
    static final int PLAIN = -1;
    static final int NONE = -2;
    static final TaskPart NOTHING = new TaskPart(0, NONE, Map.of());

    TaskPart {
        files = Map.copyOf(files);
    }
}
