package fairlead.cli.admin;

import fairlead.api.client.Answer;
import fairlead.api.client.Refused;
import fairlead.api.people.PasswordRequest;
import fairlead.api.people.PersonBody;
import fairlead.api.people.PersonRequest;
import fairlead.api.people.TokenAnswer;
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

import java.io.IOException;
import java.util.List;

/** Makes users known to the server, changes, forgets and shows them. */
public final class User implements Verb {
    private static final Option ADMIN =
            Option.flag("--admin", null, "create, set: may change projects, users and all jobs");
    private static final Option NO_ADMIN =
            Option.flag("--no-admin", null, "set: may change only what is their own");
    private static final Option VIEWER =
            Option.flag("--viewer", null, "create, set: may look, and change nothing");
    private static final Option NO_VIEWER =
            Option.flag("--no-viewer", null, "set: may submit jobs again");
    private static final Option PROJECT =
            Option.valued("--project", null, "NAME", "create, set: where their jobs go by default");
    private static final Option PASSWORD_STDIN =
            Option.flag("--password-stdin", null, "password: read it from the standard input");
    private static final Actions ACTIONS =
            Actions.of(
                    "user",
                    "create",
                    "set",
                    "list",
                    "token",
                    "password",
                    "disable",
                    "enable",
                    "delete");

    @Override
    public Usage usage() {
        return new Usage(
                List.of("user"),
                "create|set|list|token|password|disable|enable|delete [NAME]",
                2,
                false,
                "make users known to the server, change and show them",
                "A token is printed once and kept nowhere; its user logs in with it from another"
                        + " account or\n"
                        + "machine. 'token' gives a new one, and the old one stops working. After"
                        + " 'delete' it stops\n"
                        + "too; the user's jobs stay and go on. Only admins change users.\n"
                        + "A password is for 'fairlead login', the portal and OpenPAI's"
                        + " interface; everyone sets their own.\n"
                        + "Whoever is disabled can do nothing until 'enable'; their jobs go on.",
                List.of(ADMIN, NO_ADMIN, VIEWER, NO_VIEWER, PROJECT, PASSWORD_STDIN, Option.JSON),
                List.of(
                        Example.of("fairlead user create bob", "prints bob's token"),
                        Example.of("fairlead user token bob", "prints a new one"),
                        Example.of(
                                "echo correct-horse | fairlead user password bob --password-stdin",
                                "bob may log in with it"),
                        Example.of("fairlead user set bob --admin", "he may now do what you may"),
                        Example.of("fairlead user disable bob", "no token of his works"),
                        Example.of("fairlead user list", "everyone whom the server knows"),
                        Example.of("fairlead user delete bob", "his token stops working")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        String action = Actions.typed(arguments);
        onlyFor(arguments, action, List.of(ADMIN, VIEWER, PROJECT), List.of("create", "set"));
        onlyFor(arguments, action, List.of(NO_ADMIN, NO_VIEWER), List.of("set"));
        onlyFor(arguments, action, List.of(PASSWORD_STDIN), List.of("password"));
        switch (action) {
            case "create" -> {
                var request =
                        new PersonRequest(
                                arguments.has(ADMIN),
                                arguments.text(PROJECT).orElse(null),
                                arguments.has(VIEWER) ? true : null,
                                null);
                String name = name(arguments, action);
                show(session.client().createPerson(name, request), arguments, session);
                if (!arguments.has(Option.JSON))
                    session.say(
                            name
                                    + " types 'fairlead login URL --token-stdin' and this token;"
                                    + " where root runs the server, their jobs run as the account '"
                                    + name
                                    + "' of its machine, or as one that --user names");
            }
            case "set" -> change(arguments, session);
            case "disable", "enable" -> {
                boolean disabled = action.equals("disable");
                var request = new PersonRequest(null, null, null, disabled);
                var answer = session.client().changePerson(name(arguments, action), request);
                if (arguments.has(Option.JSON)) session.json(answer);
                else session.out().line(answer.value().name() + " " + action + "d");
            }
            case "delete" -> {
                String name = name(arguments, action);
                onlyFor(arguments, action, List.of(Option.JSON), List.of());
                session.client().deletePerson(name);
                session.out().line(name + " deleted");
            }
            case "password" -> {
                String name = name(arguments, action);
                onlyFor(arguments, action, List.of(Option.JSON), List.of());
                String password =
                        arguments.has(PASSWORD_STDIN)
                                ? NewPassword.piped()
                                : NewPassword.typed(name, session);
                session.client().setPassword(name, new PasswordRequest(password));
                session.out().line(name + " has a new password");
            }
            case "token" -> {
                String name = name(arguments, action);
                show(session.client().token(name), arguments, session);
            }
            case "list" -> list(arguments, session);
            default -> throw ACTIONS.unknown(action);
        }
        return ExitCode.OK;
    }

    private static void onlyFor(
            Arguments arguments, String action, List<Option> options, List<String> actions)
            throws UsageException {
        if (actions.contains(action)) return;
        ACTIONS.refuse(arguments, action, options);
    }

    private static void change(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        String name = name(arguments, "set");
        boolean admin = arguments.has(ADMIN);
        boolean noAdmin = arguments.has(NO_ADMIN);
        if (admin && noAdmin) throw new UsageException("say one of --admin and --no-admin");
        String project = arguments.text(PROJECT).orElse(null);
        boolean viewer = arguments.has(VIEWER);
        boolean noViewer = arguments.has(NO_VIEWER);
        if (viewer && noViewer) throw new UsageException("say one of --viewer and --no-viewer");
        if (!admin && !noAdmin && !viewer && !noViewer && project == null) {
            throw new UsageException(
                    "set what? Say --admin, --no-admin, --viewer, --no-viewer or --project NAME.");
        }
        var request =
                new PersonRequest(
                        admin || noAdmin ? admin : null,
                        project,
                        viewer || noViewer ? viewer : null,
                        null);
        var answer = session.client().changePerson(name, request);
        if (arguments.has(Option.JSON)) session.json(answer);
        else session.out().print(table(List.of(answer.value())));
    }

    private static String name(Arguments arguments, String action) throws UsageException {
        if (arguments.operands().size() < 2) {
            throw new UsageException("which user? 'user " + action + "' needs a name.");
        }
        return arguments.operands().get(1);
    }

    /** The token alone on the standard output, so that it can go through a pipe. */
    private static void show(Answer<TokenAnswer> answer, Arguments arguments, Session session)
            throws IOException {
        if (arguments.has(Option.JSON)) session.json(answer);
        else session.out().line(answer.value().token());
    }

    private static void list(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        if (arguments.operands().size() > 1) {
            throw new UsageException("'" + arguments.operands().get(1) + "' is one word too many");
        }
        var answer = session.client().people();
        if (arguments.has(Option.JSON)) {
            session.json(answer);
            return;
        }
        session.out().print(table(answer.value().people()));
    }

    private static String role(PersonBody person) {
        if (person.disabled() != null && person.disabled()) return "disabled";
        if (person.admin()) return "admin";
        return person.viewer() != null && person.viewer() ? "viewer" : "member";
    }

    private static String table(List<PersonBody> people) {
        boolean hasRoles =
                people.stream().anyMatch(each -> each.viewer() != null || each.disabled() != null);
        var table = new Table();
        // Where nobody is anything special, the table says nothing of it.
        if (hasRoles) table.row("USER", "ADMIN", "PROJECT", "ROLE");
        else table.row("USER", "ADMIN", "PROJECT");
        for (PersonBody person : people) {
            String admin = person.admin() ? "yes" : "no";
            if (hasRoles) table.row(person.name(), admin, person.project(), role(person));
            else table.row(person.name(), admin, person.project());
        }
        return table.text();
    }
}
