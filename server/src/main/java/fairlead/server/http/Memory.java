package fairlead.server.http;

/** Whether a failure is the end of memory. */
public final class Memory {
    private Memory() {}

    /**
     * Also where it is hidden: the JVM throws one and the same error each time that memory has
     * ended, and when the end of a try block meets it again, Java makes "Self-suppression not
     * permitted" of it.
     */
    public static boolean hasEnded(Throwable failure) {
        return failure instanceof OutOfMemoryError
                || failure instanceof IllegalArgumentException
                        && failure.getCause() instanceof OutOfMemoryError;
    }
}
