package fairlead.cli.shell;

import fairlead.api.JobDetail;

import java.util.List;

/** What a dialect puts around the commands that are run inside its jobs. */
@FunctionalInterface
public interface Surroundings {
    /** For a job of any other dialect, the command as it is. */
    List<String> around(JobDetail job, List<String> command);
}
