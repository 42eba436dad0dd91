package fairlead.server.history;

import fairlead.journal.JournalException;
import fairlead.simulator.Program;
import fairlead.simulator.Simulate;
import fairlead.simulator.TraceException;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The simulator with one more source of jobs: {@code --from-journal FILE}. */
public final class SimulateHistory {
    private static final String FROM_JOURNAL = "--from-journal";

    private SimulateHistory() {}

    public static void main(String[] arguments) {
        Program.main(arguments, SimulateHistory::run);
    }

    static int run(List<String> arguments, PrintStream out, PrintStream err) {
        int at = arguments.indexOf(FROM_JOURNAL);
        if (at < 0) return Simulate.run(arguments, out, err);
        return Program.run(Simulate.NAME, err, () -> run(arguments, at, out, err));
    }

    private static void run(List<String> arguments, int at, PrintStream out, PrintStream err)
            throws TraceException, JournalException {
        if (at + 1 == arguments.size()) throw new TraceException(FROM_JOURNAL + " needs a file");
        History history = History.read(Path.of(arguments.get(at + 1)));
        var rest = new ArrayList<>(arguments);
        rest.subList(at, at + 2).clear();
        if (history.leftOut() > 0) {
            err.printf(
                    "%s: jobs left out, because they had no GPU or never ran: %d%n",
                    Simulate.NAME, history.leftOut());
        }
        Simulate.run(rest, Optional.of(history::trace), out);
    }
}
