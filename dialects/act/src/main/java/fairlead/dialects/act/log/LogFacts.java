package fairlead.dialects.act.log;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the end of a training log says about its course, newest first; empty where it says nothing.
 *
 * @param speed such as {@code 16.1 images/sec}
 * @param left until the end, such as {@code 13:02:24}
 * @param memoryUsed of its node's GPUs in MiB, as {@code least-most}
 * @param gpuUse in percent, likewise
 */
public record LogFacts(
        Optional<String> speed,
        Optional<String> left,
        Optional<String> memoryUsed,
        Optional<String> gpuUse) {
    private static final Pattern SPEED = Pattern.compile("\\bspeed: ([0-9.]+ [^\\s,;]+)");
    private static final Pattern LEFT = Pattern.compile("\\beta: ((?:\\d+ days?, )?[0-9:]+)");
    private static final Pattern MEMORY = Pattern.compile("'mem_used': (\\d{1,9})");
    private static final Pattern USE = Pattern.compile("'gpu_util': (\\d{1,3})");

    public static LogFacts of(List<String> lines) {
        Optional<String> speed = Optional.empty();
        Optional<String> left = Optional.empty();
        Optional<String> memory = Optional.empty();
        Optional<String> use = Optional.empty();
        for (String line : lines.reversed()) {
            if (speed.isEmpty()) speed = first(SPEED, line);
            if (left.isEmpty()) left = first(LEFT, line);
            if (memory.isEmpty()) memory = range(MEMORY, line);
            if (use.isEmpty()) use = range(USE, line);
        }
        return new LogFacts(speed, left, memory, use);
    }

    private static Optional<String> first(Pattern pattern, String line) {
        Matcher found = pattern.matcher(line);
        return found.find() ? Optional.of(found.group(1)) : Optional.empty();
    }

    private static Optional<String> range(Pattern pattern, String line) {
        Matcher found = pattern.matcher(line);
        int least = Integer.MAX_VALUE;
        int most = -1;
        while (found.find()) {
            int value = Integer.parseInt(found.group(1));
            least = Math.min(least, value);
            most = Math.max(most, value);
        }
        if (most < 0) return Optional.empty();
        return Optional.of(least == most ? "" + least : least + "-" + most);
    }
}
