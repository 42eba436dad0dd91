package fairlead.cli.act.verb;

import fairlead.api.JobDetail;
import fairlead.api.client.Refused;
import fairlead.cli.act.ActJobs;
import fairlead.cli.job.JobIds;
import fairlead.cli.line.ActOptions;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Fetches a job's logs to {@code ./assets}, and shows the end of the first rank's and then what the
 * job is, as users of ACT know it; several jobs as a table.
 */
public final class Query implements Verb {
    private static final String NOTES =
            "The logs of all tasks go to assets/JOB beside the config files, or below the folder"
                + " that AML_LOG_FOLDER\n"
                + "names; only what is new is fetched. Without a job it lists the newest: those of"
                + " the experiment that a config\n"
                + "file names, or all.";

    @Override
    public Usage usage() {
        return new Usage(
                List.of("query", "q"),
                "[JOB...]",
                Usage.MANY,
                false,
                "fetch a job's logs, show the end and the facts; several jobs as a table",
                NOTES,
                List.of(
                        ActOptions.NO_LOG,
                        ActOptions.NO_FULL_LOG,
                        ActOptions.NO_DETAILS,
                        ActOptions.WITH_LOG,
                        ActOptions.MAX,
                        Option.CLUSTER,
                        Option.JSON),
                List.of(
                        Example.of(
                                "fairlead query " + Example.JOB,
                                "the last 100 lines, the files of the logs, then the facts"),
                        Example.of("fairlead -no-wl q " + Example.JOB, "the facts alone"),
                        Example.of("fairlead --max 5 q", "the five newest jobs")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        List<String> words = arguments.operands();
        if (words.isEmpty()) return QueryList.ALL.run(arguments, session);
        if (arguments.has(Option.JSON)) {
            for (String id : JobIds.of(words)) session.json(session.client().job(id));
            return ExitCode.OK;
        }
        List<JobDetail> jobs = List.copyOf(ActJobs.find(words, session).values());
        var shown = QueryLog.Amount.of(arguments);
        if (jobs.size() == 1) return new QueryOne(session, shown).show(jobs.getFirst());
        var rows = new ArrayList<ActFacts>();
        for (JobDetail job : jobs) {
            var log = new QueryLog(session, job);
            if (shown == QueryLog.Amount.ALL) log.fetch();
            rows.add(log.facts());
        }
        session.out().print(ActTable.of(rows));
        return ExitCode.OK;
    }
}
