package fairlead.api;

/**
 * Where a piece of a task's log ended.
 *
 * @param attempt whose log it is; 0 while there is none
 * @param offset one past its last byte, counted from the task's first
 */
public record LogEnd(int attempt, long offset) {}
