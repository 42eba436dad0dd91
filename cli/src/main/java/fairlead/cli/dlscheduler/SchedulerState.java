package fairlead.cli.dlscheduler;

import fairlead.api.JobBody;
import fairlead.api.JobDetail;
import fairlead.api.client.Client;
import fairlead.api.client.JobFilter;
import fairlead.api.client.Refused;
import fairlead.cli.job.JobPages;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.Paint;
import fairlead.cli.terminal.Table;
import fairlead.cli.terminal.UsageException;
import fairlead.cli.terminal.Words;
import fairlead.cli.verb.JobTable;
import fairlead.dialects.dlscheduler.JobOptions;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Shows the last jobs that were submitted, as users of the Kubernetes DL scheduler know it. */
public final class SchedulerState implements Verb {
    private static final Option ALL_USERS =
            Option.flag("--all_users", null, "everyone's jobs, not only yours");
    private static final Option NLAST =
            Option.valued("--nlast", null, "N", "how many jobs, newest first (10)");
    private static final Option EXTENDED =
            Option.flag("--extended", null, "with all options of each job");

    private static final int NLAST_DEFAULT = 10;

    @Override
    public Usage usage() {
        return Usage.acts(
                List.of("scheduler-state"),
                "",
                0,
                "show the last jobs submitted, with the options of scheduler-state",
                List.of(ALL_USERS, NLAST, EXTENDED),
                List.of(
                        Example.of("fairlead scheduler-state", "your last ten jobs"),
                        Example.of(
                                "fairlead scheduler-state --all_users --nlast 3 --extended",
                                "everyone's last three, with all options")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        int limit = arguments.number(NLAST, 1).orElse(NLAST_DEFAULT);
        Client client = session.client();
        String owner = arguments.has(ALL_USERS) ? null : client.me().value().name();
        var jobs = new ArrayList<JobBody>();
        JobPages.pages(client, new JobFilter(null, owner, null, null, null, null), limit, jobs);
        if (arguments.has(EXTENDED)) extended(jobs, session);
        else session.out().print(JobTable.of(jobs, session));
        return ExitCode.OK;
    }

    private static void extended(List<JobBody> jobs, Session session)
            throws UsageException, Failure, Refused, IOException {
        for (JobBody job : jobs) {
            JobDetail detail = session.client().job(job.id()).value();
            session.out().print(description(detail, session) + "\n");
        }
    }

    private static String description(JobDetail detail, Session session) {
        JobBody job = detail.job();
        var paint = new Paint(session.terminal().colour());
        var table =
                new Table()
                        .row(paint.bold(job.id()), paint.state(job.state(), Words.state(job)))
                        .row("  owner", job.owner())
                        .row("  submitted", Words.time(job.submitted(), session.terminal().zone()))
                        .row("  gpus", Words.gpus(job));
        if (job.epochs() != null) table.row("  epochs done", Words.epochs(job));
        if (detail.spec() == null) {
            table.row("  options", "only " + job.owner() + " and admins may see them");
            return table.text();
        }
        JobOptions.of(detail.spec(), job.command())
                .forEach(
                        (name, value) ->
                                table.row("  " + name, Paint.plain(value, Integer.MAX_VALUE)));
        return table.text();
    }
}
