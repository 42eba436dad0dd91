package fairlead.cli.verb;

import fairlead.api.JobBody;
import fairlead.cli.line.Session;
import fairlead.cli.terminal.Paint;
import fairlead.cli.terminal.Table;
import fairlead.cli.terminal.Words;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Jobs as a table, one on each line. */
public final class JobTable {
    /** Leaves room for the other columns on a usual screen. */
    private static final int COMMAND_CHARACTERS_MAX = 50;

    /** After the GPUs. */
    private static final int EPOCHS_COLUMN = 5;

    private JobTable() {}

    public static String of(List<JobBody> jobs, Session session) {
        var paint = new Paint(session.terminal().colour());
        Instant now = session.now();
        // Lines are long enough: the column is there only where a job trains.
        boolean epochs = jobs.stream().anyMatch(job -> job.epochs() != null);
        var table = new Table();
        row(
                table,
                epochs ? "EPOCHS" : null,
                "ID",
                "STATE",
                "PLACE",
                "START",
                "GPUS",
                "OWNER",
                "AGE",
                "TIME",
                "COMMAND");
        for (JobBody job : jobs) {
            row(
                    table,
                    epochs ? Words.epochs(job) : null,
                    job.id(),
                    paint.state(job.state(), Words.state(job)),
                    job.place() == null ? "-" : job.place().toString(),
                    Words.start(
                            job.predictedStart(),
                            job.predictedEarliest(),
                            job.predictedLatest(),
                            now),
                    Words.gpus(job),
                    job.owner(),
                    Words.age(job.submitted(), now),
                    Words.running(job, now),
                    job.command() == null
                            ? "-"
                            : Paint.plain(job.command(), COMMAND_CHARACTERS_MAX));
        }
        return table.text();
    }

    private static void row(Table table, String epochs, String... cells) {
        var row = new ArrayList<>(List.of(cells));
        if (epochs != null) row.add(EPOCHS_COLUMN, epochs);
        table.row(row.toArray(String[]::new));
    }
}
