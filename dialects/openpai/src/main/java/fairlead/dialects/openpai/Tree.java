package fairlead.dialects.openpai;

import fairlead.api.json.BadBody;
import fairlead.api.json.StrictReader;

import io.avaje.json.JsonReader;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * JSON as plain values: maps in the order of the text, lists, texts, {@link BigDecimal}, booleans
 * and null. A name that is given twice in an object is refused, because readers differ on which of
 * both counts.
 */
final class Tree {
    /** A job has four levels; the rest is for the values of jobEnvs. Each level costs stack. */
    private static final int DEPTH_MAX = 20;

    /** Beyond these JavaScript writes numbers with an exponent, and so do we. */
    private static final int PLAIN_DIGITS_MAX = 21;

    private Tree() {}

    static Object read(String text) throws Invalid {
        var reader = new StrictReader(text);
        try {
            Object value = value(reader, 0);
            reader.expectEnd();
            return value;
        } catch (BadBody bad) {
            throw new Invalid(bad.getMessage());
        }
    }

    private static Object value(JsonReader reader, int depth) throws Invalid {
        if (depth > DEPTH_MAX) {
            throw new Invalid(
                    reader.location() + ": is nested more than " + DEPTH_MAX + " levels deep");
        }
        return switch (reader.currentToken()) {
            case BEGIN_OBJECT -> object(reader, depth);
            case BEGIN_ARRAY -> list(reader, depth);
            case STRING -> text(reader);
            case BOOLEAN -> reader.readBoolean();
            case NULL -> reader.isNullValue() ? null : reader.readDecimal();
            case NUMBER -> reader.readDecimal();
        };
    }

    private static Map<String, Object> object(JsonReader reader, int depth) throws Invalid {
        var fields = new LinkedHashMap<String, Object>();
        reader.beginObject();
        while (reader.hasNextField()) {
            fields.put(reader.nextField(), value(reader, depth + 1));
        }
        reader.endObject();
        return fields;
    }

    private static List<Object> list(JsonReader reader, int depth) throws Invalid {
        var entries = new ArrayList<>();
        reader.beginArray();
        while (reader.hasNextElement()) entries.add(value(reader, depth + 1));
        reader.endArray();
        return entries;
    }

    /** Every text may become an argument or a variable, and those end at a NUL. */
    private static String text(JsonReader reader) throws Invalid {
        String text = reader.readString();
        if (text.indexOf('\0') < 0) return text;
        throw new Invalid(reader.location() + ": contains a NUL character");
    }

    /** A value as the text of a variable: a text as it is, null as nothing, all else as JSON. */
    static String plain(Object value) {
        return switch (value) {
            case null -> "";
            case String text -> text;
            default -> {
                var json = new StringBuilder();
                write(value, json);
                yield json.toString();
            }
        };
    }

    private static void write(Object value, StringBuilder json) {
        switch (value) {
            case null -> json.append("null");
            case String text -> quote(text, json);
            case BigDecimal number -> json.append(plain(number));
            case Map<?, ?> fields -> {
                char before = '{';
                for (var field : fields.entrySet()) {
                    json.append(before);
                    quote((String) field.getKey(), json);
                    json.append(':');
                    write(field.getValue(), json);
                    before = ',';
                }
                json.append(fields.isEmpty() ? "{}" : "}");
            }
            case List<?> entries -> {
                char before = '[';
                for (Object entry : entries) {
                    json.append(before);
                    write(entry, json);
                    before = ',';
                }
                json.append(entries.isEmpty() ? "[]" : "]");
            }
            default -> json.append(value);
        }
    }

    private static String plain(BigDecimal number) {
        if (number.signum() == 0) return "0";
        int digits = number.precision() - number.scale();
        boolean isShort =
                Math.abs((long) digits) <= PLAIN_DIGITS_MAX
                        && Math.abs((long) number.scale()) <= 100;
        return isShort ? number.stripTrailingZeros().toPlainString() : number.toString();
    }

    private static void quote(String text, StringBuilder json) {
        json.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> json.append('\\').append(c);
                case '\n' -> json.append("\\n");
                case '\r' -> json.append("\\r");
                case '\t' -> json.append("\\t");
                default -> {
                    if (c < ' ') json.append(String.format("\\u%04x", (int) c));
                    else json.append(c);
                }
            }
        }
        json.append('"');
    }
}
