package fairlead.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** What the settings say, key by key, each with where it stands so that a mistake is found. */
final class Entries {
    /** Flags are kept from one start to the next. */
    private static final String FLAG = "flag of 'server start'";

    private final Map<String, Entry> all = new LinkedHashMap<>();

    /**
     * One line of the file, or one flag.
     *
     * @param where what a message about it begins with; empty for a flag
     */
    private record Entry(String value, String where) {}

    /** The lines of a file; none where there is no file. */
    static Entries of(Path file) throws StartException {
        var entries = new Entries();
        if (!Files.exists(file)) return entries;
        List<String> lines;
        try {
            lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw wrong(file + " cannot be read: " + unreadable.getMessage());
        }
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) continue;
            String where = file + " line " + (i + 1) + ": ";
            int equals = line.indexOf('=');
            if (equals < 1) throw wrong(where + "expected 'key = value', but is '" + line + "'");
            String key = line.substring(0, equals).strip();
            var entry = new Entry(line.substring(equals + 1).strip(), where);
            if (entries.all.put(key, entry) != null)
                throw wrong(where + "'" + key + "' is given twice");
        }
        return entries;
    }

    /** What goes before the file. */
    void put(String key, String value) {
        all.put(key, new Entry(value, ""));
    }

    Set<String> keys() {
        return all.keySet();
    }

    /**
     * Such as {@code /home/ann/settings line 3}, or {@code server start}; empty where it is not
     * set.
     */
    Optional<String> source(String key) {
        return Optional.ofNullable(all.get(key))
                .map(entry -> entry.where().isEmpty() ? FLAG : entry.where().replaceAll(": $", ""));
    }

    /** As it was written; null where it is not set. */
    String text(String key) {
        Entry entry = all.get(key);
        return entry == null ? null : entry.value();
    }

    boolean has(String key) {
        return all.containsKey(key);
    }

    /** The value as the reading makes it, which refuses a bad one and names the key in that. */
    <T> Optional<T> read(String key, Function<String, T> reading) throws StartException {
        Entry entry = all.get(key);
        if (entry == null) return Optional.empty();
        try {
            return Optional.of(reading.apply(entry.value()));
        } catch (IllegalArgumentException bad) {
            throw wrong(entry.where() + bad.getMessage());
        }
    }

    /** A mistake in what stands at this key. */
    StartException mistake(String key, String problem) {
        Entry entry = all.get(key);
        return wrong((entry == null ? "" : entry.where()) + problem);
    }

    static StartException wrong(String message) {
        return new StartException(StartException.USAGE, message);
    }
}
