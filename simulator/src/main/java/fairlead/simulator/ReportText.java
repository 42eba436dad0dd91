package fairlead.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

/** Reports as text: a table for people, and the same numbers as JSON and CSV for programs. */
final class ReportText {
    /**
     * One number or word of a report.
     *
     * @param key for programs: seconds are marked, fractions go from 0 to 1
     * @param isWord left-aligned, and in quotes where JSON wants them
     */
    private record Column(
            String title,
            String key,
            boolean isWord,
            Function<Report, Object> value,
            Function<Report, String> shown) {
        static Column word(String name, Function<Report, String> value) {
            return new Column(name, name, true, value::apply, value);
        }

        static Column seconds(String title, String key, Function<Report, Double> value) {
            return number(title, key + "Seconds", "%,.2f", value);
        }

        static Column percent(String title, String key, Function<Report, Double> value) {
            return new Column(
                    title,
                    key,
                    false,
                    value::apply,
                    report -> "%.1f %%".formatted(100 * value.apply(report)));
        }

        static Column number(
                String title, String key, String format, Function<Report, ? extends Number> value) {
            return new Column(
                    title,
                    key,
                    false,
                    value::apply,
                    report -> String.format(Locale.ROOT, format, value.apply(report)));
        }
    }

    private static final List<Column> COLUMNS =
            List.of(
                    Column.word("policy", Report::policy),
                    Column.word("knows", Report::knows),
                    Column.number("jobs", "jobs", "%d", Report::jobs),
                    Column.seconds("mean s", "mean", Report::mean),
                    Column.seconds("median s", "median", Report::median),
                    Column.seconds("p90 s", "p90", Report::p90),
                    Column.seconds("p99 s", "p99", Report::p99),
                    Column.seconds("makespan s", "makespan", Report::makespan),
                    Column.percent("GPU use", "gpuUse", Report::gpuUse),
                    Column.number("preempted", "preemptions", "%d", Report::preemptions),
                    Column.number(
                            "Shockwave worst", "shockwaveWorst", "%.2f", Report::shockwaveWorst),
                    Column.percent("unfair", "shockwaveUnfair", Report::shockwaveUnfair),
                    Column.number("Themis worst", "themisWorst", "%.2f", Report::themisWorst),
                    Column.percent("unfair", "themisUnfair", Report::themisUnfair),
                    Column.percent("by both", "bothUnfair", Report::bothUnfair));

    private static final List<Column> JUDGED =
            List.of(
                    Column.percent("unjust", "unjustTime", report -> justice(report).unjustTime()),
                    Column.seconds("worst s", "worstUnjust", report -> justice(report).worst()),
                    Column.number(
                            "stops a job",
                            "stopsPerJob",
                            "%.2f",
                            report -> justice(report).stops()),
                    Column.number("faults", "faults", "%d", report -> justice(report).faults()));

    private ReportText() {}

    private static Report.Justice justice(Report report) {
        return report.justice().orElseThrow();
    }

    /** What the judge has seen only where there was one. */
    private static List<Column> columns(List<Report> reports) {
        if (reports.getFirst().justice().isEmpty()) return COLUMNS;
        return Stream.concat(COLUMNS.stream(), JUDGED.stream()).toList();
    }

    static String table(List<Report> reports) {
        var lines = new ArrayList<StringBuilder>();
        for (int i = 0; i <= reports.size(); i++) lines.add(new StringBuilder());
        for (Column column : columns(reports)) {
            var cells = new ArrayList<String>();
            cells.add(column.title());
            reports.forEach(report -> cells.add(column.shown().apply(report)));
            int width = cells.stream().mapToInt(String::length).max().orElseThrow();
            for (int i = 0; i < cells.size(); i++) {
                String pad = " ".repeat(width - cells.get(i).length());
                StringBuilder line = lines.get(i);
                if (!line.isEmpty()) line.append("  ");
                line.append(column.isWord() ? cells.get(i) + pad : pad + cells.get(i));
            }
        }
        return String.join("\n", lines) + "\n";
    }

    static String csv(List<Report> reports) {
        var text = new StringBuilder();
        List<Column> columns = columns(reports);
        text.append(String.join(",", columns.stream().map(Column::key).toList())).append('\n');
        for (Report report : reports) {
            text.append(
                            String.join(
                                    ",",
                                    columns.stream()
                                            .map(column -> column.value().apply(report).toString())
                                            .toList()))
                    .append('\n');
        }
        return text.toString();
    }

    /** A list with an object for each policy. No word in it needs an escape. */
    static String json(List<Report> reports) {
        var objects = new ArrayList<String>();
        for (Report report : reports) {
            var fields = new ArrayList<String>();
            for (Column column : columns(reports)) {
                String quote = column.isWord() ? "\"" : "";
                fields.add(
                        "\"%s\":%s%s%s"
                                .formatted(
                                        column.key(), quote, column.value().apply(report), quote));
            }
            objects.add("  {" + String.join(",", fields) + "}");
        }
        return "[\n" + String.join(",\n", objects) + "\n]\n";
    }
}
