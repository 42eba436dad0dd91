package fairlead.cli.verb;

import fairlead.api.Answer;
import fairlead.api.PersonBody;
import fairlead.api.PersonRequest;
import fairlead.api.Refused;
import fairlead.api.TokenAnswer;
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

import java.io.IOException;
import java.util.List;

/** Makes users known to the server, and shows them. */
public final class User implements Verb {
    private static final Option ADMIN =
            Option.flag("--admin", null, "create: may change projects, users and all jobs");
    private static final Option PROJECT =
            Option.valued("--project", null, "NAME", "create: where their jobs go by default");
    private static final List<String> ACTIONS = List.of("create", "list", "token");

    @Override
    public Usage usage() {
        return new Usage(
                List.of("user"),
                "create|list|token [NAME]",
                2,
                false,
                "make users known to the server, and show them",
                "A token is printed once and kept nowhere; with it its user logs in from another"
                        + " account or\n"
                        + "machine. 'token' gives a new one, and the old one stops working.",
                List.of(ADMIN, PROJECT, Option.JSON),
                List.of(
                        Example.of("fairlead user create bob", "prints bob's token"),
                        Example.of("fairlead user token bob", "prints a new one"),
                        Example.of("fairlead user list", "everyone whom the server knows")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        String action = arguments.operands().isEmpty() ? "" : arguments.operands().getFirst();
        boolean creates = action.equals("create");
        if (!creates && (arguments.has(ADMIN) || arguments.has(PROJECT))) {
            throw new UsageException("--admin and --project are for 'user create'");
        }
        switch (action) {
            case "create" -> {
                var request =
                        new PersonRequest(
                                arguments.has(ADMIN), arguments.text(PROJECT).orElse(null));
                String name = name(arguments, action);
                show(session.client().createPerson(name, request), arguments, session);
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
        var table = new Table().row("USER", "ADMIN", "PROJECT");
        for (PersonBody person : answer.value().people()) {
            table.row(person.name(), person.admin() ? "yes" : "no", person.project());
        }
        session.out().print(table.text());
    }
}
