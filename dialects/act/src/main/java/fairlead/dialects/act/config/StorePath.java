package fairlead.dialects.act.config;

import fairlead.dialects.yaml.Section;

import java.util.ArrayList;
import java.util.Optional;

/** A path inside a store, as config files write it. */
public final class StorePath {
    /** What Azure takes for the name of a blob. */
    private static final int CHARS_MAX = 1_024;

    private StorePath() {}

    /**
     * Without blank steps; empty where the text is no path inside a store, which is then told.
     *
     * @param key whose value it is, for messages
     * @param isFile whether it must name something, and not the whole store
     */
    public static Optional<String> of(String text, Section section, String key, boolean isFile) {
        var steps = new ArrayList<String>();
        for (String step : text.split("/")) {
            if (step.isEmpty() || step.equals(".")) continue;
            if (step.equals("..")) {
                section.mistake(key, "must not have '..' in it: '" + text + "'");
                return Optional.empty();
            }
            steps.add(step);
        }
        String path = String.join("/", steps);
        String problem = null;
        if (path.length() > CHARS_MAX) {
            problem = "is longer than " + CHARS_MAX + " characters";
        } else if (path.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
            problem = "has a control character in it";
        } else if (isFile && (path.isEmpty() || text.endsWith("/"))) {
            problem = "must name a file, but is '" + text + "'";
        }
        if (problem == null) return Optional.of(path);
        section.mistake(key, problem);
        return Optional.empty();
    }
}
