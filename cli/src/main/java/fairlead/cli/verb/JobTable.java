package fairlead.cli.verb;

import fairlead.api.JobBody;
import fairlead.cli.Paint;
import fairlead.cli.Session;
import fairlead.cli.Table;
import fairlead.cli.Words;

import java.time.Instant;
import java.util.List;

/** Jobs as a table, one on each line. */
final class JobTable {
    /** Leaves room for the other columns on a usual screen. */
    private static final int COMMAND_CHARACTERS_MAX = 50;

    private JobTable() {}

    static String of(List<JobBody> jobs, Session session) {
        var paint = new Paint(session.terminal().colour());
        Instant now = session.now();
        var table =
                new Table()
                        .row(
                                "ID", "STATE", "PLACE", "START", "GPUS", "OWNER", "AGE", "TIME",
                                "COMMAND");
        for (JobBody job : jobs) {
            table.row(
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
}
