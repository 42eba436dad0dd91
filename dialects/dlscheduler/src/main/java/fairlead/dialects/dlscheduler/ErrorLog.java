package fairlead.dialects.dlscheduler;

import java.util.ArrayList;
import java.util.List;

/**
 * The file {@code errorlog.txt} in the mounted folder, where users of the scheduler's first version
 * look after a failure: it has what the script that failed last has written to its standard error.
 * The job's log has it too. Until its end each job has a file of its own beside it, as several may
 * share the folder.
 */
final class ErrorLog {
    /**
     * The errors go through tee to both. A stop is passed on to the script, which may need its
     * time; its exit code is that of the job. What it leaves behind may hold the pipe open, so the
     * wait for tee ends after 5 seconds.
     */
    private static final List<String> AROUND =
            List.of(
                    "sh",
                    "-c",
                    """
                    log=/exp/errorlog.txt; own=$log.$FAIRLEAD_JOB
                    pipe=$(mktemp -u) && mkfifo "$pipe" || exec "$0" "$@"
                    (trap '' TERM; exec tee "$own" <"$pipe" >&2) & tee=$!
                    "$0" "$@" 2>"$pipe" & script=$!
                    trap 'kill -TERM $script' TERM
                    wait $script; code=$?
                    while kill -0 $script 2>/dev/null; do wait $script; code=$?; done
                    (sleep 5; kill -9 $tee) 2>/dev/null &
                    wait $tee; rm -f "$pipe"
                    if [ $code = 0 ]; then rm -f "$own"; else mv -f "$own" "$log"; fi
                    exit $code
                    """);

    private ErrorLog() {}

    static List<String> kept(List<String> command) {
        var words = new ArrayList<>(AROUND);
        words.addAll(command);
        return words;
    }

    /** The command as its user gave it. */
    static List<String> written(List<String> command) {
        boolean isKept =
                command.size() > AROUND.size() && command.subList(0, AROUND.size()).equals(AROUND);
        return isKept ? command.subList(AROUND.size(), command.size()) : command;
    }
}
