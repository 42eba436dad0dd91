package fairlead.engines.local.linux;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The sockets that take connections to a port at this machine's loopback addresses, as /proc shows.
 *
 * @param four some of them answer at 127.0.0.1
 * @param six some of them answer at ::1
 * @param inodes the numbers by which processes hold them
 */
public record Listeners(boolean four, boolean six, Set<String> inodes) {
    private static final Path PROC = Path.of("/proc");
    private static final String LISTENS = "0A";

    /** Addresses as the kernel writes them: hexadecimal, each group of four bytes turned round. */
    private static final Set<String> FOUR = Set.of("00000000", "0100007F");

    private static final String ANY_SIX = "0".repeat(32);

    private static final Set<String> MAPPED_FOUR =
            Set.of("0000000000000000FFFF000000000000", "0000000000000000FFFF00000100007F");

    private static final String LOOPBACK_SIX = "0".repeat(24) + "01000000";

    public static Listeners on(int port) throws IOException {
        boolean four = false;
        boolean six = false;
        var inodes = new HashSet<String>();
        for (String table : List.of("net/tcp", "net/tcp6")) {
            for (String[] row : rows(PROC.resolve(table), port)) {
                String address = row[1].split(":", 2)[0];
                boolean takesSix = address.equals(ANY_SIX) || address.equals(LOOPBACK_SIX);
                // One for all addresses of the new kind usually takes those of the old kind too.
                boolean takesFour =
                        FOUR.contains(address)
                                || MAPPED_FOUR.contains(address)
                                || address.equals(ANY_SIX);
                four |= takesFour;
                six |= takesSix;
                if (takesFour || takesSix) inodes.add(row[9]);
            }
        }
        return new Listeners(four, six, Set.copyOf(inodes));
    }

    /** Those of the table's lines that show a listener on this port, in their columns. */
    private static List<String[]> rows(Path table, int port) throws IOException {
        String suffix = ":%04X".formatted(port);
        try (var lines = Files.lines(table)) {
            return lines.skip(1)
                    .map(line -> line.strip().split(" +"))
                    .filter(row -> row.length > 9)
                    .filter(row -> row[1].endsWith(suffix) && row[3].equals(LISTENS))
                    .toList();
        } catch (NoSuchFileException absent) {
            // A machine may do without the new kind of addresses.
            if (table.endsWith("tcp6")) return List.of();
            throw absent;
        }
    }

    /** Those of them that a process holds open; none where we may not look. */
    public Set<String> heldBy(int pid) throws IOException {
        var held = new HashSet<String>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(PROC.resolve(pid + "/fd"))) {
            for (Path file : files) {
                String name = target(file);
                if (!name.startsWith("socket:[")) continue;
                String inode = name.substring("socket:[".length(), name.length() - 1);
                if (inodes.contains(inode)) held.add(inode);
            }
        } catch (NoSuchFileException | AccessDeniedException | DirectoryIteratorException _) {
            // Another's, or it has just ended.
            return Set.of();
        }
        return held;
    }

    private static String target(Path file) throws IOException {
        try {
            return Files.readSymbolicLink(file).toString();
        } catch (NoSuchFileException | NotLinkException _) {
            // Closed since it was listed.
            return "";
        }
    }
}
