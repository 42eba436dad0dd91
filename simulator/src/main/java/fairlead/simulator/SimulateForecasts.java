package fairlead.simulator;

import fairlead.journal.JournalException;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * Replays a trace and prints how well the starts of its jobs were predicted, as CSV. Meant for
 * {@code bench/forecast.py}; takes the arguments of {@link Simulate}.
 */
public final class SimulateForecasts {
    private SimulateForecasts() {}

    public static void main(String[] arguments) {
        Program.main(arguments, SimulateForecasts::run);
    }

    /** The exit code: 0, or 2 when an argument or a file is wrong. */
    static int run(List<String> arguments, PrintStream out, PrintStream err) {
        return Program.run("SimulateForecasts", err, () -> replay(arguments, out));
    }

    private static void replay(List<String> arguments, PrintStream out)
            throws TraceException, JournalException {
        var asked = SimulateArguments.parse(arguments, true);
        Trace trace = Simulate.read(asked, asked.trace().orElseThrow());
        out.println(
                "policy,jobs,told,inside,width_s,past_inside,past_width_s,past_as_sure_width_s,waited_s");
        for (String policy : asked.policies()) {
            List<Foretelling.Told> told =
                    new Replay(policy, trace, asked.setting()).runForetelling();
            double inside = part(told, Foretelling.Told::band);
            double more = widening(told, inside);
            out.printf(
                    Locale.ROOT,
                    "%s,%d,%d,%.3f,%d,%.3f,%d,%d,%d%n",
                    policy,
                    trace.jobs().size(),
                    told.size(),
                    inside,
                    median(told, each -> each.band().width()),
                    part(told, Foretelling.Told::past),
                    median(told, each -> each.past().width()),
                    median(told, each -> each.past().widened(more).width()),
                    median(told, Foretelling.Told::waited));
        }
    }

    private static double part(
            List<Foretelling.Told> told, Function<Foretelling.Told, Foretelling.Band> band) {
        return told.stream()
                .mapToInt(each -> band.apply(each).holds(each.waited()) ? 1 : 0)
                .average()
                .orElse(0);
    }

    /** By how much the bands of the past must be wider to hold that part of all starts. */
    private static double widening(List<Foretelling.Told> told, double part) {
        double[] needed =
                told.stream()
                        .mapToDouble(each -> each.past().misses(each.waited()))
                        .sorted()
                        .toArray();
        int place = (int) Math.round(part * needed.length) - 1;
        return needed.length == 0 ? 0 : needed[Math.max(0, place)];
    }

    private static long median(
            List<Foretelling.Told> told, Function<Foretelling.Told, Duration> time) {
        List<Duration> sorted = told.stream().map(time).sorted().toList();
        return sorted.isEmpty() ? 0 : sorted.get(sorted.size() / 2).toSeconds();
    }
}
