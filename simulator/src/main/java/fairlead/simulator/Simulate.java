package fairlead.simulator;

import fairlead.journal.JournalException;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Replays a trace under one policy after another and prints how each did. */
public final class Simulate {
    private static final int EXIT_BAD_INPUT = 2;

    private Simulate() {}

    public static void main(String[] arguments) {
        var out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        var err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        int code = run(List.of(arguments), out, err);
        out.flush();
        System.exit(code);
    }

    /** Where jobs come from that are in no trace file. */
    @FunctionalInterface
    public interface Source {
        Trace read(Trace.Shape shape) throws TraceException;
    }

    /** The exit code: 0, or 2 when an argument or a file is wrong; then nothing has been run. */
    public static int run(List<String> arguments, PrintStream out, PrintStream err) {
        return run(arguments, Optional.empty(), out, err);
    }

    /**
     * @param source instead of a trace file
     */
    public static int run(
            List<String> arguments, Optional<Source> source, PrintStream out, PrintStream err) {
        try {
            var asked = SimulateArguments.parse(arguments, source.isEmpty());
            Trace read =
                    source.isPresent()
                            ? source.get().read(asked.setting().shape())
                            : read(asked, asked.trace().orElseThrow());
            Trace trace =
                    asked.people().isPresent() ? read.dealtTo(asked.people().getAsInt()) : read;
            var reports = new ArrayList<Report>();
            for (String policy : asked.policies()) {
                Replay.Result result = new Replay(policy, trace, asked.setting()).run();
                reports.add(Report.of(policy, trace, asked.setting(), result));
            }
            if (asked.csv().isPresent()) write(asked.csv().get(), ReportText.csv(reports));
            out.print(asked.json() ? ReportText.json(reports) : ReportText.table(reports));
            return 0;
        } catch (IllegalArgumentException | TraceException wrong) {
            err.println("fairlead simulate: " + wrong.getMessage());
            return EXIT_BAD_INPUT;
        } catch (JournalException impossible) {
            throw new IllegalStateException("a journal in memory failed", impossible);
        }
    }

    static Trace read(SimulateArguments asked, Path file) throws TraceException {
        return asked.workload().isPresent()
                ? Trace.profiled(
                        file,
                        asked.workload().get(),
                        asked.profiles().orElseThrow(),
                        asked.setting().shape())
                : Trace.plain(file, asked.setting().shape());
    }

    private static void write(Path file, String text) throws TraceException {
        try {
            Files.writeString(file, text);
        } catch (IOException failure) {
            throw new TraceException("cannot write " + file + ": " + failure);
        }
    }
}
