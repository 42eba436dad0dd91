package fairlead.engines.yarn.master;

import fairlead.engines.yarn.keeper.Keeper;
import fairlead.engines.yarn.relay.TaskEnd;

import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerStatus;

/** How a task ended whose keeper has not reported it, by what YARN says of its container. */
final class Ends {
    private static final int SIGNAL = 128;
    private static final int SIGTERM = 15;
    private static final int SIGKILL = 9;

    /** Of a diagnosis, which may be a page; its first lines say it. */
    private static final int NOTE_CHARACTERS_MAX = 500;

    private Ends() {}

    static TaskEnd of(ContainerStatus status, boolean isStopping) {
        int code = status.getExitStatus();
        if (isStopping && (code < 0 || code == Keeper.NOT_BEGUN))
            return end(SIGNAL + SIGKILL, true, false, "killed by YARN");
        switch (code) {
            case ContainerExitStatus.KILLED_EXCEEDED_PMEM:
            case ContainerExitStatus.KILLED_EXCEEDED_VMEM:
                return end(SIGNAL + SIGKILL, false, true, words(status, "took too much memory"));
            case ContainerExitStatus.PREEMPTED:
                return TaskEnd.lost("YARN took its container for another application");
            case ContainerExitStatus.ABORTED:
                return TaskEnd.lost(words(status, "YARN lost its node"));
            case Keeper.NOT_BEGUN:
                return TaskEnd.lost("its keeper did not reach the master");
            default:
                break;
        }
        if (code < 0) return TaskEnd.lost(words(status, "YARN ended it (" + code + ")"));
        boolean isKilled = code == SIGNAL + SIGKILL || code == SIGNAL + SIGTERM;
        return end(code, isStopping, false, isKilled ? "killed outside of Fairlead" : "");
    }

    private static TaskEnd end(int code, boolean stopped, boolean outOfMemory, String note) {
        return new TaskEnd(
                code, stopped, outOfMemory, note, System.currentTimeMillis(), TaskEnd.LOST);
    }

    private static String words(ContainerStatus status, String otherwise) {
        String said = status.getDiagnostics() == null ? "" : status.getDiagnostics().strip();
        if (said.isEmpty()) return otherwise;
        String line = said.replaceAll("\\s+", " ");
        return line.substring(0, Math.min(line.length(), NOTE_CHARACTERS_MAX));
    }
}
