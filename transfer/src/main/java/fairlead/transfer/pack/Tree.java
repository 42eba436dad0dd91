package fairlead.transfer.pack;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What of a folder belongs to its archive, in the order of the archive.
 *
 * @param strange paths of sockets and the like, which are left out
 */
public record Tree(Path top, List<Found> found, List<String> strange) {
    /** More are hardly code, and their names alone would need more memory than there is. */
    public static final int FOUND_MAX = 200_000;

    private static final String ATTRIBUTES = "unix:mode,size,lastModifiedTime,ctime,ino";
    private static final int TYPE_MASK = 0170000;
    private static final int FOLDER = 0040000;
    private static final int FILE = 0100000;
    private static final int LINK = 0120000;
    private static final int EXECUTABLE_BY_OWNER = 0100;

    /** git never looks into it, and neither do we. */
    private static final String GIT = ".git";

    /**
     * Looks at the whole folder.
     *
     * @param usual lines that files of rules can take back
     */
    public static Tree of(Path top, List<String> usual, ZipPatterns patterns) throws IOException {
        var walk = new Walk(top, patterns);
        walk.folder(top, "", IgnoreRules.usual(usual));
        walk.found.sort(Comparator.comparing(Found::path));
        return new Tree(top, walk.found, walk.strange);
    }

    /** Copies all of it to an empty folder. */
    public void copyTo(Path folder) throws IOException {
        for (Found each : found) {
            Path to = folder.resolve(each.path());
            if (each.kind() == Found.Kind.FOLDER) {
                Files.createDirectories(to);
                continue;
            }
            Files.createDirectories(to.getParent());
            Files.copy(
                    top.resolve(each.path()),
                    to,
                    StandardCopyOption.COPY_ATTRIBUTES,
                    LinkOption.NOFOLLOW_LINKS);
        }
    }

    /** Of all that goes in, from the top, with slashes. */
    public List<String> paths() {
        return found.stream().map(Found::path).toList();
    }

    public long files() {
        return found.stream().filter(each -> each.kind() != Found.Kind.FOLDER).count();
    }

    private static final class Walk {
        private final ZipPatterns patterns;
        private final List<Found> found = new ArrayList<>();
        private final List<String> strange = new ArrayList<>();

        Walk(Path top, ZipPatterns patterns) {
            this.patterns = patterns;
        }

        /** Whether anything in it was found. */
        private boolean folder(Path folder, String path, IgnoreRules above) throws IOException {
            IgnoreRules rules = above.in(folder, path);
            boolean any = false;
            try (DirectoryStream<Path> children = Files.newDirectoryStream(folder)) {
                for (Path child : children) {
                    String name = child.getFileName().toString();
                    if (!name.equals(GIT)) any |= see(child, path + name, rules);
                }
            } catch (DirectoryIteratorException problem) {
                throw problem.getCause();
            } catch (NoSuchFileException vanished) {
                if (path.isEmpty()) throw vanished;
            }
            return any;
        }

        private boolean see(Path child, String path, IgnoreRules rules) throws IOException {
            Map<String, Object> seen;
            try {
                seen = Files.readAttributes(child, ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
            } catch (NoSuchFileException _) {
                return false;
            }
            int mode = (int) seen.get("mode");
            int type = mode & TYPE_MASK;
            if (rules.ignores(path, type == FOLDER)) return false;
            if (type == FOLDER) return seeFolder(child, path, rules, seen);
            if (patterns.leavesOut(path)) return false;
            if (type != FILE && type != LINK) {
                strange.add(path);
                return false;
            }
            var kind = type == FILE ? Found.Kind.FILE : Found.Kind.LINK;
            boolean isExecutable = type == FILE && (mode & EXECUTABLE_BY_OWNER) != 0;
            return add(new Found(path, kind, isExecutable, stamp(seen)));
        }

        private boolean seeFolder(
                Path child, String path, IgnoreRules rules, Map<String, Object> seen)
                throws IOException {
            String inside = path + "/";
            if (patterns.leavesOutAllOf(inside)) return false;
            if (folder(child, inside, rules)) return true;
            if (patterns.leavesOut(inside)) return false;
            return add(new Found(inside, Found.Kind.FOLDER, false, stamp(seen)));
        }

        private boolean add(Found one) throws IOException {
            if (found.size() == FOUND_MAX) {
                throw new IOException(
                        "this folder has more than "
                                + FOUND_MAX
                                + " files that are not left out; .fairleadignore or zip_options"
                                + " can leave out more, '"
                                + one.path()
                                + "' for example");
            }
            return found.add(one);
        }

        private static Found.Stamp stamp(Map<String, Object> seen) {
            return new Found.Stamp(
                    (long) seen.get("size"),
                    ((FileTime) seen.get("lastModifiedTime")).to(TimeUnit.NANOSECONDS),
                    ((FileTime) seen.get("ctime")).to(TimeUnit.NANOSECONDS),
                    (long) seen.get("ino"));
        }
    }
}
