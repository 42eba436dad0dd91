package fairlead.dialects.act.log;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Facts in the form in which Python's {@code pprint} writes a dictionary, which scripts of ACT's
 * users read: a key on each line, in the order of the alphabet, and long texts broken at blanks.
 */
public final class PythonText {
    private static final int WIDTH = 80;

    private PythonText() {}

    /**
     * @param facts texts become quoted, numbers stay as they are, null is None
     */
    public static String dictionary(Map<String, ?> facts) {
        var lines = new ArrayList<String>();
        for (String key : facts.keySet().stream().sorted().toList()) {
            String before = quoted(key) + ": ";
            // One column is the brace's, and the comma or brace after it takes another.
            lines.add(before + value(facts.get(key), before.length() + 1));
        }
        return "{" + String.join(",\n ", lines) + "}";
    }

    /** A list of texts, one on each line. */
    public static String list(Collection<String> texts) {
        var quoted = new ArrayList<String>();
        for (String text : texts) quoted.add(quoted(text));
        return "[" + String.join(",\n ", quoted) + "]";
    }

    private static String value(Object value, int column) {
        return switch (value) {
            case null -> "None";
            case String text -> text(text, column);
            default -> value.toString();
        };
    }

    private static String text(String text, int column) {
        List<String> pieces = pieces(text, WIDTH - column - 1);
        var quoted = new ArrayList<String>();
        for (String piece : pieces) quoted.add(quoted(piece));
        return String.join("\n" + " ".repeat(column), quoted);
    }

    /** As much as fits on each line; a word that is longer than a line stays whole. */
    private static List<String> pieces(String text, int width) {
        if (quoted(text).length() <= width) return List.of(text);
        var pieces = new ArrayList<String>();
        var piece = new StringBuilder();
        int at = 0;
        while (at < text.length()) {
            int end = at;
            while (end < text.length() && text.charAt(end) != ' ') end++;
            while (end < text.length() && text.charAt(end) == ' ') end++;
            String word = text.substring(at, end);
            if (!piece.isEmpty() && quoted(piece + word).length() > width) {
                pieces.add(piece.toString());
                piece.setLength(0);
            }
            piece.append(word);
            at = end;
        }
        pieces.add(piece.toString());
        return pieces;
    }

    /** With double quotes where only a single one is inside, as Python does. */
    public static String quoted(String text) {
        char quote = text.contains("'") && !text.contains("\"") ? '"' : '\'';
        var quoted = new StringBuilder().append(quote);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                case '\t' -> quoted.append("\\t");
                default -> {
                    if (c == quote) quoted.append('\\').append(c);
                    else if (c < ' ' || c >= 0x7f && c < 0xa0) {
                        quoted.append("\\x").append(hex(c >> 4)).append(hex(c & 15));
                    } else quoted.append(c);
                }
            }
        }
        return quoted.append(quote).toString();
    }

    private static char hex(int digit) {
        return Character.forDigit(digit, 16);
    }
}
