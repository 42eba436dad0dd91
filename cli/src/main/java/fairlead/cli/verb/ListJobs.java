package fairlead.cli.verb;

import fairlead.api.JobBody;
import fairlead.api.JobPage;
import fairlead.api.client.Answer;
import fairlead.api.client.Client;
import fairlead.api.client.JobFilter;
import fairlead.api.client.Refused;
import fairlead.api.words.Suggestion;
import fairlead.cli.job.JobPages;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.spec.SpecYaml;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.Output;
import fairlead.cli.terminal.Paint;
import fairlead.cli.terminal.TerminalWidth;
import fairlead.cli.terminal.UsageException;
import fairlead.cli.terminal.Words;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Shows jobs: those that are active and the latest that finished, unless told otherwise. */
public final class ListJobs implements Verb {
    /** What --state takes. */
    public static final List<String> STATES =
            List.of(
                    "active",
                    "finished",
                    "queued",
                    "starting",
                    "running",
                    "stopping",
                    "succeeded",
                    "failed",
                    "aborted");

    private static final Option ALL = Option.flag("--all", "-a", "all jobs, newest first");
    private static final Option STATE =
            Option.valued(
                    "--state", null, "STATE", "only these: queued, running, failed, active, ...");
    private static final Option OWNER = Option.valued("--owner", null, "NAME", "only this owner's");
    private static final Option ARRAY =
            Option.valued("--array", null, "ARRAY", "only this array's, by its id or name");
    private static final Option LIMIT =
            Option.valued("--limit", null, "N", "how many at most (1000)");

    private static final Option JOBS =
            Option.flag("--jobs", "-j", "each job of an array by itself, not one row for all");

    private static final Option TASKS =
            Option.flag("--tasks", null, "also the tasks of the first 50 jobs");

    private static final Option OUTPUT =
            Option.valued(
                    "--output", "-o", "FORM", "json, yaml, wide, name, or columns=id,state,...");
    private static final Option SORT =
            Option.valued(
                    "--sort",
                    null,
                    "COLUMN",
                    "sort by a column, such as gpus, before --limit counts; -gpus reverses it");
    private static final Option WATCH =
            Option.flag("--watch", "-w", "show a screen of it every 2 seconds, until Ctrl-C");

    private static final String JSON = "json";
    private static final Set<String> FOR_PROGRAMS = Set.of(JSON, "yaml");
    private static final List<String> FORMS = List.of("", JSON, "yaml", "wide", "name");
    private static final String COLUMNS = "columns=";
    private static final Duration WATCH_EVERY = Duration.ofSeconds(2);

    private static final int FINISHED_SHOWN = 20;

    /** Each job is asked for on its own. */
    private static final int TASKS_SHOWN_MAX = 50;

    /** The jobs of one array often have the same. */
    private static final int TROUBLES_MAX = 5;

    /** More lines than anyone reads; a larger number can be asked for. */
    private static final int LIMIT_DEFAULT = 1_000;

    /** Beside the jobs of a list that is watched: its head, that there are more, and the cursor. */
    private static final int LINES_BESIDE = 3;

    /** What is sorted is held in memory; of more the newest count. */
    private static final int SORTED_MAX = 100_000;

    @Override
    public Usage usage() {
        return Usage.reads(
                List.of("list", "ps", "status"),
                "[JOB...]",
                Usage.MANY,
                "show jobs: the active ones and the last 20 that finished",
                List.of(
                        ALL,
                        STATE,
                        OWNER,
                        ARRAY,
                        LIMIT,
                        JOBS,
                        TASKS,
                        OUTPUT,
                        SORT,
                        WATCH,
                        Option.CLUSTER),
                List.of(
                        Example.of("fairlead list", "what is going on"),
                        Example.of(
                                "fairlead list --state failed --limit 5",
                                "the last five that failed"),
                        Example.of(
                                "fairlead list -o columns=id,gpus,owner --sort -gpus",
                                "who uses most, in columns of your own"),
                        Example.of("fairlead list --jobs", "also each job of an array"),
                        Example.of("fairlead list --all --json", "all jobs, for a program")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        String form = arguments.has(Option.JSON) ? JSON : arguments.text(OUTPUT).orElse("");
        List<String> columns = columns(form);
        for (Option narrows : List.of(ALL, STATE, OWNER, ARRAY, LIMIT, Option.CLUSTER)) {
            if (!arguments.operands().isEmpty() && arguments.has(narrows)) {
                throw new UsageException(
                        "'" + arguments.typed(narrows) + "' is for a list without named jobs");
            }
        }
        if (arguments.has(SORT)) order(arguments, session);
        if (!arguments.has(WATCH)) return show(arguments, form, columns, session);
        if (!session.terminal().outIsTerminal()) {
            throw new UsageException(
                    "--watch is for a terminal; 'fairlead wait' waits for the end of jobs");
        }
        while (true) {
            session.out().print("\u001b[H\u001b[2J");
            show(arguments, form, columns, session);
            session.flush();
            try {
                Thread.sleep(WATCH_EVERY);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return ExitCode.OK;
            }
        }
    }

    private static int show(Arguments arguments, String form, List<String> columns, Session session)
            throws UsageException, Failure, Refused, IOException {
        return FOR_PROGRAMS.contains(form)
                ? showAnswers(arguments, form, session)
                : showTable(arguments, form, columns, session);
    }

    /** As the server gives them: one answer for the list, or one for each job that is named. */
    private static int showAnswers(Arguments arguments, String form, Session session)
            throws UsageException, Failure, Refused, IOException {
        Client client = session.client();
        if (!arguments.operands().isEmpty())
            return EachJob.of(
                    arguments.operands(),
                    session,
                    word -> {
                        var array = ArrayJobs.answer(word, session);
                        print(array.isPresent() ? array.get() : client.job(word), form, session);
                    });
        print(client.jobs(filter(arguments, session)), form, session);
        return ExitCode.OK;
    }

    private static void print(Answer<?> answer, String form, Session session) throws Output.Closed {
        if (form.equals(JSON)) session.json(answer);
        else session.out().print(SpecYaml.of(new String(answer.body(), StandardCharsets.UTF_8)));
    }

    private static int showTable(
            Arguments arguments, String form, List<String> columns, Session session)
            throws UsageException, Failure, Refused, IOException {
        var jobs = new ArrayList<JobBody>();
        var arrays = new HashMap<String, JobPage.ArrayProgress>();
        Set<String> notes = new LinkedHashSet<>();
        boolean more = false;
        int limit = Integer.MAX_VALUE;
        int code = ExitCode.OK;
        if (arguments.operands().isEmpty()) {
            JobFilter filter = filter(arguments, session);
            limit = filter.limit();
            if (isFolded(arguments, form)) filter = filter.withArraysOnce();
            if (arguments.has(SORT)) filter = filter.limit(Math.max(limit, SORTED_MAX));
            more = list(filter, arguments.has(ALL), jobs, notes, arrays, session);
        } else {
            code =
                    EachJob.of(
                            arguments.operands(),
                            session,
                            word -> jobs.addAll(named(word, session)));
            if (jobs.isEmpty()) return code;
        }
        if (arguments.has(SORT)) {
            jobs.sort(order(arguments, session));
            more |= jobs.size() > limit;
            if (jobs.size() > limit) jobs.subList(limit, jobs.size()).clear();
        }
        print(jobs, arrays, form, columns, session);
        if (arguments.has(TASKS)) printTasks(jobs, session);
        for (String note : notes) session.out().line("- " + note);
        for (String note : troubles(jobs)) session.out().line("- " + note);
        if (more) session.say("there are more; --limit N shows them");
        return code;
    }

    /**
     * Programs read jobs, and whoever asks for a state or an array wants to see which jobs these
     * are.
     */
    private static boolean isFolded(Arguments arguments, String form) {
        boolean isForPeople = form.isEmpty() || form.equals("wide");
        return isForPeople && List.of(JOBS, TASKS, STATE, ARRAY).stream().noneMatch(arguments::has);
    }

    private static JobFilter filter(Arguments arguments, Session session) throws UsageException {
        int limit = LIMIT_DEFAULT;
        if (arguments.has(WATCH))
            limit = Math.max(1, TerminalWidth.lines(session.terminal()) - LINES_BESIDE);
        return new JobFilter(
                state(arguments),
                arguments.text(OWNER).orElse(null),
                arguments.text(ARRAY).orElse(null),
                arguments.text(Option.CLUSTER).orElse(null),
                arguments.number(LIMIT, 1).orElse(limit),
                null);
    }

    private static String state(Arguments arguments) throws UsageException {
        String state = arguments.text(STATE).orElse(null);
        if (state == null || STATES.contains(Words.state(state)))
            return state == null ? null : Words.stateOnTheWire(state);
        throw new UsageException(
                "--state is "
                        + String.join(", ", STATES)
                        + ", not '"
                        + state
                        + "'."
                        + Suggestion.of(state, STATES));
    }

    /** Adds those that fit; whether there are more than may be shown. */
    private static boolean list(
            JobFilter filter,
            boolean isAll,
            List<JobBody> jobs,
            Set<String> notes,
            Map<String, JobPage.ArrayProgress> arrays,
            Session session)
            throws UsageException, Failure, Refused, IOException {
        int limit = filter.limit();
        Client client = session.client();
        boolean chosen = isAll || filter.state() != null || filter.array() != null;
        if (chosen) return JobPages.pages(client, filter, limit, jobs, notes, arrays);
        if (JobPages.pages(client, filter.state("active"), limit, jobs, notes, arrays)) return true;
        Set<String> active = Set.copyOf(arrays.keySet());
        int room = Math.min(FINISHED_SHOWN, limit - jobs.size());
        if (room <= 0) return false;
        var finished = new ArrayList<JobBody>();
        JobPages.pages(client, filter.state("finished"), room, finished, notes, arrays);
        // An array with jobs of both kinds has its row.
        finished.removeIf(job -> job.array() != null && active.contains(job.array()));
        jobs.addAll(finished);
        return false;
    }

    /** One job, or those of an array. */
    private static List<JobBody> named(String word, Session session)
            throws UsageException, Failure, Refused, IOException {
        List<JobBody> array = ArrayJobs.of(word, session);
        return array.isEmpty() ? List.of(session.client().job(word).value().job()) : array;
    }

    private static void print(
            List<JobBody> jobs,
            Map<String, JobPage.ArrayProgress> arrays,
            String form,
            List<String> columns,
            Session session)
            throws Output.Closed {
        if (form.equals("name")) {
            for (JobBody job : jobs) session.out().line(job.id());
        } else if (columns.isEmpty()) {
            session.out().print(JobTable.of(jobs, arrays, session));
        } else {
            session.out().print(JobTable.of(jobs, arrays, columns, session));
        }
    }

    /** Those that are asked for; empty for the usual ones. */
    private static List<String> columns(String form) throws UsageException {
        if (form.equals("wide")) return JobTable.WIDE;
        if (!form.startsWith(COLUMNS)) {
            if (FORMS.contains(form)) return List.of();
            throw new UsageException(
                    "--output is json, yaml, wide, name, or columns=id,state,..., not '"
                            + form
                            + "'."
                            + Suggestion.of(form, FORMS));
        }
        var columns = new ArrayList<String>();
        for (String name : form.substring(COLUMNS.length()).split(",")) columns.add(column(name));
        return columns;
    }

    private static String column(String name) throws UsageException {
        String column = name.strip().toLowerCase(Locale.ROOT);
        if (JobTable.WIDE.contains(column)) return column;
        throw new UsageException(
                "there is no column '"
                        + name
                        + "'; known: "
                        + String.join(", ", JobTable.WIDE)
                        + "."
                        + Suggestion.of(column, JobTable.WIDE));
    }

    private static Comparator<JobBody> order(Arguments arguments, Session session)
            throws UsageException {
        String by = arguments.text(SORT).orElseThrow();
        boolean isTurned = by.startsWith("-");
        var order = JobTable.order(column(isTurned ? by.substring(1) : by), session.now());
        return isTurned ? order.reversed() : order;
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
