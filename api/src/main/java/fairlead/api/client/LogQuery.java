package fairlead.api.client;

/**
 * Which part of a job's log is wanted. A null is left to the server's default.
 *
 * @param task such as {@code worker/0}
 * @param attempt counts from 1
 * @param tail how many of the last lines
 * @param after the id of the last event that was read, to follow on from there; the others but the
 *     task then count no more
 */
public record LogQuery(String task, Integer attempt, Integer tail, String after) {
    public static final LogQuery ALL = new LogQuery(null, null, null, null);

    /** The rest after an event. */
    public LogQuery after(String event) {
        return new LogQuery(task, attempt, tail, event);
    }
}
