package fairlead.server.portal;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/**
 * What the build has made of the folder portal/: one page and the files that it loads, each
 * compressed, under names that change with what is in them. A build without Node.js has none. They
 * are read when they are first asked for and kept; all of them are less than a megabyte. Any
 * thread.
 */
final class PortalFiles {
    private static final String FOLDER = "/fairlead/portal/";

    /** Every name of the build, one in a line: nothing else is ever looked for. */
    private static final String LIST = "files.txt";

    private final Map<String, byte[]> compressed = new HashMap<>();

    PortalFiles() {
        read(LIST).map(bytes -> new String(bytes, StandardCharsets.UTF_8)).stream()
                .flatMap(String::lines)
                .forEach(name -> compressed.put(name, null));
    }

    boolean isThere() {
        return !compressed.isEmpty();
    }

    /** A file as gzip has made it small; empty for what the build has not made. */
    synchronized Optional<byte[]> compressed(String name) {
        if (!compressed.containsKey(name)) return Optional.empty();
        return Optional.ofNullable(
                compressed.computeIfAbsent(name, each -> read(each + ".gz").orElse(null)));
    }

    static byte[] plain(byte[] compressed) {
        try (var in = new GZIPInputStream(new ByteArrayInputStream(compressed))) {
            return in.readAllBytes();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static Optional<byte[]> read(String name) {
        try (InputStream in = PortalFiles.class.getResourceAsStream(FOLDER + name)) {
            return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
