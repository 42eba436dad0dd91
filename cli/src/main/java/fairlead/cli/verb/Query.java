package fairlead.cli.verb;

import fairlead.api.JobBody;
import fairlead.api.JobDetail;
import fairlead.api.JobFilter;
import fairlead.api.LogQuery;
import fairlead.api.Refused;
import fairlead.api.TaskBody;
import fairlead.cli.Arguments;
import fairlead.cli.Example;
import fairlead.cli.ExitCode;
import fairlead.cli.Failure;
import fairlead.cli.Option;
import fairlead.cli.Paint;
import fairlead.cli.Session;
import fairlead.cli.Usage;
import fairlead.cli.UsageException;
import fairlead.cli.Verb;
import fairlead.cli.Words;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Shows the end of a job's log and then what the job is, as users of ACT know it. */
public final class Query implements Verb {
    private static final int LINES = 100;

    /** As many tasks' logs as a reader can choose from. */
    private static final int TASKS_SHOWN = 10;

    private static final int SHORT_ID_CHARACTERS = 5;

    @Override
    public Usage usage() {
        return Usage.reads(
                List.of("query", "q"),
                "[JOB...]",
                Usage.MANY,
                "show the end of a job's log and its facts; several jobs as a table",
                List.of(),
                List.of(
                        Example.of(
                                "fairlead query " + Example.JOB,
                                "the last 100 lines, then the facts"),
                        Example.of("fairlead q", "active jobs as a table")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        List<String> ids = arguments.operands();
        boolean json = arguments.has(Option.JSON);
        if (ids.size() == 1) return one(ids.getFirst(), json, session);
        if (ids.isEmpty()) {
            var answer = session.client().jobs(JobFilter.ALL.state("active"));
            if (json) session.json(answer);
            else session.out().print(JobTable.of(answer.value().jobs(), session));
            return ExitCode.OK;
        }
        var jobs = new ArrayList<JobBody>();
        for (String id : ids) {
            var answer = session.client().job(id);
            if (json) session.json(answer);
            else jobs.add(answer.value().job());
        }
        if (!json) session.out().print(JobTable.of(jobs, session));
        return ExitCode.OK;
    }

    private static int one(String id, boolean json, Session session)
            throws UsageException, Failure, Refused, IOException {
        var answer = session.client().job(id);
        if (json) {
            session.json(answer);
            return ExitCode.OK;
        }
        JobDetail detail = answer.value();
        String full = detail.job().id();
        if (detail.job().attempts() > 0) {
            session.client().logs(full, new LogQuery(null, null, LINES, null), session.out());
        }
        List<TaskBody> tasks = detail.tasks() == null ? List.of() : detail.tasks();
        session.out().line("log files:");
        for (TaskBody task : tasks.subList(0, Math.min(tasks.size(), TASKS_SHOWN))) {
            session.out().line("  fairlead logs " + full + " --task " + task.task());
        }
        session.out().print(facts(detail.job(), session.now()));
        return ExitCode.OK;
    }

    private static String facts(JobBody job, Instant now) {
        var facts = new ArrayList<String>();
        String tail = job.id().substring(Math.max(0, job.id().length() - SHORT_ID_CHARACTERS));
        facts.add("'appID': " + quoted(job.id()));
        facts.add("'appID-s': " + quoted(tail));
        facts.add("'cluster': " + quoted(job.cluster()));
        facts.add("'cmd': " + quoted(job.command() == null ? "" : job.command()));
        facts.add("'elapsedTime': " + hours(job, now));
        facts.add("'num_gpu': " + job.gpus());
        facts.add(
                "'start_time': "
                        + (job.started() == null ? "None" : quoted(Words.time(job.started()))));
        facts.add("'status': " + quoted(status(job.state())));
        return "{" + String.join(",\n ", facts) + "}\n";
    }

    private static String hours(JobBody job, Instant now) {
        if (job.started() == null) return "None";
        Instant end = job.finished() == null ? now : Words.instant(job.finished());
        long millis = Duration.between(Words.instant(job.started()), end).toMillis();
        return String.format(Locale.ROOT, "%.2f", millis / 3_600_000.0);
    }

    /** The words of ACT for our states. */
    private static String status(String state) {
        return switch (state) {
            case "queued", "starting" -> "Queued";
            case "running" -> "Running";
            case "stopping" -> "CancelRequested";
            case "succeeded" -> "Completed";
            case "failed" -> "Failed";
            case "cancelled" -> "Canceled";
            default -> state;
        };
    }

    private static String quoted(String text) {
        String plain = Paint.plain(text, Integer.MAX_VALUE);
        return "'" + plain.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
