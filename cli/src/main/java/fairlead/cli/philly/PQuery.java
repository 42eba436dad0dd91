package fairlead.cli.philly;

import fairlead.api.JobBody;
import fairlead.api.JobDetail;
import fairlead.api.client.Refused;
import fairlead.cli.act.ActJobs;
import fairlead.cli.act.assets.JobAssets;
import fairlead.cli.act.verb.ActFacts;
import fairlead.cli.act.verb.ActStatus;
import fairlead.cli.act.verb.QueryLog;
import fairlead.cli.line.ActOptions;
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
import fairlead.dialects.act.log.PythonText;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Shows one job of the clusters, or all of the caller's by their status. */
final class PQuery implements Verb {
    private static final List<String> COLUMNS =
            List.of(
                    "appID-s",
                    "cluster",
                    "elapsedTime",
                    "num_gpu",
                    "speed",
                    "left",
                    "data",
                    "expid");

    @Override
    public Usage usage() {
        return new Usage(
                List.of("p query", "p q"),
                "[JOB]",
                1,
                false,
                "show a job's log, facts, status, shell and address; without one, your jobs",
                "The log goes to assets/JOB/log.txt beside the config files. Without a job, -wl"
                        + " fetches those of the jobs that run,\n"
                        + "and tells how fast they are.",
                List.of(Option.CLUSTER, ActOptions.WITH_LOGS),
                List.of(
                        Example.of("fairlead p query " + Example.JOB, "any end of the id"),
                        Example.of("fairlead p q", "how the GPUs are used, then your jobs")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        var clusters = PhillyClusters.of(arguments, session);
        if (arguments.operands().isEmpty()) {
            session.out().print(PSummary.table(clusters.usages()));
            list(clusters.own(), arguments.has(ActOptions.WITH_LOG), session);
            return ExitCode.OK;
        }
        one(clusters.find(arguments.operands()).firstEntry().getValue(), session);
        return ExitCode.OK;
    }

    private static void one(JobDetail detail, Session session)
            throws UsageException, Failure, Refused, IOException {
        JobBody job = detail.job();
        ActFacts facts = facts(detail, session, true);
        String result = facts.cell("result");
        if (!result.equals("-")) session.out().line("errors: " + result);
        Map<String, Object> shown = new TreeMap<>(facts.all());
        Object parameters = shown.remove("cmd_param");
        shown.put("status", ActStatus.philly(job.state()));
        session.out().line(PythonText.of(shown));
        if (parameters != null) session.out().line(PythonText.of(parameters));
        session.out().line("status = " + ActStatus.philly(job.state()));
        if (job.state().equals("running")) session.out().line("fairlead p ssh " + job.id());
        session.out().line(session.endpoint() + "/v1/jobs/" + job.id());
    }

    /** With what the log says, which is fetched. */
    private static ActFacts facts(JobDetail detail, Session session, boolean isShown)
            throws UsageException, Failure, Refused, IOException {
        var log = new QueryLog(session, detail, JobAssets.Layout.PHILLY);
        boolean isKept = log.fetch();
        if (isShown && isKept) {
            for (String line : log.end()) session.out().line(line);
        } else if (isShown) {
            log.printEnd();
        }
        if (isShown) log.tellEarlier();
        return log.facts();
    }

    private static void list(List<JobBody> jobs, boolean withLog, Session session)
            throws UsageException, Failure, Refused, IOException {
        Map<String, List<JobBody>> byStatus = new TreeMap<>(Comparator.reverseOrder());
        for (JobBody job : jobs) {
            byStatus.computeIfAbsent(ActStatus.philly(job.state()), _ -> new ArrayList<>())
                    .add(job);
        }
        for (var status : byStatus.entrySet()) {
            List<JobBody> same = status.getValue();
            same.sort(Comparator.comparing(PQuery::begin).reversed());
            var rows = new ArrayList<ActFacts>();
            for (JobBody job : same) {
                boolean isFetched = withLog && job.state().equals("running");
                rows.add(
                        isFetched
                                ? facts(session.client().job(job.id()).value(), session, false)
                                : ActFacts.of(ActJobs.whole(job, session), session.now()));
            }
            session.out().print("\n" + status.getKey() + "\n" + table(rows));
        }
    }

    /** A job that has not started goes by its submit. */
    private static String begin(JobBody job) {
        return job.started() == null ? job.submitted() : job.started();
    }

    private static String table(List<ActFacts> rows) {
        var columns = new ArrayList<String>();
        for (String column : COLUMNS) {
            if (rows.stream().anyMatch(row -> !row.cell(column).equals("-"))) columns.add(column);
        }
        var table = new Table().row(columns.toArray(String[]::new));
        for (ActFacts row : rows) {
            table.row(columns.stream().map(row::cell).toArray(String[]::new));
        }
        return table.text();
    }
}
