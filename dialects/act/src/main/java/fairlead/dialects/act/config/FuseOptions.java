package fairlead.dialects.act.config;

import fairlead.dialects.yaml.Section;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The options of blobfuse in a config file, as the node gets them: {@code ro} keeps a folder from
 * being changed, the others count where a node mounts it. What means nothing here is named in a
 * warning.
 */
public final class FuseOptions {
    public static final String KEY = "blob_fuse_options";
    private static final String READ_ONLY = "ro";
    public static final String CACHE_SECONDS = "file_cache_timeout";

    private static final List<String> FLAGS = List.of(READ_ONLY, "allow_other");
    private static final List<String> SECONDS =
            List.of("attr_timeout", "entry_timeout", "negative_timeout", CACHE_SECONDS);

    /** As blobfuse2 reads the value of a switch; without one it is on. */
    private static final String YES = "|=(?:1|t|T|true|TRUE|True)";

    private static final String NO = "=(?:0|f|F|false|FALSE|False)";

    /** What the two generations of blobfuse call the same. */
    private static final Map<String, String> LONG_NAMES =
            Map.of(
                    "--file-cache-timeout-in-seconds",
                    CACHE_SECONDS,
                    "--file-cache-timeout",
                    CACHE_SECONDS,
                    "--read-only",
                    READ_ONLY,
                    "--allow-other",
                    "allow_other");

    private FuseOptions() {}

    /** Whether options as {@link #of} writes them keep a folder from being changed. */
    public static boolean areReadOnly(String options) {
        return List.of(options.split(",")).contains(READ_ONLY);
    }

    /** Such as {@code ro,attr_timeout=240}; empty where the section says nothing that counts. */
    public static String of(Section section) {
        var counting = new LinkedHashMap<String, String>();
        var others = new ArrayList<String>();
        for (String option : typed(section)) {
            String name = option.contains("=") ? option.substring(0, option.indexOf('=')) : option;
            String value = option.substring(name.length());
            String known = LONG_NAMES.getOrDefault(name, name);
            if (FLAGS.contains(known) && value.matches(YES)) {
                counting.put(known, known);
            } else if (FLAGS.contains(known) && value.matches(NO)) {
                counting.remove(known);
            } else if (SECONDS.contains(known) && value.matches("=\\d{1,9}")) {
                counting.put(known, known + value);
            } else {
                others.add(option);
            }
        }
        if (!others.isEmpty()) {
            section.warn(
                    KEY,
                    "has what means nothing here, and is ignored: " + String.join(", ", others));
        }
        return String.join(",", counting.values());
    }

    /** Each option by itself: {@code -o a,b=1} says two. */
    private static List<String> typed(Section section) {
        var options = new ArrayList<String>();
        boolean isNext = false;
        for (String word : section.texts(KEY).orElse(List.of())) {
            String text = word.strip();
            boolean isJoined = !isNext && text.matches("-o.+");
            if (isJoined) text = text.substring(2).strip();
            if (isNext || isJoined) {
                for (String each : text.split(",")) if (!each.isBlank()) options.add(each.strip());
                isNext = false;
            } else if (text.equals("-o")) {
                isNext = true;
            } else if (!text.isEmpty()) {
                options.add(text);
            }
        }
        return options;
    }
}
