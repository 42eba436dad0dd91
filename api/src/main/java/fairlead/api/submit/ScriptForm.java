package fairlead.api.submit;

import fairlead.api.ScriptRequest;
import fairlead.api.spec.SpecBody;

import java.nio.file.Path;
import java.util.Optional;

/** How a script that was posted becomes a job. Any thread. */
@FunctionalInterface
public interface ScriptForm {
    /**
     * The job that is asked for.
     *
     * @param datasets the user's folder of them, where there is one
     * @param inImage whether it runs inside its image, whose working folder is then its own
     */
    SpecBody spec(ScriptRequest said, Optional<Path> datasets, boolean inImage) throws BadForm;
}
