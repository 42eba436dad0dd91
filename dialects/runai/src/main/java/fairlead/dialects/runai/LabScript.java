package fairlead.dialects.runai;

import java.util.ArrayList;
import java.util.List;

/**
 * The start scripts of the lab's images. {@code /opt/lab/setup_and_run_command.sh "COMMAND"} runs
 * its first argument as the cluster's user in that user's home, and {@code setup_and_wait.sh} waits
 * until nothing has happened for half an hour. A job that has no container lacks the scripts; there
 * the account is already the right one, so a shell can do the rest.
 */
public final class LabScript {
    private static final String RUN = "/opt/lab/setup_and_run_command.sh";
    private static final String WAIT = "/opt/lab/setup_and_wait.sh";

    /** $0 is the script itself, so that one who lists processes reads what was asked for. */
    private static final String IF_THERE = "[ -x \"$0\" ] && exec \"$0\" \"$@\"; ";

    private static final List<String> AROUND_RUN =
            List.of(
                    "sh",
                    "-c",
                    IF_THERE
                            + "cd || exit; exec bash -c"
                            + " '[ -f ~/.bashrc ] && . ~/.bashrc; eval \"$1\"' bash \"$1\"");

    private static final List<String> AROUND_WAIT =
            List.of("sh", "-c", IF_THERE + "exec sleep 1800");

    private LabScript() {}

    public static boolean isIn(List<String> command) {
        if (command.isEmpty()) return false;
        return command.size() > 1 && command.getFirst().equals(RUN)
                || command.getFirst().equals(WAIT);
    }

    /** The command for a machine that may lack the script. */
    public static List<String> wrapped(List<String> command) {
        if (!isIn(command)) return command;
        var wrapped = new ArrayList<>(command.getFirst().equals(RUN) ? AROUND_RUN : AROUND_WAIT);
        wrapped.addAll(command);
        return wrapped;
    }

    /** What was wrapped. */
    static List<String> written(List<String> command) {
        for (List<String> around : List.of(AROUND_RUN, AROUND_WAIT)) {
            boolean isWrapped =
                    command.size() > around.size()
                            && command.subList(0, around.size()).equals(around);
            if (isWrapped) return command.subList(around.size(), command.size());
        }
        return command;
    }

    /**
     * @param command one with a script in it
     */
    public static String warning(List<String> command) {
        boolean waits = command.getFirst().equals(WAIT);
        return command.getFirst()
                + " belongs to the image; where it is missing, "
                + (waits ? "the job waits for half an hour" : "bash runs its command");
    }
}
