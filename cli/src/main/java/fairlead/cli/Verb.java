package fairlead.cli;

import fairlead.api.Refused;

import java.io.IOException;

/** One thing that {@code fairlead} can be told to do. */
public interface Verb {
    Usage usage();

    /**
     * Returns the exit code. An unreachable server and a refusal are told to the user by the
     * caller.
     */
    int run(Arguments arguments, Session session)
            throws UsageException, Failure, Refused, IOException;
}
