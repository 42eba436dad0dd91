package fairlead.transfer.pack;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is left out of one folder, with git's rules: the files of deeper folders win over those
 * above, later lines over earlier ones. A .fairleadignore is read after the .gitignore beside it.
 */
final class IgnoreRules {
    private static final List<String> FILES = List.of(".gitignore", ".fairleadignore");

    /** A file of rules that is larger is no file of rules. */
    private static final long FILE_BYTES_MAX = 1 << 20;

    private final Optional<IgnoreRules> above;

    /** How much of a path leads to this folder, with the slash. */
    private final int base;

    private final List<IgnoreLine> lines;

    private IgnoreRules(Optional<IgnoreRules> above, int base, List<IgnoreLine> lines) {
        this.above = above;
        this.base = base;
        this.lines = lines;
    }

    /** Rules that every file can take back. */
    static IgnoreRules usual(List<String> lines) {
        return new IgnoreRules(Optional.empty(), 0, parse(lines));
    }

    /**
     * With what the files in this folder say.
     *
     * @param path from the top, with a slash at its end; empty for the top
     */
    IgnoreRules in(Path folder, String path) throws IOException {
        var own = new ArrayList<IgnoreLine>();
        for (String name : FILES) {
            Path file = folder.resolve(name);
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) continue;
            if (Files.size(file) > FILE_BYTES_MAX)
                throw new IOException(file + " has more than 1 MiB, so it is no list of patterns");
            // Bytes that are no UTF-8 may stand in a comment.
            String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
            if (text.startsWith("\uFEFF")) text = text.substring(1);
            own.addAll(parse(List.of(text.split("\n"))));
        }
        return own.isEmpty() ? this : new IgnoreRules(Optional.of(this), path.length(), own);
    }

    private static List<IgnoreLine> parse(List<String> lines) {
        var parsed = new ArrayList<IgnoreLine>();
        for (String line : lines) IgnoreLine.of(line).ifPresent(parsed::add);
        return parsed;
    }

    /**
     * @param path from the top
     */
    boolean ignores(String path, boolean isFolder) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        Optional<IgnoreRules> rules = Optional.of(this);
        while (rules.isPresent()) {
            IgnoreRules now = rules.get();
            String below = path.substring(now.base);
            for (int i = now.lines.size() - 1; i >= 0; i--) {
                IgnoreLine line = now.lines.get(i);
                if (line.matches(below, name, isFolder)) return !line.takesBack();
            }
            rules = now.above;
        }
        return false;
    }
}
