package fairlead.dialects.openpai;

/**
 * Makes strict JSON of what OpenPAI's portal takes from files: {@code //} comments and a comma
 * before a closing bracket become blanks, so that every other character keeps its line and column.
 */
final class Relaxed {
    private static final char START = '\0';
    private final char[] text;
    private int position;

    /** The last character that is no blank and no comment, and the one before it. */
    private char last = START;

    private char beforeLast = START;
    private int lastAt;

    private Relaxed(String text) {
        this.text = text.toCharArray();
    }

    static String strict(String text) {
        return new Relaxed(text).strict();
    }

    private String strict() {
        while (position < text.length) {
            char c = text[position];
            if (isBlank(c)) {
                position++;
            } else if (c == '/' && position + 1 < text.length && text[position + 1] == '/') {
                blankLine();
            } else {
                if ((c == '}' || c == ']') && isCommaTooMany()) text[lastAt] = ' ';
                seen(c);
                if (c == '"') skipString();
                else position++;
            }
        }
        return new String(text);
    }

    /** A comma after a value; not one after another comma or an opening bracket. */
    private boolean isCommaTooMany() {
        return last == ',' && "[{,".indexOf(beforeLast) < 0 && beforeLast != START;
    }

    private void seen(char c) {
        beforeLast = last;
        last = c;
        lastAt = position;
    }

    private void blankLine() {
        while (position < text.length && text[position] != '\n' && text[position] != '\r') {
            text[position++] = ' ';
        }
    }

    private void skipString() {
        position++;
        while (position < text.length && text[position] != '"') {
            position += text[position] == '\\' ? 2 : 1;
        }
        position++;
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\n' || c == '\r' || c == '\t';
    }
}
