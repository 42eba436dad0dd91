package fairlead.simulator;

import fairlead.journal.JournalException;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What every program of the simulator does around its own work: streams, exit codes, bad input. */
public final class Program {
    private static final int EXIT_BAD_INPUT = 2;

    private Program() {}

    /** Its exit code. */
    @FunctionalInterface
    public interface Main {
        int run(List<String> arguments, PrintStream out, PrintStream err);
    }

    /** What one does, when its arguments and files are right. */
    @FunctionalInterface
    public interface Work {
        void run() throws TraceException, JournalException;
    }

    public static void main(String[] arguments, Main program) {
        var out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        var err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        int code = program.run(List.of(arguments), out, err);
        out.flush();
        System.exit(code);
    }

    /**
     * The exit code: 0, or 2 when an argument or a file is wrong.
     *
     * @param name before what is wrong
     */
    public static int run(String name, PrintStream err, Work work) {
        try {
            work.run();
            return 0;
        } catch (IllegalArgumentException | TraceException wrong) {
            err.println(name + ": " + wrong.getMessage());
            return EXIT_BAD_INPUT;
        } catch (JournalException impossible) {
            throw new IllegalStateException("a journal in memory failed", impossible);
        }
    }
}
