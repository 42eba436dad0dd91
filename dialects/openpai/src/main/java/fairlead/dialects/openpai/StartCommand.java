package fairlead.dialects.openpai;

import java.util.List;
import java.util.Optional;

/**
 * How the command of a task is run (item O35): evaluated by bash in the task's working directory,
 * so that variables expand and {@code &&} works; its exit code is the task's. The command is an
 * argument of its own and never a part of the script, so nothing in it has to be escaped. What
 * {@link SshScript} has for it goes before.
 */
public final class StartCommand {
    private static final String BEGINNING = "pai_command=$1; ";

    /** Shifted away first: the command sees no arguments, as in OpenPAI. */
    private static final String SCRIPT =
            BEGINNING
                    + "shift; export PAI_WORK_DIR=\"$PWD\"; eval \"$FAIRLEAD_BEFORE\"; unset"
                    + " FAIRLEAD_BEFORE; eval -- \"$pai_command\"";

    private StartCommand() {}

    /** The words to execute. */
    public static List<String> words(PaiTaskRole role) {
        return List.of("/bin/bash", "-c", SCRIPT, "bash", role.command());
    }

    /** The command in such words, also in those of an older server; empty in any others. */
    public static Optional<String> written(List<String> words) {
        boolean isOurs =
                words.size() == 5
                        && words.getFirst().equals("/bin/bash")
                        && words.get(2).startsWith(BEGINNING);
        return isOurs ? Optional.of(words.getLast()) : Optional.empty();
    }
}
