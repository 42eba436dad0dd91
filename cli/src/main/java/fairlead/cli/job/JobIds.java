package fairlead.cli.job;

import fairlead.cli.terminal.UsageException;

import java.util.LinkedHashSet;
import java.util.List;

/** The ids that words on the command line mean. */
public final class JobIds {
    private JobIds() {}

    /** Each once; a folder that the shell has completed, such as assets/JOB/, means its job. */
    public static List<String> of(List<String> words) throws UsageException {
        var ids = new LinkedHashSet<String>();
        for (String word : words) {
            String path = word.strip().replaceAll("/+$", "");
            String id = path.substring(path.lastIndexOf('/') + 1);
            if (id.isEmpty()) throw new UsageException("'" + word + "' is no job's id");
            ids.add(id);
        }
        return List.copyOf(ids);
    }
}
