package fairlead.engines.local.linux;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the server's children may have of its own.
 *
 * @param entries its variables by name, of the form NAME=value, in bytes: Java's decoded copy loses
 *     those that are not text in the current locale
 * @param umask in octal digits
 */
public record Inherited(Map<String, byte[]> entries, String umask) {
    /** Ours are for the server: its home holds the token of its owner, who is an admin. */
    private static final String OURS = "FAIRLEAD_";

    private static final String UMASK = "Umask:";

    /** Kernels before 4.7 do not say it. */
    private static final String USUAL_UMASK = "0022";

    /**
     * @param environment as /proc/self/environ has it
     * @param status as /proc/self/status has it
     */
    public static Inherited of(byte[] environment, List<String> status) {
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
        String umask =
                status.stream()
                        .filter(line -> line.startsWith(UMASK))
                        .map(line -> line.substring(UMASK.length()).strip())
                        .findFirst()
                        .orElse(USUAL_UMASK);
        return new Inherited(entries, umask);
    }

    /** The folders of programs; empty when there is no such variable. */
    public String path() {
        byte[] entry = entries.getOrDefault("PATH", new byte[0]);
        return new String(entry, UTF_8).replaceFirst("^PATH=", "");
    }
}
