package fairlead.cli.admin;

import fairlead.api.client.Answer;
import fairlead.api.client.Refused;
import fairlead.api.clusters.NodeBody;
import fairlead.api.people.ProjectBody;
import fairlead.api.people.ProjectRequest;
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
import fairlead.cli.terminal.Words;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Makes, changes, deletes and shows projects. */
public final class Project implements Verb {
    private static final Option QUOTA =
            Option.valued("--quota", null, "N", "create, set: how many GPUs are guaranteed");
    private static final Option NO_QUOTA =
            Option.flag("--no-quota", null, "set: none are guaranteed any more");
    private static final Option MAX =
            Option.valued(
                    "--interactive-max",
                    null,
                    "N",
                    "create, set: how many interactive jobs run at once");
    private static final Option NO_MAX =
            Option.flag("--no-interactive-max", null, "set: as many as the quota holds");
    private static final Option LIMIT =
            Option.valued(
                    "--interactive-limit",
                    null,
                    "T",
                    "create, set: an interactive job ends after this; 12h");
    private static final Option STOP =
            Option.flag("--stop", null, "set: it takes no new jobs; those that it has go on");
    private static final Option START = Option.flag("--start", null, "set: it takes jobs again");
    private static final Option ADD =
            Option.valued("--add", null, "NAMES", "members, admins: add these, such as ann,bob");
    private static final Option REMOVE =
            Option.valued("--remove", null, "NAMES", "members, admins: remove these");
    private static final Actions ACTIONS =
            Actions.of("project", "create", "set", "list", "members", "admins", "delete");
    private static final List<Option> PROMISES = List.of(QUOTA, MAX, LIMIT);
    private static final List<Option> ENDS = List.of(NO_QUOTA, NO_MAX, STOP, START);

    @Override
    public Usage usage() {
        return new Usage(
                List.of("project"),
                "create|set|list|members|admins|delete [NAME]",
                2,
                false,
                "make, change, delete and show projects",
                "A project's quota is guaranteed; GPUs that are idle beyond it are lent to training"
                        + " jobs and\n"
                        + "taken back. Where no project has a quota, the GPUs are everybody's. A"
                        + " project without\n"
                        + "members is open to everyone. One without unfinished jobs can be deleted."
                        + " Only admins\n"
                        + "change projects. Those whom 'admins' adds see, stop and order the jobs"
                        + " of all its members, and\n"
                        + "change who the members are.",
                List.of(QUOTA, NO_QUOTA, MAX, NO_MAX, LIMIT, STOP, START, ADD, REMOVE, Option.JSON),
                List.of(
                        Example.of("fairlead project create vision --quota 2", "with two GPUs"),
                        Example.of(
                                "fairlead project set vision --interactive-limit 8h",
                                "the rest stays as it is"),
                        Example.of(
                                "fairlead project members vision --add ann,bob",
                                "from now on only they may submit to it"),
                        Example.of(
                                "fairlead project set vision --no-quota",
                                "from now on it lives on what is idle"),
                        Example.of("fairlead project list", "quotas and how much is held"),
                        Example.of("fairlead project delete vision", "its finished jobs stay")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        String action = Actions.typed(arguments);
        switch (action) {
            case "create", "set" -> set(arguments, action, session);
            case "delete" -> {
                String name = ACTIONS.name(arguments, action);
                for (var options : List.of(PROMISES, ENDS, List.of(ADD, REMOVE, Option.JSON))) {
                    ACTIONS.refuse(arguments, action, options);
                }
                session.client().deleteProject(name);
                session.out().line(name + " deleted");
            }
            case "members", "admins" -> people(arguments, action, session);
            case "list" -> list(arguments, session);
            default -> throw ACTIONS.unknown(action);
        }
        return ExitCode.OK;
    }

    private static void set(Arguments arguments, String action, Session session)
            throws UsageException, Failure, Refused, IOException {
        String name = ACTIONS.name(arguments, action);
        boolean create = action.equals("create");
        ACTIONS.refuse(arguments, action, List.of(ADD, REMOVE));
        if (create) ACTIONS.refuse(arguments, action, ENDS);
        var unset = new ArrayList<String>();
        unset(arguments, NO_QUOTA, QUOTA, "quota", unset);
        unset(arguments, NO_MAX, MAX, "interactiveMax", unset);
        var request =
                new ProjectRequest(
                        arguments.numberOrNull(QUOTA, Integer.MIN_VALUE),
                        arguments.numberOrNull(MAX, Integer.MIN_VALUE),
                        arguments.text(LIMIT).orElse(null),
                        stopped(arguments),
                        unset.isEmpty() ? null : unset,
                        null,
                        null,
                        null,
                        null);
        show(session.client().setProject(name, request, create), arguments, session);
        if (request.quota() != null && !arguments.has(Option.JSON)) warn(request.quota(), session);
    }

    /** It is kept all the same: nodes come and go. */
    private static void warn(int quota, Session session)
            throws UsageException, Failure, Refused, IOException {
        int gpus =
                session.client().nodes(null).value().nodes().stream()
                        .mapToInt(NodeBody::gpus)
                        .sum();
        if (quota > gpus)
            session.say(
                    "the quota is more than the "
                            + Words.count(gpus, "GPU")
                            + " that there "
                            + (gpus == 1 ? "is" : "are")
                            + " now");
    }

    private static Boolean stopped(Arguments arguments) throws UsageException {
        boolean stop = arguments.has(STOP);
        if (stop && arguments.has(START)) throw new UsageException("say one of --stop and --start");
        return stop || arguments.has(START) ? stop : null;
    }

    private static void unset(
            Arguments arguments, Option ends, Option sets, String field, List<String> unset)
            throws UsageException {
        if (!arguments.has(ends)) return;
        if (arguments.has(sets)) {
            throw new UsageException("say one of " + sets.name() + " and " + ends.name());
        }
        unset.add(field);
    }

    private static void people(Arguments arguments, String action, Session session)
            throws UsageException, Failure, Refused, IOException {
        String name = ACTIONS.name(arguments, action);
        ACTIONS.refuse(arguments, action, PROMISES);
        ACTIONS.refuse(arguments, action, ENDS);
        boolean isAdmins = action.equals("admins");
        if (arguments.has(ADD) || arguments.has(REMOVE)) {
            List<String> add = names(arguments, ADD);
            List<String> remove = names(arguments, REMOVE);
            var request =
                    new ProjectRequest(
                            null,
                            null,
                            null,
                            null,
                            null,
                            isAdmins ? null : add,
                            isAdmins ? null : remove,
                            isAdmins ? add : null,
                            isAdmins ? remove : null);
            show(session.client().setProject(name, request, false), arguments, session);
            return;
        }
        for (ProjectBody project : session.client().projects().value().projects()) {
            if (project.name().equals(name)) {
                session.out().line(isAdmins ? admins(project) : members(project));
                return;
            }
        }
        throw new UsageException("no project '" + name + "'; 'fairlead project list' shows them");
    }

    private static List<String> names(Arguments arguments, Option option) {
        return arguments.text(option).map(text -> List.of(text.split(","))).orElse(null);
    }

    private static String admins(ProjectBody project) {
        return project.admins() == null
                ? "admins of the server alone"
                : String.join(", ", project.admins());
    }

    private static String members(ProjectBody project) {
        return project.members() == null || project.members().isEmpty()
                ? "everyone"
                : String.join(", ", project.members());
    }

    private static void list(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        if (arguments.operands().size() > 1) {
            throw new UsageException("'" + arguments.operands().get(1) + "' is one word too many");
        }
        var answer = session.client().projects();
        if (arguments.has(Option.JSON)) {
            session.json(answer);
            return;
        }
        session.out().print(table(answer.value().projects()));
    }

    private static void show(Answer<ProjectBody> answer, Arguments arguments, Session session)
            throws IOException {
        if (arguments.has(Option.JSON)) session.json(answer);
        else session.out().print(table(List.of(answer.value())));
    }

    private static String table(List<ProjectBody> projects) {
        var table =
                new Table().row("PROJECT", "QUOTA", "HELD", "WAITING", "INTERACTIVE", "MEMBERS");
        for (ProjectBody project : projects) {
            String max = project.interactiveMax() == null ? "" : project.interactiveMax() + " for ";
            table.row(
                    project.name() + (project.stopped() == null ? "" : " (stopped)"),
                    project.quota() == null ? "-" : project.quota().toString(),
                    Words.number(project.gpusHeld()),
                    String.valueOf(project.jobsWaiting()),
                    max + project.interactiveLimit(),
                    members(project));
        }
        return table.text();
    }
}
