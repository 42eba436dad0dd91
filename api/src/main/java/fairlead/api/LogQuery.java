package fairlead.api;

/**
 * Which part of a job's log is wanted. A null is left to the server's default.
 *
 * @param task such as {@code worker/0}
 * @param attempt counts from 1
 * @param tail so many last lines
 * @param offset bytes of that task and attempt to skip
 */
public record LogQuery(String task, Integer attempt, Integer tail, Long offset) {
    public static final LogQuery ALL = new LogQuery(null, null, null, null);

    /** The rest after what has been read. The tail is over with the first byte. */
    public LogQuery from(Integer newAttempt, long newOffset) {
        return new LogQuery(task, newAttempt == null ? attempt : newAttempt, null, newOffset);
    }
}
