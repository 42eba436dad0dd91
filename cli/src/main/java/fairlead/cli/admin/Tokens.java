package fairlead.cli.admin;

import fairlead.api.client.Refused;
import fairlead.api.people.TokenBody;
import fairlead.api.people.TokenRequest;
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
                    "create: read, submit (by default) or admin: all that its holder may do");
    private static final Option DAYS =
            Option.valued("--days", null, "N", "create: it ends after so many days");
    private static final Option USER =
            Option.valued("--user", null, "NAME", "somebody else's, for admins");
    private static final Actions ACTIONS = Actions.of("token", "create", "list", "revoke");

    @Override
    public Usage usage() {
        return new Usage(
                List.of("token"),
                "create|list|revoke [NAME]",
                2,
                false,
                "make tokens for programs and machines, list and revoke them",
                "A token is printed once and kept nowhere. Give a script one with"
                        + " no more scope than it\nneeds, and an end.",
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
        String action = Actions.typed(arguments);
        if (!action.equals("create")) ACTIONS.refuse(arguments, action, List.of(SCOPE, DAYS));
        switch (action) {
            case "create" -> {
                String name = ACTIONS.name(arguments, action);
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
                String name = ACTIONS.name(arguments, action);
                session.client().team().revokeToken(person(arguments, session), name);
                session.out().line(name + " revoked");
            }
            default -> throw ACTIONS.unknown(action);
        }
        return ExitCode.OK;
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
