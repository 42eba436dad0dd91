package fairlead.transfer.pack;

import java.util.ArrayList;
import java.util.List;

/**
 * The options of {@code zip} that a config file gives: patterns after {@code -x} leave files out,
 * and where there are patterns after {@code -i} only what matches one of them goes in. They are
 * written as for a shell, so {@code '\*src/CMC/\*'} is the pattern {@code *src/CMC/*}. Stars run
 * across slashes.
 */
public final class ZipPatterns {
    /** That leave out nothing. */
    public static final ZipPatterns NONE = new ZipPatterns(List.of(), List.of());

    private final List<Glob> without;
    private final List<Glob> only;

    private ZipPatterns(List<Glob> without, List<Glob> only) {
        this.without = without;
        this.only = only;
    }

    /**
     * @throws IllegalArgumentException for an option with another meaning than which files
     */
    public static ZipPatterns of(List<String> options) {
        var without = new ArrayList<Glob>();
        var only = new ArrayList<Glob>();
        List<Glob> now = null;
        for (String option : options) {
            String word = unquoted(option);
            if (word.equals("-x") || word.equals("--exclude")) {
                now = without;
            } else if (word.equals("-i") || word.equals("--include")) {
                now = only;
            } else if (word.startsWith("-x") || word.startsWith("-i")) {
                now = word.startsWith("-x") ? without : only;
                now.add(Glob.of(word.substring(2), Glob.Slashes.CROSS));
            } else if (word.matches("-[0-9qvryu]+")) {
                // How much zip says and compresses: this program has its own way.
                now = null;
            } else if (now == null || word.startsWith("-")) {
                throw new IllegalArgumentException(
                        "zip_options may say which files with -x and -i, but not '" + option + "'");
            } else {
                now.add(Glob.of(word, Glob.Slashes.CROSS));
            }
        }
        return new ZipPatterns(List.copyOf(without), List.copyOf(only));
    }

    /** As a shell passes it on. */
    private static String unquoted(String word) {
        var text = new StringBuilder();
        char quote = 0;
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            if (c == quote) quote = 0;
            else if (quote == 0 && (c == '\'' || c == '"')) quote = c;
            else if (quote != '\'' && c == '\\' && i + 1 < word.length())
                text.append(word.charAt(++i));
            else text.append(c);
        }
        return text.toString();
    }

    boolean leavesOut(String path) {
        for (Glob glob : without) {
            if (glob.matches(path)) return true;
        }
        if (only.isEmpty()) return false;
        for (Glob glob : only) {
            if (glob.matches(path)) return false;
        }
        return true;
    }

    /**
     * Whether nothing below the folder can go in, so that it need not be looked at.
     *
     * @param folder with a slash at its end
     */
    boolean leavesOutAllOf(String folder) {
        for (Glob glob : without) {
            if (glob.endsOpen() && glob.matches(folder)) return true;
        }
        return false;
    }
}
