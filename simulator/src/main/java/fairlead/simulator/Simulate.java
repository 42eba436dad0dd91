package fairlead.simulator;

import fairlead.journal.JournalException;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Replays a trace under one policy after another and prints how each did. */
public final class Simulate {
    public static final String NAME = "fairlead simulate";

    private Simulate() {}

    public static void main(String[] arguments) {
        Program.main(arguments, Simulate::run);
    }

    /** Where jobs come from that are in no trace file. */
    @FunctionalInterface
    public interface Source {
        Trace read(Trace.Shape shape) throws TraceException;
    }

    /** The exit code: 0, or 2 when an argument or a file is wrong; then nothing has been run. */
    public static int run(List<String> arguments, PrintStream out, PrintStream err) {
        return Program.run(NAME, err, () -> run(arguments, Optional.empty(), out));
    }

    /**
     * @param source instead of a trace file
     */
    public static void run(List<String> arguments, Optional<Source> source, PrintStream out)
            throws TraceException, JournalException {
        var asked = SimulateArguments.parse(arguments, source.isEmpty());
        Trace read =
                source.isPresent()
                        ? source.get().read(asked.setting().shape())
                        : read(asked, asked.trace().orElseThrow());
        Trace trace = asked.people().isPresent() ? read.dealtTo(asked.people().getAsInt()) : read;
        var reports = new ArrayList<Report>();
        for (String policy : asked.policies()) {
            Replay.Result result = new Replay(policy, trace, asked.setting()).run();
            reports.add(Report.of(policy, trace, asked.setting(), result));
        }
        if (asked.csv().isPresent()) write(asked.csv().get(), ReportText.csv(reports));
        out.print(asked.json() ? ReportText.json(reports) : ReportText.table(reports));
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
