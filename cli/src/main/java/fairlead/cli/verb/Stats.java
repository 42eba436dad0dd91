package fairlead.cli.verb;

import fairlead.api.StatsBody;
import fairlead.api.client.Refused;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.Table;
import fairlead.cli.terminal.UsageException;
import fairlead.cli.terminal.Words;

import java.io.IOException;
import java.util.List;
import java.util.TreeMap;

/** Counts jobs by state and GPUs by owner. */
public final class Stats implements Verb {
    @Override
    public Usage usage() {
        return Usage.reads(
                List.of("stats"),
                "",
                0,
                "count jobs by state and GPUs by owner",
                List.of(),
                List.of(Example.of("fairlead stats", "how full it is, and who uses it")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        var answer = session.client().stats();
        if (arguments.has(Option.JSON)) {
            session.json(answer);
            return ExitCode.OK;
        }
        StatsBody stats = answer.value();
        session.out().line("GPUs: " + stats.gpusFree() + " of " + stats.gpus() + " free");
        List<String> notes = stats.notes() == null ? List.of() : stats.notes();
        for (String note : notes) session.out().line("- " + note);
        long judged = stats.predictedWell() + stats.predictedBadly();
        if (judged > 0) {
            session.out()
                    .line(
                            "Predicted starts: %d of %d fell into their 80 %% band (%d %%)"
                                    .formatted(
                                            stats.predictedWell(),
                                            judged,
                                            100 * stats.predictedWell() / judged));
        }
        var jobs = new Table().row("JOBS", "COUNT");
        new TreeMap<>(stats.jobs()).forEach((state, count) -> jobs.row(state, count.toString()));
        session.out().print("\n" + jobs.text());
        if (stats.gpusByOwner() == null || stats.gpusByOwner().isEmpty()) return ExitCode.OK;
        var owners = new Table().row("OWNER", "GPUS");
        new TreeMap<>(stats.gpusByOwner())
                .forEach((owner, gpus) -> owners.row(owner, Words.number(gpus)));
        session.out().print("\n" + owners.text());
        return ExitCode.OK;
    }
}
