package fairlead.cli.admin;

import fairlead.api.client.Refused;
import fairlead.api.people.TokenBody;
import fairlead.api.people.TokenRequest;
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

/** Makes, lists and revokes tokens of a person besides their first. */
public final class Tokens implements Verb {
    private static final Option SCOPE =
            Option.valued(
                    "--scope",
                    null,
                    "WORD",
                    "create: read, submit (by default) or admin, which is all that its holder"
                            + " may");
    private static final Option DAYS =
            Option.valued("--days", null, "N", "create: it ends after so many days");
    private static final Option USER =
            Option.valued("--user", null, "NAME", "somebody else's, for admins");
    private static final List<String> ACTIONS = List.of("create", "list", "revoke");

    @Override
    public Usage usage() {
        return new Usage(
                List.of("token"),
                "create|list|revoke [NAME]",
                2,
                false,
                "make tokens for programs and machines, list and revoke them",
                "A token is printed once and kept nowhere. One for a script should be for no more"
                        + " than it does, and end.",
                List.of(SCOPE, DAYS, USER, Option.JSON),
                List.of(
                        Example.of(
                                "fairlead token create ci-$$ --scope submit --days 90",
                                "prints a token that submits jobs"),
                        Example.of("fairlead token list", "those that you have")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        String action = arguments.operands().isEmpty() ? "" : arguments.operands().getFirst();
        if (!action.equals("create")) {
            for (Option option : List.of(SCOPE, DAYS))
                if (arguments.has(option))
                    throw new UsageException(
                            "'" + option.name() + "' has no meaning for 'token " + action + "'");
        }
        switch (action) {
            case "create" -> {
                String name = name(arguments, action);
                var request =
                        new TokenRequest(
                                name,
                                arguments.text(SCOPE).orElse(null),
                                arguments.numberOrNull(DAYS, 1));
                var answer =
                        session.client().team().createToken(person(arguments, session), request);
                if (arguments.has(Option.JSON)) session.json(answer);
                else session.out().line(answer.value().token());
            }
            case "list" -> list(arguments, session);
            case "revoke" -> {
                String name = name(arguments, action);
                session.client().team().revokeToken(person(arguments, session), name);
                session.out().line(name + " revoked");
            }
            case "" -> throw new UsageException("token needs one of " + String.join(", ", ACTIONS));
            default ->
                    throw new UsageException(
                            "there is no 'token " + action + "'." + Suggestion.of(action, ACTIONS));
        }
        return ExitCode.OK;
    }

    private static String name(Arguments arguments, String action) throws UsageException {
        if (arguments.operands().size() < 2)
            throw new UsageException("which token? 'token " + action + "' needs its name.");
        return arguments.operands().get(1);
    }

    private static String person(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        return arguments.text(USER).isPresent()
                ? arguments.text(USER).get()
                : session.client().me().value().name();
    }

    private static void list(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        var answer = session.client().team().personalTokens(person(arguments, session));
        if (arguments.has(Option.JSON)) {
            session.json(answer);
            return;
        }
        var table = new Table().row("TOKEN", "SCOPE", "CREATED", "EXPIRES");
        for (TokenBody token : answer.value().tokens())
            table.row(
                    token.name(),
                    token.scope(),
                    token.created(),
                    token.expires() == null ? "never" : token.expires());
        session.out().print(table.text());
    }
}
