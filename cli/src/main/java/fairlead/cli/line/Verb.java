package fairlead.cli.line;

import fairlead.api.client.Refused;
import fairlead.cli.terminal.Failure;
import fairlead.cli.terminal.UsageException;

import java.io.IOException;

/** One thing that {@code fairlead} can do. */
public interface Verb {
    Usage usage();

    /**
     * Whether everything after the verb is a command of the user's that nobody looks into, as with
     * ACT. It may depend on the folder in which the command is typed.
     *
     * @param globals what stands before the verb
     */
    default boolean isVerbatim(Arguments globals, Session session) {
        return false;
    }

    /**
     * Returns the exit code. An unreachable server and a refusal are reported to the user by the
     * caller.
     */
    int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException;
}
