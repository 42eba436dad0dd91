package fairlead.transfer.pack;

import java.util.Optional;

/**
 * One line of a .gitignore or .fairleadignore.
 *
 * @param takesBack whether it takes back what an earlier line has ignored
 * @param foldersOnly whether only folders are meant
 * @param byName whether it is for names in any folder below, or for paths from its file's folder on
 */
record IgnoreLine(boolean takesBack, boolean foldersOnly, boolean byName, Glob glob) {
    /** Empty for a line without a pattern. */
    static Optional<IgnoreLine> of(String line) {
        if (line.startsWith("#")) return Optional.empty();
        String pattern =
                withoutBlanks(line.endsWith("\r") ? line.substring(0, line.length() - 1) : line);
        boolean takesBack = pattern.startsWith("!");
        if (takesBack) pattern = pattern.substring(1);
        boolean foldersOnly = pattern.endsWith("/");
        if (foldersOnly) pattern = pattern.substring(0, pattern.length() - 1);
        if (pattern.isEmpty()) return Optional.empty();
        boolean byName = pattern.indexOf('/') < 0;
        if (pattern.startsWith("/")) pattern = pattern.substring(1);
        var slashes = byName ? Glob.Slashes.CROSS : Glob.Slashes.STOP;
        return Optional.of(
                new IgnoreLine(takesBack, foldersOnly, byName, Glob.of(pattern, slashes)));
    }

    /** Blanks at the end count for nothing, unless a backslash stands before them. */
    private static String withoutBlanks(String line) {
        int end = 0;
        for (int i = 0; i < line.length(); i++) {
            if (line.charAt(i) == '\\') end = Math.min(line.length(), ++i + 1);
            else if (line.charAt(i) != ' ') end = i + 1;
        }
        return line.substring(0, end);
    }

    /**
     * @param path from the folder of the line's file on
     */
    boolean matches(String path, String name, boolean isFolder) {
        if (foldersOnly && !isFolder) return false;
        return glob.matches(byName ? name : path);
    }
}
