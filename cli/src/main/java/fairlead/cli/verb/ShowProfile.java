package fairlead.cli.verb;

import fairlead.api.ErrorCode;
import fairlead.api.ProfileBody;
import fairlead.api.SpeedBody;
import fairlead.api.client.Refused;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.Refusal;
import fairlead.cli.terminal.Table;
import fairlead.cli.terminal.UsageException;
import fairlead.cli.terminal.Words;

import java.io.IOException;
import java.util.List;

/** Shows how fast a training job is on how many GPUs, as a table and as a plot. */
public final class ShowProfile implements Verb {
    @Override
    public Usage usage() {
        return Usage.reads(
                List.of("profile"),
                "JOB",
                1,
                "show how fast a training job is, by the number of GPUs",
                List.of(),
                List.of(
                        Example.of(
                                "fairlead profile " + Example.JOB,
                                "what this job and earlier ones with its script have measured")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        String id = arguments.some("job").getFirst();
        if (arguments.has(Option.JSON)) {
            session.json(session.client().profile(id));
            return ExitCode.OK;
        }
        ProfileBody profile;
        try {
            profile = session.client().profile(id).value();
        } catch (Refused e) {
            // That a job does not train is an answer for a person, and no mistake of theirs.
            if (!e.is(ErrorCode.CONFLICT)) throw e;
            session.out().line(Refusal.words(e));
            return ExitCode.OK;
        }
        if (profile.rows() == null || profile.rows().isEmpty()) {
            session.out()
                    .line(
                            profile.id()
                                    + ": nothing has been measured yet; a script that reports its"
                                    + " epochs is measured from the first one on");
        } else {
            session.out().print(table(profile.rows()));
            session.out().print("\n" + SpeedUpPlot.of(profile.rows(), session.terminal()));
            notes(profile, session);
        }
        return ExitCode.OK;
    }

    private static String table(List<SpeedBody> rows) {
        SpeedBody first = rows.getFirst();
        var table =
                new Table()
                        .row(
                                "NODES",
                                "GPUS",
                                "SHARED",
                                "S/EPOCH",
                                "S/STEP",
                                "EPOCHS",
                                "SPEED-UP",
                                "EFFICIENCY",
                                "MEASURED BY");
        for (SpeedBody row : rows) {
            double efficiency = row.speedUp() / SpeedUpPlot.proportion(row, first);
            table.row(
                    String.valueOf(row.nodes()),
                    String.valueOf(row.gpus()),
                    row.shared() ? "yes" : "no",
                    Words.significant(row.epochSeconds()),
                    row.stepSeconds() == null ? "-" : Words.significant(row.stepSeconds()),
                    String.valueOf(row.epochs()),
                    Words.significant(row.speedUp()),
                    Math.round(100 * efficiency) + "%",
                    row.own() ? "this job" : "earlier jobs");
        }
        return table.text();
    }

    private static void notes(ProfileBody profile, Session session) throws IOException {
        if (profile.gpuMemoryBytes() != null) {
            session.out().line("\nGPU memory peak: " + Words.size(profile.gpuMemoryBytes()));
        }
        boolean borrowed = profile.rows().stream().anyMatch(row -> !row.own());
        if (borrowed) {
            session.out()
                    .line(
                            "\n"
                                    + "Rows of earlier jobs come from runs of the same script with"
                                    + " the same batch size.");
        }
    }
}
