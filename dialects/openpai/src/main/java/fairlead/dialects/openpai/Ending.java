package fairlead.dialects.openpai;

/** How a task or an attempt ended, before OpenPAI's names are put to it. */
public sealed interface Ending {
    /** The command itself exited; 128 + signal when it was killed. */
    record Exited(int code) implements Ending {}

    /** Nobody knows the exit code: its process or its machine vanished. */
    record Lost() implements Ending {}

    /** Its place was needed for somebody else. */
    record Preempted() implements Ending {}

    record MemoryExceeded() implements Ending {}

    /** A port that was promised was taken. */
    record PortTaken() implements Ending {}

    /** Not all tasks got a place in time. */
    record GangTimedOut() implements Ending {}

    /** A user has asked for the stop. */
    record StopRequested() implements Ending {}
}
