package fairlead.dialects.act.log;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Facts in the form in which Python's {@code pprint} writes them, which ACT's users and their
 * scripts know: on one line what fits there; otherwise a key on each line, in the order of the
 * alphabet, and long texts broken at blanks.
 */
public final class PythonText {
    private static final int WIDTH = 80;

    private PythonText() {}

    /**
     * @param value maps, lists, texts, numbers, truths and null
     */
    public static String of(Object value) {
        return of(value, 0);
    }

    private static String of(Object value, int column) {
        String line = line(value);
        // What follows it, a comma or a bracket, takes a column as well.
        if (line.length() < WIDTH - column) return line;
        String indent = ",\n" + " ".repeat(column + 1);
        var parts = new ArrayList<String>();
        switch (value) {
            case Map<?, ?> map -> {
                new TreeMap<>(texts(map))
                        .forEach(
                                (key, part) -> {
                                    String before = quoted(key) + ": ";
                                    parts.add(before + of(part, column + 1 + before.length()));
                                });
                return "{" + String.join(indent, parts) + "}";
            }
            case Collection<?> list -> {
                for (Object part : list) parts.add(of(part, column + 1));
                return "[" + String.join(indent, parts) + "]";
            }
            case String text -> {
                for (String piece : pieces(text, WIDTH - column - 1)) parts.add(quoted(piece));
                return String.join("\n" + " ".repeat(column), parts);
            }
            default -> {
                return line;
            }
        }
    }

    private static Map<String, Object> texts(Map<?, ?> map) {
        var texts = new HashMap<String, Object>();
        map.forEach((key, value) -> texts.put(String.valueOf(key), value));
        return texts;
    }

    private static String line(Object value) {
        return switch (value) {
            case null -> "None";
            case Boolean truth -> truth ? "True" : "False";
            case String text -> quoted(text);
            case Map<?, ?> map -> {
                var parts = new ArrayList<String>();
                new TreeMap<>(texts(map))
                        .forEach((key, part) -> parts.add(quoted(key) + ": " + line(part)));
                yield "{" + String.join(", ", parts) + "}";
            }
            case Collection<?> list -> {
                var parts = new ArrayList<String>();
                for (Object part : list) parts.add(line(part));
                yield "[" + String.join(", ", parts) + "]";
            }
            default -> value.toString();
        };
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
