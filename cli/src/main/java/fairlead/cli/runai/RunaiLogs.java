package fairlead.cli.runai;

import fairlead.api.JobBody;
import fairlead.api.client.LogQuery;
import fairlead.api.client.Refused;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;
import fairlead.cli.verb.Logs;

import java.io.IOException;
import java.util.List;

/** Shows what a job has written. */
final class RunaiLogs implements Verb {
    private static final Option FOLLOW =
            Option.flag("--follow", "-f", "show new lines until the job ends");
    private static final Option TAIL =
            Option.valued("--tail", "-t", "N", "only the last N lines; -1: all");
    private static final Option SINCE =
            Option.valued("--since", null, "T", "refused: lines bear no time");
    private static final Option SINCE_TIME =
            Option.valued("--since-time", null, "T", "refused: lines bear no time");
    private static final Option TIMESTAMPS =
            Option.flag("--timestamps", null, "refused: lines bear no time");

    @Override
    public Usage usage() {
        return Usage.acts(
                List.of("runai logs"),
                "NAME",
                1,
                "show what a job has written",
                List.of(Runai.PROJECT, FOLLOW, TAIL, RunaiJobs.POD, SINCE, SINCE_TIME, TIMESTAMPS),
                List.of(
                        Example.of(
                                "fairlead runai logs " + Example.JOB + " --tail 64",
                                "the last 64 lines")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        String name = arguments.some("job").getFirst();
        if (arguments.has(SINCE) && arguments.has(SINCE_TIME)) {
            throw new UsageException("--since and --since-time exclude each other");
        }
        for (Option option : List.of(SINCE, SINCE_TIME, TIMESTAMPS)) {
            if (arguments.has(option)) {
                throw new UsageException(
                        option.name() + " is not possible: lines bear no time; use --tail N");
            }
        }
        Integer tail = arguments.numberOrNull(TAIL, -1);
        JobBody job = RunaiJobs.one(name, arguments, session);
        String said = RunaiJobs.task(job, arguments, session);
        boolean isPod = said == null && name.startsWith(job.name() + "-");
        var query =
                new LogQuery(
                        isPod ? RunaiJobs.task(job, name, session) : said,
                        null,
                        tail == null || tail < 0 ? null : tail,
                        null);
        if (arguments.has(FOLLOW)) Logs.follow(session, job.id(), query);
        else Logs.show(session, job.id(), query);
        return ExitCode.OK;
    }
}
