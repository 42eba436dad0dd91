package fairlead.engines.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The server's own variables that its children may have, by name.
 *
 * @param entries of the form NAME=value, in bytes: Java's decoded copy loses those that are not
 *     text in the current locale
 */
record Inherited(Map<String, byte[]> entries) {
    /** Ours are for the server: its home holds the token of its owner, who is an admin. */
    private static final String OURS = "FAIRLEAD_";

    /**
     * @param environment as /proc/self/environ has it
     */
    static Inherited of(byte[] environment) {
        var entries = new LinkedHashMap<String, byte[]>();
        int from = 0;
        for (int i = 0; i < environment.length; i++) {
            if (environment[i] != 0) continue;
            byte[] entry = Arrays.copyOfRange(environment, from, i);
            from = i + 1;
            String text = new String(entry, UTF_8);
            int equals = text.indexOf('=');
            if (equals < 1) continue;
            String name = text.substring(0, equals);
            if (!name.startsWith(OURS)) entries.put(name, entry);
        }
        return new Inherited(entries);
    }

    /** The folders of programs; empty when there is no such variable. */
    String path() {
        byte[] entry = entries.getOrDefault("PATH", new byte[0]);
        return new String(entry, UTF_8).replaceFirst("^PATH=", "");
    }
}
