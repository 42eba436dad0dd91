package fairlead.cli.job;

import fairlead.cli.terminal.UsageException;

import java.util.LinkedHashSet;
import java.util.List;

/** The ids that words on the command line mean. */
public final class JobIds {
    private JobIds() {}

    /** The words without blanks and slashes around them, each once. */
    public static List<String> of(List<String> words) throws UsageException {
        var ids = new LinkedHashSet<String>();
        for (String word : words) {
            String id = word.strip().replaceAll("^/+|/+$", "");
            if (id.isEmpty()) throw new UsageException("'" + word + "' is no job's id");
            ids.add(id);
        }
        return List.copyOf(ids);
    }
}
