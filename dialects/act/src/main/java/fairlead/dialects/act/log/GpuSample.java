package fairlead.dialects.act.log;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of a log that says how busy the GPUs of a node are, by ACT's program on the node or by
 * ours.
 *
 * @param percent of each GPU's time
 * @param memoryMib used of each GPU
 */
record GpuSample(List<Integer> percent, List<Integer> memoryMib) {
    /** As in {@code [{'mem_used': 3831, 'mem_total': 16130, 'gpu_util': 97}]}. */
    private static final Pattern THEIRS_PERCENT = Pattern.compile("'gpu_util': (\\d{1,3})\\b");

    private static final Pattern THEIRS_MEMORY = Pattern.compile("'mem_used': (\\d{1,9})\\b");

    /** As in {@code GPUs: 0, 97 %, 3831 MiB, 16130 MiB; 1, ...}. */
    private static final Pattern OURS =
            Pattern.compile("\\d{1,4}, (\\d{1,3}) %, (\\d{1,9}) MiB, \\d{1,9} MiB");

    static Optional<GpuSample> of(String line) {
        var percent = new ArrayList<Integer>();
        var memory = new ArrayList<Integer>();
        if (line.contains("'gpu_util': ")) {
            collect(THEIRS_PERCENT.matcher(line), 1, percent);
            collect(THEIRS_MEMORY.matcher(line), 1, memory);
        } else if (line.contains("GPUs: ")) {
            collect(OURS.matcher(line), 1, percent);
            collect(OURS.matcher(line), 2, memory);
        }
        return percent.isEmpty() ? Optional.empty() : Optional.of(new GpuSample(percent, memory));
    }

    private static void collect(Matcher found, int group, List<Integer> numbers) {
        while (found.find()) numbers.add(Integer.valueOf(found.group(group)));
    }

    boolean isFull() {
        for (int each : percent) {
            if (each < 100) return false;
        }
        return true;
    }

    /** Such as {@code 97-100}, or {@code 97} where all are the same. */
    static Optional<String> range(List<Integer> numbers) {
        if (numbers.isEmpty()) return Optional.empty();
        int least = Integer.MAX_VALUE;
        int most = 0;
        for (int number : numbers) {
            least = Math.min(least, number);
            most = Math.max(most, number);
        }
        return Optional.of(least == most ? "" + least : least + "-" + most);
    }
}
