package fairlead.server.history;

import fairlead.simulator.Simulate;
import fairlead.simulator.TraceException;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The simulator with one more source of jobs: {@code --from-journal FILE}. */
public final class SimulateHistory {
    private static final int EXIT_BAD_INPUT = 2;
    private static final String FROM_JOURNAL = "--from-journal";

    private SimulateHistory() {}

    public static void main(String[] arguments) {
        var out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        var err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        int code = run(List.of(arguments), out, err);
        out.flush();
        System.exit(code);
    }

    static int run(List<String> arguments, PrintStream out, PrintStream err) {
        int at = arguments.indexOf(FROM_JOURNAL);
        if (at < 0) return Simulate.run(arguments, out, err);
        try {
            if (at + 1 == arguments.size()) {
                throw new TraceException(FROM_JOURNAL + " needs a file");
            }
            History history = History.read(Path.of(arguments.get(at + 1)));
            var rest = new ArrayList<>(arguments);
            rest.subList(at, at + 2).clear();
            if (history.leftOut() > 0) {
                err.printf(
                        "fairlead simulate: jobs left out, because they had no GPU or never ran:"
                                + " %d%n",
                        history.leftOut());
            }
            return Simulate.run(rest, Optional.of(history::trace), out, err);
        } catch (TraceException wrong) {
            err.println("fairlead simulate: " + wrong.getMessage());
            return EXIT_BAD_INPUT;
        }
    }
}
