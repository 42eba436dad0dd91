package fairlead.cli.verb;

import fairlead.api.JobBody;
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
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Shows jobs: those that are active and the latest that finished, unless told otherwise. */
public final class ListJobs implements Verb {
    private static final Option ALL = Option.flag("--all", "-a", "all jobs, newest first");
    private static final Option STATE =
            Option.valued(
                    "--state", null, "STATE", "only these: queued, running, failed, active, ...");
    private static final Option OWNER = Option.valued("--owner", null, "NAME", "only this owner's");
    private static final Option ARRAY = Option.valued("--array", null, "ID", "only this array's");
    private static final Option LIMIT =
            Option.valued("--limit", null, "N", "how many at most (1000)");

    private static final Option TASKS =
            Option.flag("--tasks", null, "also the tasks of the first 50 jobs");

    private static final int FINISHED_SHOWN = 20;

    /** Each job is asked for on its own. */
    private static final int TASKS_SHOWN_MAX = 50;

    /** The jobs of one array often have the same. */
    private static final int TROUBLES_MAX = 5;

    /** More lines than anyone reads; a larger number can be asked for. */
    private static final int LIMIT_DEFAULT = 1_000;

    @Override
    public Usage usage() {
        return Usage.reads(
                List.of("list"),
                "",
                0,
                "show jobs: the active ones and the last 20 that finished",
                List.of(ALL, STATE, OWNER, ARRAY, LIMIT, TASKS, Option.CLUSTER),
                List.of(
                        Example.of("fairlead list", "what is going on"),
                        Example.of(
                                "fairlead list --state failed --limit 5",
                                "the last five that failed"),
                        Example.of("fairlead list --all --json", "all jobs, for a program")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        int limit = arguments.number(LIMIT, 1).orElse(LIMIT_DEFAULT);
        var filter =
                new JobFilter(
                        arguments.text(STATE).orElse(null),
                        arguments.text(OWNER).orElse(null),
                        arguments.text(ARRAY).orElse(null),
                        arguments.text(Option.CLUSTER).orElse(null),
                        limit,
                        null);
        Client client = session.client();
        if (arguments.has(Option.JSON)) {
            session.json(client.jobs(filter));
            return ExitCode.OK;
        }
        boolean chosen = arguments.has(ALL) || filter.state() != null || filter.array() != null;
        var jobs = new ArrayList<JobBody>();
        Set<String> notes = new LinkedHashSet<>();
        boolean more =
                JobPages.pages(
                        client, chosen ? filter : filter.state("active"), limit, jobs, notes);
        if (!chosen && !more) {
            int finished = Math.min(FINISHED_SHOWN, limit - jobs.size());
            if (finished > 0)
                JobPages.pages(client, filter.state("finished"), finished, jobs, notes);
        }
        session.out().print(JobTable.of(jobs, session));
        if (arguments.has(TASKS)) printTasks(jobs, session);
        for (String note : notes) session.out().line("- " + note);
        for (String note : troubles(jobs)) session.out().line("- " + note);
        if (more) session.say("there are more; --limit N shows them");
        return ExitCode.OK;
    }

    private static void printTasks(List<JobBody> jobs, Session session)
            throws UsageException, Failure, Refused, IOException {
        var paint = new Paint(session.terminal().colour());
        for (JobBody job : jobs.subList(0, Math.min(jobs.size(), TASKS_SHOWN_MAX))) {
            String tasks = TaskTable.of(session.client().job(job.id()).value().tasks(), paint);
            if (tasks.isEmpty()) continue;
            session.out().print("\n" + paint.bold(job.id()) + "\n" + tasks.indent(2));
        }
    }

    /** Why jobs that have their place do not run. */
    private static List<String> troubles(List<JobBody> jobs) {
        var troubles = new ArrayList<String>();
        for (JobBody job : jobs) {
            if (troubles.size() == TROUBLES_MAX) break;
            if (job.state().equals("starting") && job.reason() != null)
                troubles.add(job.id() + ": " + Paint.plain(job.reason(), Integer.MAX_VALUE));
        }
        return troubles;
    }
}
