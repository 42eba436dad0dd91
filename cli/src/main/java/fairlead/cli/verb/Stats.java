package fairlead.cli.verb;

import fairlead.api.StatsBody;
import fairlead.api.client.Refused;
import fairlead.api.report.ReportBody;
import fairlead.api.report.UseBody;
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
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Counts jobs by state and GPUs by owner, or reports who used GPUs since some time ago. */
public final class Stats implements Verb {
    private static final Option SINCE =
            Option.valued("--since", null, "T", "who used GPUs since then: 12h, 7d");
    private static final Option CSV =
            Option.flag("--csv", null, "that report for a spreadsheet; of 7d unless --since says");

    @Override
    public Usage usage() {
        return Usage.reads(
                List.of("stats"),
                "",
                0,
                "count jobs and GPUs; with --since, report who has used them",
                List.of(SINCE, CSV),
                List.of(
                        Example.of("fairlead stats", "how full it is, and who uses it"),
                        Example.of(
                                "fairlead stats --since 7d",
                                "GPU-hours, waiting, lent and borrowed of the last week"),
                        Example.of("fairlead stats --since 30d --csv", "for a spreadsheet")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        if (arguments.has(SINCE) || arguments.has(CSV)) return report(arguments, session);
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
        new TreeMap<>(stats.jobs())
                .forEach((state, count) -> jobs.row(Words.state(state), count.toString()));
        session.out().print("\n" + jobs.text());
        if (stats.gpusByOwner() == null || stats.gpusByOwner().isEmpty()) return ExitCode.OK;
        var owners = new Table().row("OWNER", "GPUS");
        new TreeMap<>(stats.gpusByOwner())
                .forEach((owner, gpus) -> owners.row(owner, Words.number(gpus)));
        session.out().print("\n" + owners.text());
        return ExitCode.OK;
    }

    private static int report(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        Duration span = Words.duration(arguments.text(SINCE).orElse("7d"));
        if (!span.isPositive()) throw new UsageException("--since must be longer than nothing");
        var answer = session.client().report(session.now().minus(span));
        if (arguments.has(Option.JSON)) {
            session.json(answer);
            return ExitCode.OK;
        }
        ReportBody report = answer.value();
        if (arguments.has(CSV)) printCsv(report, session);
        else printReport(report, span, session);
        for (String note : report.notes()) session.say(note);
        return ExitCode.OK;
    }

    private static void printReport(ReportBody report, Duration span, Session session)
            throws IOException {
        double all = report.gpus() * span.toSeconds() / 3_600.0;
        String part = all == 0 ? "" : " (%.0f %%)".formatted(100 * report.gpuHours() / all);
        session.out()
                .line(
                        "GPU-hours of the last %s: %s of %s%s"
                                .formatted(
                                        Words.age(span),
                                        hours(report.gpuHours()),
                                        hours(all),
                                        part));
        var people = new Table().row("PERSON", "JOBS", "FAILED", "GPU-HOURS", "WAIT");
        for (UseBody use : report.people()) {
            people.row(
                    use.name(),
                    Integer.toString(use.jobs()),
                    Integer.toString(use.failed()),
                    hours(use.gpuHours()),
                    wait(use));
        }
        session.out().print("\n" + people.text());
        var projects =
                new Table()
                        .row(
                                "PROJECT",
                                "QUOTA",
                                "JOBS",
                                "FAILED",
                                "GPU-HOURS",
                                "BORROWED",
                                "LENT",
                                "WAIT");
        for (UseBody use : report.projects()) {
            projects.row(
                    use.name(),
                    use.quota() == null ? "-" : use.quota().toString(),
                    Integer.toString(use.jobs()),
                    Integer.toString(use.failed()),
                    hours(use.gpuHours()),
                    use.borrowedHours() == null ? "-" : hours(use.borrowedHours()),
                    use.lentHours() == null ? "-" : hours(use.lentHours()),
                    wait(use));
        }
        session.out().print("\n" + projects.text());
    }

    private static String hours(double hours) {
        return String.format(Locale.ROOT, hours < 10 ? "%.2f" : "%.0f", hours);
    }

    /** The median. */
    private static String wait(UseBody use) {
        return use.waitSeconds() == null
                ? "-"
                : Words.age(Duration.ofSeconds(use.waitSeconds().longValue()));
    }

    private static void printCsv(ReportBody report, Session session) throws IOException {
        session.out()
                .line(
                        "kind,name,quota,jobs,failed,gpu_hours,borrowed_hours,lent_hours,"
                                + "median_wait_seconds");
        for (UseBody use : report.people()) session.out().line(csv("person", use));
        for (UseBody use : report.projects()) session.out().line(csv("project", use));
    }

    /** Neither people nor projects have a comma or a quote in their names. */
    private static String csv(String kind, UseBody use) {
        return Stream.of(
                        kind,
                        use.name(),
                        use.quota(),
                        use.jobs(),
                        use.failed(),
                        use.gpuHours(),
                        use.borrowedHours(),
                        use.lentHours(),
                        use.waitSeconds())
                .map(value -> value == null ? "" : value.toString())
                .collect(Collectors.joining(","));
    }
}
