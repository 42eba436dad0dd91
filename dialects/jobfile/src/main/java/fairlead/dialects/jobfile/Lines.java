package fairlead.dialects.jobfile;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/** Where the fields of one job stand in its file, so that a refusal can name the line. */
public final class Lines {
    private final String file;
    private final Map<String, Integer> lines = new HashMap<>();
    private final Set<String> forgotten = new HashSet<>();

    public Lines(String file) {
        this.file = file;
    }

    /** For a job that was not read from a file. */
    public static Lines none() {
        return new Lines("");
    }

    void put(String path, int line) {
        lines.put(path, line);
    }

    /** The field's value came from elsewhere, so the file is not to blame for it. */
    public void forget(String path) {
        forgotten.add(path);
    }

    /**
     * {@code job.yaml:7: } or nothing. A field that is not in the file has the line of its parent.
     */
    public String prefix(String path) {
        OptionalInt line = line(path);
        return line.isEmpty() ? "" : file + ":" + line.getAsInt() + ": ";
    }

    /** Counted from 1; empty where the file does not say it. */
    public OptionalInt line(String path) {
        String at = path;
        while (!lines.containsKey(at)) {
            if (at.isEmpty() || forgotten.contains(at)) return OptionalInt.empty();
            at = at.substring(0, Math.max(0, Math.max(at.lastIndexOf('.'), at.lastIndexOf('['))));
        }
        return forgotten.contains(at) ? OptionalInt.empty() : OptionalInt.of(lines.get(at));
    }
}
