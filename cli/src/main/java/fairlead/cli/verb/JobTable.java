package fairlead.cli.verb;

import fairlead.api.JobBody;
import fairlead.api.JobPage;
import fairlead.cli.line.Session;
import fairlead.cli.terminal.Paint;
import fairlead.cli.terminal.Table;
import fairlead.cli.terminal.Words;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Jobs as a table, one on each line. */
public final class JobTable {
    /** Leaves room for the other columns on a usual screen. */
    private static final int COMMAND_CHARACTERS_MAX = 50;

    private static final String EPOCHS = "epochs";

    /** What everybody wants to see. */
    private static final List<String> USUAL =
            List.of(
                    "id", "state", "place", "start", "gpus", EPOCHS, "owner", "age", "time",
                    "command");

    private static final List<String> FURTHER = List.of("name", "project", "cluster", "nodes");

    /** All columns. */
    public static final List<String> WIDE = wide();

    private JobTable() {}

    private static List<String> wide() {
        var wide = new ArrayList<>(USUAL.subList(0, USUAL.size() - 1));
        wide.addAll(FURTHER);
        wide.add(USUAL.getLast());
        return List.copyOf(wide);
    }

    public static String of(List<JobBody> jobs, Session session) {
        return of(jobs, Map.of(), session);
    }

    /** The usual columns; a job of one of these arrays stands for all of it. */
    static String of(
            List<JobBody> jobs, Map<String, JobPage.ArrayProgress> arrays, Session session) {
        var columns = new ArrayList<>(USUAL);
        // Lines are long enough: the column is there only where a job trains.
        if (jobs.stream().allMatch(job -> job.epochs() == null)) columns.remove(EPOCHS);
        return of(jobs, arrays, columns, COMMAND_CHARACTERS_MAX, session);
    }

    /** These columns, and commands in full. */
    static String of(
            List<JobBody> jobs,
            Map<String, JobPage.ArrayProgress> arrays,
            List<String> columns,
            Session session) {
        return of(jobs, arrays, columns, Integer.MAX_VALUE, session);
    }

    private static String of(
            List<JobBody> jobs,
            Map<String, JobPage.ArrayProgress> arrays,
            List<String> columns,
            int commandMax,
            Session session) {
        var paint = new Paint(session.terminal().colour());
        Instant now = session.now();
        var table = new Table();
        table.row(
                columns.stream().map(name -> name.toUpperCase(Locale.ROOT)).toArray(String[]::new));
        for (JobBody job : jobs) {
            var array = job.array() == null ? null : arrays.get(job.array());
            var cells = new String[columns.size()];
            for (int i = 0; i < cells.length; i++) {
                cells[i] =
                        array == null
                                ? cell(columns.get(i), job, commandMax, paint, now)
                                : cell(columns.get(i), array, job, commandMax, paint, now);
            }
            table.row(cells);
        }
        return table.text();
    }

    /** Of a row for a whole array; the job is the one that starts next, where any waits. */
    private static String cell(
            String column,
            JobPage.ArrayProgress array,
            JobBody job,
            int commandMax,
            Paint paint,
            Instant now) {
        return switch (column) {
            case "id" -> array.id();
            case "state" -> ArrayWords.state(array, paint);
            case EPOCHS, "time", "nodes" -> "-";
            case "command" -> plain(array.command(), commandMax);
            default -> cell(column, job, commandMax, paint, now);
        };
    }

    private static String cell(
            String column, JobBody job, int commandMax, Paint paint, Instant now) {
        return switch (column) {
            case "id" -> job.id();
            case "state" -> paint.state(job.state(), Words.state(job));
            case "place" -> job.place() == null ? "-" : job.place().toString();
            case "start" ->
                    Words.start(
                            job.predictedStart(),
                            job.predictedEarliest(),
                            job.predictedLatest(),
                            now);
            case "gpus" -> Words.gpus(job);
            case EPOCHS -> Words.epochs(job);
            case "owner" -> job.owner();
            case "age" -> Words.age(job.submitted(), now);
            case "time" -> Words.running(job, now);
            case "name" -> plain(job.name(), Integer.MAX_VALUE);
            case "project" -> plain(job.project(), Integer.MAX_VALUE);
            case "cluster" -> plain(job.cluster(), Integer.MAX_VALUE);
            case "nodes" -> nodes(job);
            case "command" -> plain(job.command(), commandMax);
            default -> throw new IllegalArgumentException("no column " + column);
        };
    }

    private static String nodes(JobBody job) {
        boolean hasNone = job.nodes() == null || job.nodes().isEmpty();
        return hasNone ? "-" : String.join(",", job.nodes());
    }

    private static String plain(String text, int charactersMax) {
        return text == null ? "-" : Paint.plain(text, charactersMax);
    }

    /** The order of a column: ages and times from the shortest, those without a place last. */
    static Comparator<JobBody> order(String column, Instant now) {
        return switch (column) {
            case "id" -> Comparator.comparing(JobBody::id);
            case "state" -> Comparator.comparing(JobBody::state);
            case "place" -> Comparator.comparing(JobBody::place, lastIfNull());
            case "start" -> Comparator.comparing(JobBody::predictedStart, lastIfNull());
            case "gpus" -> Comparator.comparing(JobBody::gpus);
            case EPOCHS -> Comparator.comparing(JobBody::epochsDone, lastIfNull());
            case "owner" -> Comparator.comparing(JobBody::owner);
            case "age" -> Comparator.comparing(JobBody::submitted).reversed();
            case "time" -> Comparator.comparing(job -> Words.runningFor(job, now));
            case "name" -> Comparator.comparing(JobBody::name, lastIfNull());
            case "project" -> Comparator.comparing(JobBody::project, lastIfNull());
            case "cluster" -> Comparator.comparing(JobBody::cluster, lastIfNull());
            case "nodes" -> Comparator.comparing(JobTable::nodes);
            case "command" -> Comparator.comparing(JobBody::command, lastIfNull());
            default -> throw new IllegalArgumentException("no column " + column);
        };
    }

    private static <T extends Comparable<T>> Comparator<T> lastIfNull() {
        return Comparator.nullsLast(Comparator.naturalOrder());
    }
}
