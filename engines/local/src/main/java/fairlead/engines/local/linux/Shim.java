package fairlead.engines.local.linux;

import fairlead.engine.CommandFound;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The small shell script that stands between the engine and a task's command. It outlives the
 * server, so it is what knows the true exit code.
 *
 * <p>It starts as the leader of a session of its own. First it claims the task by creating the file
 * FILES.task, and goes away if that exists: a launch repeated after a crash runs nothing twice, and
 * whoever creates the file first can forbid the start. It catches signals instead of ignoring them,
 * because a command would inherit ignored ones. The exit code is added to the file, with a newline
 * at its end; where the disk is full, it tries for a day. At last it kills what the command left
 * behind in its process group, itself included.
 *
 * <p>A command without a slash goes through exec, which knows no builtins: the task asked for the
 * program {@code test}, not for the shell's. With a slash it needs no fork of the shell, which a
 * no-op job notices; so whoever starts it looks up the full path where it can.
 *
 * <p>It keeps its values in positional parameters and two reserved variables, as any other variable
 * might be one of the task's.
 */
public final class Shim {
    public static final String PROGRAM = "/bin/sh";

    /** What a shell answers for a command that cannot be run. */
    public static final int CANNOT_RUN = 126;

    private static final String SCRIPT =
            """
            unset FAIRLEAD_STOPPED FAIRLEAD_FILES
            trap : HUP INT QUIT ALRM USR1 USR2
            trap FAIRLEAD_STOPPED=1 TERM
            umask 077
            set -C
            { echo $$ >"$1.task"; } 2>/dev/null || exit 0
            set +C
            umask "$4"
            if [ -n "$3" ] && ! echo $$ >"$3"; then
                echo 'fairlead: the task cannot enter its control group' >&2
                set -- "$1" 126 0
            elif ! cd "$2" 2>/dev/null; then
                printf 'fairlead: cannot enter the working folder %s\\n' "$2" >&2
                set -- "$1" 126 0
            elif [ -n "$FAIRLEAD_STOPPED" ]; then
                set -- "$1" 143 0
            else
                unset OLDPWD
                FAIRLEAD_FILES=$1
                shift 4
                if ! FOUND; then
                    printf 'fairlead: %s: not found\\n' "$1" >&2
                    set -- "$FAIRLEAD_FILES" 127 0
                else
                    case $1 in
                    */*) "$@" ;;
                    *) (exec "$@") ;;
                    esac
                    set -- "$FAIRLEAD_FILES" $? 0
                fi
            fi
            until echo "$2" >>"$1.task"; do
                [ -e "$1.task" ] && [ "$3" -lt 86400 ] || break
                set -- "$1" "$2" $(($3 + 1))
                /bin/sleep 1
            done 2>/dev/null
            kill -KILL 0
            """
                    .replace("FOUND", CommandFound.TEST);

    /**
     * Runs as the task's own account. The variables travel under harmless names until then: one
     * such as LD_PRELOAD must not reach a program that still runs as root.
     */
    private static final String AFTER_DROP =
            """
            for FAIRLEAD_NAME in $FAIRLEAD_VARIABLES; do
                eval "export $FAIRLEAD_NAME=\\"\\$FAIRLEAD_VARIABLE_$FAIRLEAD_NAME\\""
                unset "FAIRLEAD_VARIABLE_$FAIRLEAD_NAME"
            done
            unset FAIRLEAD_VARIABLES FAIRLEAD_NAME
            cd "$1" 2>/dev/null || {
                printf 'fairlead: cannot enter the working folder %s\\n' "$1" >&2
                exit 126
            }
            unset OLDPWD
            shift
            FOUND || {
                printf 'fairlead: %s: not found\\n' "$1" >&2
                exit 127
            }
            exec "$@"
            """
                    .replace("FOUND", CommandFound.TEST);

    private Shim() {}

    /** Whether a process, by its arguments, is still on its way to becoming a task's command. */
    public static boolean isOnItsWay(String arguments) {
        return arguments.contains(SCRIPT) || arguments.contains(AFTER_DROP);
    }

    /**
     * @param files path of the task's files without their suffix
     * @param group the file that takes the pid of whoever enters the control group; may be empty
     * @param umask of the command, in octal digits; the shim's own file is for nobody else
     */
    public static List<byte[]> arguments(
            String files, String workingFolder, String group, String umask, List<String> command) {
        var words = new ArrayList<>(List.of("sh", "-c", SCRIPT, "fairlead", files));
        words.add(workingFolder);
        words.add(group);
        words.add(umask);
        words.addAll(command);
        return words.stream().map(word -> word.getBytes(StandardCharsets.UTF_8)).toList();
    }

    /** The same command as another account; the shim itself stays root and works in no folder. */
    public static List<String> dropped(
            Accounts.Account account, String setpriv, String workingFolder, List<String> command) {
        var words = new ArrayList<>(List.of(setpriv, "--reuid=" + account.uid()));
        words.addAll(List.of("--regid=" + account.gid(), "--init-groups", "--"));
        words.addAll(List.of(PROGRAM, "-c", AFTER_DROP, "fairlead", workingFolder));
        words.addAll(command);
        return words;
    }
}
