package fairlead.api.launch;

import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What the server does before the tasks of a job start. The spec that is stored and shown keeps the
 * user's words.
 *
 * @param command what a task runs instead of the user's command
 * @param folder where the tasks begin, if that is not where the spec says
 * @param port the label of one more port that each task gets
 * @param code a folder that is fetched for each attempt, in which the tasks then begin
 * @param login how to log in to the registry of the image
 */
public record LaunchPlan(
        UnaryOperator<List<String>> command,
        Optional<String> folder,
        Optional<String> port,
        Optional<FetchedFolder> code,
        Optional<LoginFile> login) {
    /** A job like any other. */
    public static final LaunchPlan NONE =
            new LaunchPlan(
                    UnaryOperator.identity(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
}
