package fairlead.cli.spec;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

/** Where the fields of one job stand in its file, so that a refusal can name the line. */
public final class Lines {
    private final String file;
    private final Map<String, Integer> lines = new HashMap<>();

    Lines(String file) {
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
    void forget(String path) {
        lines.remove(path);
    }

    /**
     * {@code job.yaml:7: } or nothing. A field that is not in the file has the line of its parent.
     */
    public String prefix(String path) {
        OptionalInt line = line(path);
        return line.isEmpty() ? "" : file + ":" + line.getAsInt() + ": ";
    }

    private OptionalInt line(String path) {
        String at = path;
        while (!lines.containsKey(at)) {
            int cut = Math.max(at.lastIndexOf('.'), at.lastIndexOf('['));
            if (cut < 0) return OptionalInt.empty();
            at = at.substring(0, cut);
        }
        return OptionalInt.of(lines.get(at));
    }
}
