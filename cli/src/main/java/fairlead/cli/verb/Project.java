package fairlead.cli.verb;

import fairlead.api.Answer;
import fairlead.api.ProjectBody;
import fairlead.api.ProjectRequest;
import fairlead.api.Refused;
import fairlead.cli.Arguments;
import fairlead.cli.Example;
import fairlead.cli.ExitCode;
import fairlead.cli.Failure;
import fairlead.cli.Option;
import fairlead.cli.Session;
import fairlead.cli.Suggestion;
import fairlead.cli.Table;
import fairlead.cli.Usage;
import fairlead.cli.UsageException;
import fairlead.cli.Verb;
import fairlead.cli.Words;

import java.io.IOException;
import java.util.List;

/** Makes, changes and shows projects. */
public final class Project implements Verb {
    private static final Option QUOTA =
            Option.valued("--quota", null, "N", "create, set: so many GPUs are guaranteed");
    private static final Option MAX =
            Option.valued(
                    "--interactive-max",
                    null,
                    "N",
                    "create, set: so many interactive jobs at once");
    private static final Option LIMIT =
            Option.valued(
                    "--interactive-limit",
                    null,
                    "T",
                    "create, set: an interactive job ends after this; 12h");
    private static final Option ADD =
            Option.valued("--add", null, "NAMES", "members: add these, such as ann,bob");
    private static final Option REMOVE =
            Option.valued("--remove", null, "NAMES", "members: remove these");
    private static final List<String> ACTIONS = List.of("create", "set", "list", "members");

    @Override
    public Usage usage() {
        return new Usage(
                List.of("project"),
                "create|set|list|members [NAME]",
                2,
                false,
                "make, change and show projects",
                "A project's quota is guaranteed; GPUs that are idle beyond it are lent to training"
                        + " jobs and\n"
                        + "taken back. Where no project has a quota, the GPUs are everybody's. A"
                        + " project without\n"
                        + "members is open to everyone. Only admins change projects.",
                List.of(QUOTA, MAX, LIMIT, ADD, REMOVE, Option.JSON),
                List.of(
                        Example.of("fairlead project create vision --quota 2", "with two GPUs"),
                        Example.of(
                                "fairlead project set vision --interactive-limit 8h",
                                "the rest stays as it is"),
                        Example.of(
                                "fairlead project members vision --add ann,bob",
                                "from now on only they may submit to it"),
                        Example.of("fairlead project list", "quotas and how much is held")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        String action = arguments.operands().isEmpty() ? "" : arguments.operands().getFirst();
        switch (action) {
            case "create", "set" -> {
                String name = name(arguments, action);
                unlessGiven(arguments, action, List.of(ADD, REMOVE));
                var request =
                        new ProjectRequest(
                                arguments.numberOrNull(QUOTA, Integer.MIN_VALUE),
                                arguments.numberOrNull(MAX, Integer.MIN_VALUE),
                                arguments.text(LIMIT).orElse(null),
                                null,
                                null);
                var answer = session.client().setProject(name, request, action.equals("create"));
                show(answer, arguments, session);
            }
            case "members" -> members(arguments, session);
            case "list" -> list(arguments, session);
            case "" ->
                    throw new UsageException("project needs one of " + String.join(", ", ACTIONS));
            default ->
                    throw new UsageException(
                            "there is no 'project "
                                    + action
                                    + "'."
                                    + Suggestion.of(action, ACTIONS));
        }
        return ExitCode.OK;
    }

    private static String name(Arguments arguments, String action) throws UsageException {
        if (arguments.operands().size() < 2) {
            throw new UsageException("which project? 'project " + action + "' needs its name.");
        }
        return arguments.operands().get(1);
    }

    private static void unlessGiven(Arguments arguments, String action, List<Option> others)
            throws UsageException {
        for (Option option : others) {
            if (arguments.has(option)) {
                throw new UsageException(
                        "'" + option.name() + "' has no meaning for 'project " + action + "'");
            }
        }
    }

    private static void members(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        String name = name(arguments, "members");
        unlessGiven(arguments, "members", List.of(QUOTA, MAX, LIMIT));
        if (arguments.has(ADD) || arguments.has(REMOVE)) {
            var request =
                    new ProjectRequest(
                            null, null, null, names(arguments, ADD), names(arguments, REMOVE));
            show(session.client().setProject(name, request, false), arguments, session);
            return;
        }
        for (ProjectBody project : session.client().projects().value().projects()) {
            if (project.name().equals(name)) {
                session.out().line(members(project));
                return;
            }
        }
        throw new UsageException("no project '" + name + "'; 'fairlead project list' shows them");
    }

    private static List<String> names(Arguments arguments, Option option) {
        return arguments.text(option).map(text -> List.of(text.split(","))).orElse(null);
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
                    project.name(),
                    project.quota() == null ? "-" : project.quota().toString(),
                    Words.number(project.gpusHeld()),
                    String.valueOf(project.jobsWaiting()),
                    max + project.interactiveLimit(),
                    members(project));
        }
        return table.text();
    }
}
