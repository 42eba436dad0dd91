package fairlead.simulator;

import fairlead.journal.JournalException;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Replays a trace and prints how well its jobs were told when they would start, as CSV. Meant for
 * {@code bench/forecast.py}; takes the arguments of {@link Simulate}.
 */
public final class SimulateForecasts {
    private static final int EXIT_BAD_INPUT = 2;

    private SimulateForecasts() {}

    public static void main(String[] arguments) {
        var out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        var err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        int code = run(List.of(arguments), out, err);
        out.flush();
        System.exit(code);
    }

    /** The exit code: 0, or 2 when an argument or a file is wrong. */
    static int run(List<String> arguments, PrintStream out, PrintStream err) {
        try {
            var asked = SimulateArguments.parse(arguments, true);
            Trace trace = Simulate.read(asked, asked.trace().orElseThrow());
            out.println("policy,jobs,told,inside,width_s,past_inside,past_width_s,waited_s");
            for (String policy : asked.policies()) {
                List<Foretelling.Told> told =
                        new Replay(policy, trace, asked.setting()).runForetelling();
                out.printf(
                        Locale.ROOT,
                        "%s,%d,%d,%.3f,%d,%.3f,%d,%d%n",
                        policy,
                        trace.jobs().size(),
                        told.size(),
                        part(told, Foretelling.Told::isInside),
                        median(told, Foretelling.Told::width),
                        part(told, Foretelling.Told::isInsidePast),
                        median(told, Foretelling.Told::pastWidth),
                        median(told, Foretelling.Told::waited));
            }
            return 0;
        } catch (IllegalArgumentException | TraceException wrong) {
            err.println(wrong.getMessage());
            return EXIT_BAD_INPUT;
        } catch (JournalException impossible) {
            throw new IllegalStateException("a journal in memory failed", impossible);
        }
    }

    private static double part(List<Foretelling.Told> told, Predicate<Foretelling.Told> isInside) {
        return told.stream().mapToInt(each -> isInside.test(each) ? 1 : 0).average().orElse(0);
    }

    private static long median(
            List<Foretelling.Told> told, Function<Foretelling.Told, Duration> time) {
        List<Duration> sorted = told.stream().map(time).sorted().toList();
        return sorted.isEmpty() ? 0 : sorted.get(sorted.size() / 2).toSeconds();
    }
}
