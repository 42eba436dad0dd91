package fairlead.cli.admin;

import fairlead.api.client.Refused;
import fairlead.cli.line.Arguments;
import fairlead.cli.line.Example;
import fairlead.cli.line.Option;
import fairlead.cli.line.Session;
import fairlead.cli.line.Usage;
import fairlead.cli.line.Verb;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Keeps values at the server that jobs get and nobody is shown. */
public final class Secret implements Verb {
    private static final Option PROJECT =
            Option.valued("--project", null, "NAME", "of the project, for the jobs of all in it");
    private static final Actions ACTIONS = Actions.of("secret", "set", "list", "delete");

    /** The server takes less; what comes through the pipe may be anything. */
    private static final int VALUE_BYTES_MAX = 64 * 1024;

    @Override
    public Usage usage() {
        return new Usage(
                List.of("secret"),
                "set|list|delete [NAME]",
                2,
                false,
                "keep keys at the server that only your jobs get",
                "'set' reads the value from the standard input, without the line feed at its end,"
                        + " or asks for it.\n"
                        + "A job gets it by a variable: -e 'KEY=${secret:NAME}'. It is encrypted at"
                        + " the server, and no command shows it.",
                List.of(PROJECT, Option.JSON),
                List.of(
                        Example.of(
                                "echo 0123 | fairlead secret set wandb",
                                "jobs with -e 'WANDB_API_KEY=${secret:wandb}' have it"),
                        Example.of("fairlead secret list", "the names"),
                        Example.of("fairlead secret delete wandb", "jobs that run keep it")));
    }

    @Override
    public int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        String action = Actions.typed(arguments);
        switch (action) {
            case "set" -> {
                String name = ACTIONS.name(arguments, action);
                session.client()
                        .team()
                        .setSecret(holder(arguments, session), name, value(name, session));
                session.out().line(name + " set");
            }
            case "list" -> {
                var answer = session.client().team().secretNames(holder(arguments, session));
                if (arguments.has(Option.JSON)) session.json(answer);
                else for (String name : answer.value().secrets()) session.out().line(name);
            }
            case "delete" -> {
                String name = ACTIONS.name(arguments, action);
                session.client().team().deleteSecret(holder(arguments, session), name);
                session.out().line(name + " deleted");
            }
            default -> throw ACTIONS.unknown(action);
        }
        return ExitCode.OK;
    }

    private static String holder(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException {
        return arguments.text(PROJECT).isPresent()
                ? "projects/" + arguments.text(PROJECT).get()
                : "people/" + session.client().me().value().name();
    }

    private static String value(String name, Session session) throws UsageException, IOException {
        if (session.terminal().inIsTerminal()) return NewPassword.known(name, session);
        byte[] input = System.in.readNBytes(VALUE_BYTES_MAX);
        String text = new String(input, StandardCharsets.UTF_8).replaceFirst("\\r?\\n$", "");
        if (text.isEmpty()) throw new UsageException("the standard input holds no value");
        return text;
    }
}
