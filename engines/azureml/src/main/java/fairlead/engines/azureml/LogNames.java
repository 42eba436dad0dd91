package fairlead.engines.azureml;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which of a run's log files is the log of which task. */
final class LogNames {
    /** A newer try of Azure's own is in a folder of its own, such as {@code retry_001}. */
    private static final Pattern ONE =
            Pattern.compile("user_logs/(retry_\\d+/)?std_log(?:_process_0+)?\\.txt");

    private static final Pattern OF_RANK =
            Pattern.compile("user_logs/(retry_\\d+/)?std_log_process_(\\d+)\\.txt");

    private static final Pattern OLD_ONE =
            Pattern.compile("azureml-logs/70_driver_log(?:_0|_rank_0|-worker-0)?\\.txt");

    private static final Pattern OLD_OF_RANK =
            Pattern.compile("azureml-logs/70_driver_log(?:_|_rank_|-worker-)(\\d+)\\.txt");

    private LogNames() {}

    /**
     * @param tasks how many the attempt has
     */
    static Optional<String> of(int rank, int tasks, Collection<String> names) {
        // The name of a later try is greater than that of an earlier one.
        return names.stream()
                .filter(name -> tasks == 1 ? isOne(name) : isOf(name, rank))
                .max(
                        Comparator.comparing((String name) -> name.contains("/retry_"))
                                .thenComparing(name -> name));
    }

    private static boolean isOne(String name) {
        return ONE.matcher(name).matches() || OLD_ONE.matcher(name).matches();
    }

    private static boolean isOf(String name, int rank) {
        Matcher now = OF_RANK.matcher(name);
        if (now.matches()) return Integer.parseInt(now.group(2)) == rank;
        Matcher old = OLD_OF_RANK.matcher(name);
        return old.matches() && Integer.parseInt(old.group(1)) == rank;
    }
}
