package fairlead.api.launch;

import fairlead.api.spec.SpecBody;

import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * What a dialect adds to the launch of its jobs, which are those whose origin names it. It only
 * says what is to be done, and the server does it, so that answers follow from their arguments
 * alone and a repeated launch is like the first. Specs are complete, without the values of their
 * secrets. Any thread.
 */
public interface LaunchHook {
    /** Linux takes no longer variable, its name included. */
    int VARIABLE_BYTES_MAX = 128 * 1024 - 1;

    /** As {@code origin.dialect} of its jobs says. */
    String dialect();

    /**
     * Refuses an origin that does not fit its job: anybody may write one into a spec.
     *
     * @param user whose names the job may use; empty for all
     */
    void check(SpecBody spec, Optional<String> user) throws Misfit;

    /**
     * What is done before the tasks start. Also asked at the submit, where the owner is not known
     * yet, and whenever somebody enters a task.
     */
    LaunchPlan plan(SpecBody spec, String owner) throws Misfit;

    /**
     * By rank, the variables that the tasks find beside Fairlead's own, which they never hide. A
     * name may be one that shells do not take, such as {@code a.b}, but has no {@code =}.
     */
    IntFunction<Map<String, String>> variables(LaunchedJob job) throws Misfit;
}
