package fairlead.dialects.runai;

import java.util.ArrayList;
import java.util.List;

/**
 * The start script of the lab's images, {@code /opt/lab/setup_and_run_command.sh "COMMAND"}, which
 * runs its first argument as the cluster's user in that user's home. A job that has no container
 * lacks the script; there the account is already the right one, so a shell can do the rest.
 */
public final class LabScript {
    private static final String SCRIPT = "/opt/lab/setup_and_run_command.sh";

    /** $0 is the script itself, so that one who lists processes reads what was asked for. */
    private static final String EITHER =
            "[ -x \"$0\" ] && exec \"$0\" \"$@\"; cd || exit; exec bash -c"
                    + " '[ -f ~/.bashrc ] && . ~/.bashrc; eval \"$1\"' bash \"$1\"";

    private static final List<String> AROUND = List.of("sh", "-c", EITHER);

    private LabScript() {}

    public static boolean isIn(List<String> command) {
        return command.size() > 1 && command.getFirst().equals(SCRIPT);
    }

    /** The command for a machine that may lack the script. */
    public static List<String> wrapped(List<String> command) {
        if (!isIn(command)) return command;
        var wrapped = new ArrayList<>(AROUND);
        wrapped.addAll(command);
        return wrapped;
    }

    /** What was wrapped. */
    static List<String> told(List<String> command) {
        boolean isWrapped =
                command.size() > AROUND.size() && command.subList(0, AROUND.size()).equals(AROUND);
        return isWrapped ? command.subList(AROUND.size(), command.size()) : command;
    }

    public static String warning() {
        return SCRIPT + " belongs to the image; where it is missing, bash runs its command";
    }
}
