package fairlead.dialects.openpai;

import java.util.List;

/** Finds the line on which a value stands. Only for JSON that has been read without a mistake. */
final class Whereabouts {
    private final String json;
    private int position;

    private Whereabouts(String json) {
        this.json = json;
    }

    /**
     * The line, counted from 1, of the value that the path leads to, or of the last value on the
     * way that is there.
     */
    static int line(String json, List<Object> path) {
        var walk = new Whereabouts(json);
        walk.skipBlanks();
        for (Object step : path) {
            boolean found =
                    step instanceof Integer index ? walk.enter(index) : walk.enter((String) step);
            if (!found) break;
        }
        return 1 + (int) json.chars().limit(walk.position).filter(c -> c == '\n').count();
    }

    private boolean enter(int index) {
        int start = position;
        if (json.charAt(position) != '[') return false;
        position++;
        for (int i = 0; !atEnd(']'); i++) {
            if (i == index) return true;
            skipValue();
        }
        position = start;
        return false;
    }

    private boolean enter(String name) {
        int start = position;
        if (json.charAt(position) != '{') return false;
        position++;
        while (!atEnd('}')) {
            int key = position;
            skipString();
            boolean found = json.substring(key + 1, position - 1).equals(name);
            skipBlanks();
            position++;
            skipBlanks();
            if (found) return true;
            skipValue();
        }
        position = start;
        return false;
    }

    /** Passes over blanks and the comma between two values. */
    private boolean atEnd(char bracket) {
        skipBlanks();
        if (json.charAt(position) == ',') position++;
        skipBlanks();
        return json.charAt(position) == bracket;
    }

    private void skipValue() {
        int depth = 0;
        do {
            char c = json.charAt(position);
            if (c == '"') {
                skipString();
                continue;
            }
            position++;
            if (c == '{' || c == '[') depth++;
            else if (c == '}' || c == ']') depth--;
            else if (depth == 0) skipWord();
        } while (depth > 0);
    }

    private void skipWord() {
        while (",]} \t\r\n".indexOf(json.charAt(position)) < 0) position++;
    }

    private void skipString() {
        position++;
        while (json.charAt(position) != '"') position += json.charAt(position) == '\\' ? 2 : 1;
        position++;
    }

    private void skipBlanks() {
        while (" \t\r\n".indexOf(json.charAt(position)) >= 0) position++;
    }
}
