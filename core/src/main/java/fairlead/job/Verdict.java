package fairlead.job;

/** How an attempt went, as the completion rules of its roles judge it. */
public sealed interface Verdict {
    record Succeeded() implements Verdict {}

    record Failed(int exitCode, String reason) implements Verdict {}

    /** Not the job's fault: its node, process or record vanished. Never uses up a retry. */
    record Lost(String reason) implements Verdict {}
}
