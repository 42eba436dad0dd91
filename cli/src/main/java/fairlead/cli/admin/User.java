package fairlead.cli.admin;

import fairlead.api.client.Answer;
import fairlead.api.client.Refused;
import fairlead.api.people.PasswordRequest;
import fairlead.api.people.PersonBody;
import fairlead.api.people.PersonRequest;
import fairlead.api.people.TokenAnswer;
import fairlead.api.words.Suggestion;
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
    private static final Option PROJECT =
            Option.valued("--project", null, "NAME", "create, set: where their jobs go by default");
    private static final Option PASSWORD_STDIN =
            Option.flag("--password-stdin", null, "password: read it from the standard input");
    private static final List<String> ACTIONS =
            List.of("create", "set", "list", "token", "password", "delete");

    @Override
    public Usage usage() {
        return new Usage(
                List.of("user"),
                "create|set|list|token|password|delete [NAME]",
                2,
                false,
                "make users known to the server, change and show them",
                "A token is printed once and kept nowhere; with it its user logs in from another"
                        + " account or\n"
                        + "machine. 'token' gives a new one, and the old one stops working. After"
                        + " 'delete' it stops\n"
                        + "too; the user's jobs stay and go on. Only admins change users.\n"
                        + "A password is only for those who log in by OpenPAI's interface;"
                        + " everyone sets their own.",
                List.of(ADMIN, NO_ADMIN, PROJECT, PASSWORD_STDIN, Option.JSON),
                List.of(
                        Example.of("fairlead user create bob", "prints bob's token"),
                        Example.of("fairlead user token bob", "prints a new one"),
                        Example.of(
                                "echo correct-horse | fairlead user password bob --password-stdin",
                                "bob may log in with it"),
                        Example.of("fairlead user set bob --admin", "he may now do what you may"),
                        Example.of("fairlead user list", "everyone whom the server knows"),
                        Example.of("fairlead user delete bob", "his token stops working")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        String action = arguments.operands().isEmpty() ? "" : arguments.operands().getFirst();
        onlyFor(arguments, action, List.of(ADMIN, PROJECT), List.of("create", "set"));
        onlyFor(arguments, action, List.of(NO_ADMIN), List.of("set"));
        onlyFor(arguments, action, List.of(PASSWORD_STDIN), List.of("password"));
        switch (action) {
            case "create" -> {
                var request =
                        new PersonRequest(
                                arguments.has(ADMIN), arguments.text(PROJECT).orElse(null));
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
            case "" -> throw new UsageException("user needs one of " + String.join(", ", ACTIONS));
            default ->
                    throw new UsageException(
                            "there is no 'user " + action + "'." + Suggestion.of(action, ACTIONS));
        }
        return ExitCode.OK;
    }

    private static void onlyFor(
            Arguments arguments, String action, List<Option> options, List<String> actions)
            throws UsageException {
        if (actions.contains(action)) return;
        for (Option option : options) {
            if (arguments.has(option)) {
                throw new UsageException(
                        "'" + option.name() + "' has no meaning for 'user " + action + "'");
            }
        }
    }

    private static void change(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        String name = name(arguments, "set");
        boolean admin = arguments.has(ADMIN);
        boolean noAdmin = arguments.has(NO_ADMIN);
        if (admin && noAdmin) throw new UsageException("say one of --admin and --no-admin");
        String project = arguments.text(PROJECT).orElse(null);
        if (!admin && !noAdmin && project == null) {
            throw new UsageException("set what? Say --admin, --no-admin or --project NAME.");
        }
        var request = new PersonRequest(admin || noAdmin ? admin : null, project);
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

    private static String table(List<PersonBody> people) {
        var table = new Table().row("USER", "ADMIN", "PROJECT");
        for (PersonBody person : people) {
            table.row(person.name(), person.admin() ? "yes" : "no", person.project());
        }
        return table.text();
    }
}
