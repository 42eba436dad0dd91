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

    public static LogFacts of(List<String> lines) {
        Optional<String> speed = Optional.empty();
        Optional<String> left = Optional.empty();
        Optional<String> memory = Optional.empty();
        Optional<String> use = Optional.empty();
        for (String line : lines.reversed()) {
            if (speed.isEmpty()) speed = first(SPEED, line);
            if (left.isEmpty()) left = first(LEFT, line);
            if (use.isPresent()) continue;
            Optional<GpuSample> sample = GpuSample.of(line);
            memory = sample.flatMap(found -> GpuSample.range(found.memoryMib()));
            use = sample.flatMap(found -> GpuSample.range(found.percent()));
        }
        return new LogFacts(speed, left, memory, use);
    }

    private static Optional<String> first(Pattern pattern, String line) {
        Matcher found = pattern.matcher(line);
        return found.find() ? Optional.of(found.group(1)) : Optional.empty();
    }
}
