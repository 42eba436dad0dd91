package fairlead.cli.shell;

import fairlead.cli.terminal.UsageException;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A port of this machine that leads to one of a task.
 *
 * @param local zero: any that is free
 */
public record PortPair(int local, int port) {
    private static final Pattern FORM = Pattern.compile("(?:(\\d{0,5}):)?(\\d{1,5})");
    private static final int PORT_MAX = 65_535;

    /** Reads {@code 8888}, {@code 8001:8888} and {@code :8888}. */
    public static List<PortPair> all(List<String> words) throws UsageException {
        var pairs = new ArrayList<PortPair>();
        for (String word : words) pairs.add(of(word));
        return pairs;
    }

    private static PortPair of(String word) throws UsageException {
        var match = FORM.matcher(word);
        if (match.matches()) {
            String local = match.group(1);
            int port = Integer.parseInt(match.group(2));
            int here = local == null ? port : local.isEmpty() ? 0 : Integer.parseInt(local);
            if (port >= 1 && port <= PORT_MAX && here <= PORT_MAX) return new PortPair(here, port);
        }
        throw new UsageException(
                "'"
                        + word
                        + "' is not a port: say PORT or LOCAL:PORT, such as 8001:8888, with"
                        + " numbers up to "
                        + PORT_MAX);
    }
}
