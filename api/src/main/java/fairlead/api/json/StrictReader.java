package fairlead.api.json;

import io.avaje.json.JsonReader;
import io.avaje.json.PropertyNames;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads JSON exactly as RFC 8259 has it, and knows the path of the value that it reads, so that
 * every mistake is reported with its field or its line. avaje's own reader is made for trusted
 * text: it takes {@code {"a":1 "b":2}} and text after the end, can run past the end of its buffer,
 * and refuses texts of more than 50,000 characters, which a command and a piece of a log may have.
 * Nesting costs no stack here, because only the fields of our records are ever entered.
 */
public final class StrictReader implements JsonReader {
    /** Longer ones are no quantity of ours, and parsing them would take quadratic time. */
    private static final int NUMBER_CHARS_MAX = 100;

    private static final String UNUSED = "no record of the wire needs this";
    private final String text;
    private final boolean passesUnknown;
    private final List<Level> levels = new ArrayList<>();
    private int position;

    /** An object or a list that has been entered and not left. */
    private static final class Level {
        final boolean list;
        final Set<String> names = new HashSet<>();
        boolean empty = true;
        String name;
        int index = -1;

        Level(boolean list) {
            this.list = list;
        }
    }

    /** Refuses fields that are not known: they are mistyped. */
    public StrictReader(String text) {
        this(text, false);
    }

    private StrictReader(String text, boolean passesUnknown) {
        this.text = text;
        this.passesUnknown = passesUnknown;
    }

    /** Passes over fields that are not known: a newer server sent them. */
    static StrictReader ofAnswer(String text) {
        return new StrictReader(text, true);
    }

    /** Refuses anything but blanks after the value. */
    public void expectEnd() {
        skipBlanks();
        if (position < text.length()) throw malformed("more text after the end");
    }

    @Override
    public void beginObject(PropertyNames names) {
        beginObject();
    }

    @Override
    public void beginObject() {
        enter('{', "an object");
    }

    @Override
    public void beginArray() {
        enter('[', "a list");
    }

    private void enter(char bracket, String wanted) {
        if (peek() != bracket) throw wrongKind(wanted);
        position++;
        levels.add(new Level(bracket == '['));
    }

    @Override
    public boolean hasNextField() {
        if (!hasNext('}')) return false;
        if (peek() != '"') throw malformed("expected a field name in double quotes");
        return true;
    }

    @Override
    public boolean hasNextElement() {
        if (!hasNext(']')) return false;
        levels.getLast().index++;
        return true;
    }

    private boolean hasNext(char bracket) {
        if (peek() == bracket) return false;
        Level level = levels.getLast();
        if (!level.empty) expect(',', "expected ',' or '" + bracket + "'");
        level.empty = false;
        return true;
    }

    @Override
    public String nextField() {
        Level level = levels.getLast();
        level.name = string();
        if (!level.names.add(level.name)) throw wrong("is given twice");
        expect(':', "expected ':' after a field name");
        return level.name;
    }

    @Override
    public void endObject() {
        leave('}');
    }

    @Override
    public void endArray() {
        leave(']');
    }

    private void leave(char bracket) {
        expect(bracket, "expected '" + bracket + "'");
        levels.removeLast();
    }

    @Override
    public boolean isNullValue() {
        if (peek() != 'n') return false;
        literal("null");
        return true;
    }

    @Override
    public boolean readBoolean() {
        char first = peek();
        if (first != 't' && first != 'f') throw wrongKind("true or false");
        literal(first == 't' ? "true" : "false");
        return first == 't';
    }

    @Override
    public int readInt() {
        long number = readLong();
        if (number != (int) number) throw wrong("is too large: " + number);
        return (int) number;
    }

    @Override
    public long readLong() {
        String number = wholeNumber();
        try {
            return Long.parseLong(number);
        } catch (NumberFormatException _) {
            throw wrong("is too large: " + number);
        }
    }

    @Override
    public BigInteger readBigInteger() {
        return new BigInteger(wholeNumber());
    }

    private String wholeNumber() {
        String number = number("a whole number");
        for (int i = 0; i < number.length(); i++) {
            char c = number.charAt(i);
            if (c != '-' && !isDigit(c)) throw wrong("must be a whole number, but is " + number);
        }
        return number;
    }

    /** A number as it is written, whole or not. */
    public String readNumber() {
        return number("a number");
    }

    @Override
    public BigDecimal readDecimal() {
        String number = readNumber();
        try {
            return new BigDecimal(number);
        } catch (NumberFormatException _) {
            throw wrong("has too large an exponent: " + number);
        }
    }

    @Override
    public double readDouble() {
        return readDecimal().doubleValue();
    }

    @Override
    public String readString() {
        if (peek() != '"') throw wrongKind("a text");
        return string();
    }

    @Override
    public Token currentToken() {
        return switch (peek()) {
            case '{' -> Token.BEGIN_OBJECT;
            case '[' -> Token.BEGIN_ARRAY;
            case '"' -> Token.STRING;
            case 't', 'f' -> Token.BOOLEAN;
            case 'n' -> Token.NULL;
            default -> Token.NUMBER;
        };
    }

    @Override
    public void unmappedField(String name) {
        if (!passesUnknown) throw wrong("is not a known field");
    }

    @Override
    public String location() {
        return path();
    }

    @Override
    public byte[] readBinary() {
        throw new UnsupportedOperationException(UNUSED);
    }

    @Override
    public String readRaw() {
        throw new UnsupportedOperationException(UNUSED);
    }

    /** Only looks for the end of the value; what is inside of it does not matter. */
    @Override
    public void skipValue() {
        int depth = 0;
        do {
            char c = peek();
            if (c == '"') {
                string();
                continue;
            }
            position++;
            if (c == '{' || c == '[') depth++;
            else if (c == '}' || c == ']') depth--;
            else if (c != ',' && c != ':') skipWord();
        } while (depth > 0);
    }

    private void skipWord() {
        while (position < text.length() && ",]} \t\r\n".indexOf(text.charAt(position)) < 0) {
            position++;
        }
    }

    @Override
    public <T> T unwrap(Class<T> type) {
        throw new UnsupportedOperationException(UNUSED);
    }

    @Override
    public void close() {}

    /** A mistake in the value that is being read. */
    public BadBody wrong(String problem) {
        return BadBody.wrong(path(), problem);
    }

    private BadBody wrongKind(String wanted) {
        char found = peek();
        String kind =
                switch (found) {
                    case '{' -> "an object";
                    case '[' -> "a list";
                    case '"' -> "a text";
                    case 't', 'f' -> "true or false";
                    case 'n' -> "null";
                    default -> {
                        if (found != '-' && !isDigit(found)) throw malformed("expected a value");
                        yield "a number";
                    }
                };
        return wrong("must be " + wanted + ", but is " + kind);
    }

    private String path() {
        var path = new StringBuilder();
        for (Level level : levels) {
            if (level.list) {
                path.append('[').append(Math.max(level.index, 0)).append(']');
            } else if (level.name != null) {
                path.append(path.isEmpty() ? "" : ".").append(level.name);
            }
        }
        return path.toString();
    }

    private BadBody malformed(String problem) {
        int line = 1;
        int column = 1;
        for (int i = 0; i < Math.min(position, text.length()); i++) {
            boolean newLine = text.charAt(i) == '\n';
            line += newLine ? 1 : 0;
            column = newLine ? 1 : column + 1;
        }
        return BadBody.malformed(problem + ", at line " + line + " column " + column);
    }

    /** The next character that is not blank, which stays unread. */
    private char peek() {
        skipBlanks();
        if (position >= text.length()) throw malformed("the text ends too early");
        return text.charAt(position);
    }

    private void skipBlanks() {
        while (position < text.length() && isBlank(text.charAt(position))) position++;
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\n' || c == '\r' || c == '\t';
    }

    private void expect(char wanted, String problem) {
        if (peek() != wanted) throw malformed(problem);
        position++;
    }

    private void literal(String word) {
        if (!text.startsWith(word, position)) throw malformed("expected a value");
        position += word.length();
    }

    private String number(String wanted) {
        char first = peek();
        if (first != '-' && !isDigit(first)) throw wrongKind(wanted);
        int start = position;
        if (first == '-') position++;
        boolean zeroFirst = position < text.length() && text.charAt(position) == '0';
        if (digits() > 1 && zeroFirst) throw malformed("a number must not start with 0");
        if (here('.')) digits();
        if (here('e') || here('E')) {
            if (!here('+')) here('-');
            digits();
        }
        if (position - start > NUMBER_CHARS_MAX) throw wrong("is too long for a number");
        return text.substring(start, position);
    }

    private int digits() {
        int start = position;
        while (position < text.length() && isDigit(text.charAt(position))) position++;
        if (position == start) throw malformed("expected a digit");
        return position - start;
    }

    private boolean here(char wanted) {
        boolean found = position < text.length() && text.charAt(position) == wanted;
        if (found) position++;
        return found;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private String string() {
        int start = ++position;
        while (position < text.length()) {
            char c = text.charAt(position);
            if (c == '"') {
                String plain = text.substring(start, position++);
                refuseHalfCharacters(plain);
                return plain;
            }
            if (c == '\\') return stringWithEscapes(start);
            if (c < ' ') throw malformed("a control character inside a text must be escaped");
            position++;
        }
        throw malformed("a text is not closed by a double quote");
    }

    /** Goes on where the first escape stands. */
    private String stringWithEscapes(int start) {
        var built = new StringBuilder(text.substring(start, position));
        while (position < text.length()) {
            char c = text.charAt(position);
            if (c < ' ') throw malformed("a control character inside a text must be escaped");
            position++;
            if (c == '"') {
                refuseHalfCharacters(built);
                return built.toString();
            }
            built.append(c == '\\' ? escaped() : c);
        }
        throw malformed("a text is not closed by a double quote");
    }

    private char escaped() {
        if (position >= text.length()) throw malformed("a text is not closed");
        char c = text.charAt(position++);
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> throw malformed("unknown escape \\" + c);
        };
    }

    private char unicode() {
        int value = 0;
        for (int i = 0; i < 4; i++) {
            int digit = position < text.length() ? Character.digit(text.charAt(position), 16) : -1;
            if (digit < 0) throw malformed("expected four hexadecimal digits after \\u");
            value = value * 16 + digit;
            position++;
        }
        return (char) value;
    }

    private void refuseHalfCharacters(CharSequence built) {
        for (int i = 0; i < built.length(); i++) {
            char c = built.charAt(i);
            if (!Character.isSurrogate(c)) continue;
            boolean whole =
                    Character.isHighSurrogate(c)
                            && i + 1 < built.length()
                            && Character.isLowSurrogate(built.charAt(i + 1));
            if (!whole) throw malformed("half of a character (an unpaired surrogate)");
            i++;
        }
    }
}
