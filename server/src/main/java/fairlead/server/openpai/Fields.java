package fairlead.server.openpai;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.api.json.BadBody;
import fairlead.api.json.StrictReader;
import fairlead.dialects.openpai.JobForm;

import java.math.BigDecimal;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The fields of a body: texts, numbers and flags by name. A text is taken for the number or the
 * flag that it spells, because a form has only texts and OpenPAI's clients send both.
 */
record Fields(Map<String, Object> values) {
    static final Fields NONE = new Fields(Map.of());

    /** No call has more than four. */
    private static final int FIELDS_MAX = 20;

    private static final int DIGITS_MAX = 20;

    static Fields ofJson(byte[] body) {
        if (body.length == 0) return NONE;
        var json = new StrictReader(text(body));
        var values = new LinkedHashMap<String, Object>();
        json.beginObject();
        while (json.hasNextField()) {
            String name = json.nextField();
            if (values.size() == FIELDS_MAX) throw PaiProblem.invalid("too many fields");
            values.put(name, value(json, name));
        }
        json.endObject();
        json.expectEnd();
        return new Fields(values);
    }

    private static Object value(StrictReader json, String name) {
        return switch (json.currentToken()) {
            case STRING -> json.readString();
            case NUMBER -> json.readDecimal();
            case BOOLEAN -> json.readBoolean();
            case NULL, BEGIN_ARRAY, BEGIN_OBJECT ->
                    throw wrong(name, "must be a text, a number, true or false");
        };
    }

    static Fields ofForm(byte[] body) {
        var values = new LinkedHashMap<String, Object>();
        String form = text(body);
        if (form.stripLeading().startsWith("{")) throw PaiProblem.invalid(JobForm.IS_JSON);
        for (String pair : form.split("&", FIELDS_MAX + 1)) {
            if (pair.isEmpty()) continue;
            if (values.size() == FIELDS_MAX) throw PaiProblem.invalid("too many fields");
            int middle = pair.indexOf('=');
            String name = decoded(middle < 0 ? pair : pair.substring(0, middle));
            String value = middle < 0 ? "" : decoded(pair.substring(middle + 1));
            if (values.put(name, value) != null) throw wrong(name, "is given twice");
        }
        return new Fields(values);
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, UTF_8);
        } catch (IllegalArgumentException _) {
            throw PaiProblem.invalid("the form has a bad escape after %");
        }
    }

    private static String text(byte[] body) {
        try {
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
        } catch (CharacterCodingException _) {
            throw BadBody.malformed("the body is not UTF-8");
        }
    }

    private static PaiProblem wrong(String name, String problem) {
        return PaiProblem.invalid("\"%.40s\" %s".formatted(name, problem));
    }

    /** Refuses every other field: it is mistyped. */
    Fields only(String... names) {
        for (String name : values.keySet()) {
            if (!List.of(names).contains(name)) throw wrong(name, "is not allowed");
        }
        return this;
    }

    Optional<String> text(String name) {
        Object value = values.get(name);
        if (value == null) return Optional.empty();
        if (value instanceof String text) return Optional.of(text);
        throw wrong(name, "must be a string");
    }

    String requiredText(String name) {
        return text(name).orElseThrow(() -> wrong(name, "is required"));
    }

    Optional<Boolean> flag(String name) {
        return switch (values.get(name)) {
            case null -> Optional.empty();
            case Boolean flag -> Optional.of(flag);
            case String text when text.equalsIgnoreCase("true") -> Optional.of(true);
            case String text when text.equalsIgnoreCase("false") -> Optional.of(false);
            default -> throw wrong(name, "must be a boolean");
        };
    }

    boolean requiredFlag(String name) {
        return flag(name).orElseThrow(() -> wrong(name, "is required"));
    }

    /** A number in this range, both ends included. */
    Optional<BigDecimal> number(String name, BigDecimal least, BigDecimal most) {
        Optional<BigDecimal> number = number(name);
        if (number.isEmpty()) return number;
        if (number.get().compareTo(least) < 0)
            throw wrong(name, "must be larger than or equal to " + least.toPlainString());
        if (number.get().compareTo(most) > 0)
            throw wrong(name, "must be less than or equal to " + most.toPlainString());
        return number;
    }

    private Optional<BigDecimal> number(String name) {
        Object value = values.get(name);
        if (value == null) return Optional.empty();
        if (value instanceof BigDecimal number) return Optional.of(reasonable(name, number));
        if (value instanceof String text) return Optional.of(reasonable(name, spelt(name, text)));
        throw wrong(name, "must be a number");
    }

    private static BigDecimal spelt(String name, String text) {
        try {
            var reader = new StrictReader(text);
            BigDecimal number = reader.readDecimal();
            reader.expectEnd();
            return number;
        } catch (BadBody _) {
            throw wrong(name, "must be a number");
        }
    }

    /** A number such as 1e-999999999 is quickly said, but takes for ever to count with. */
    private static BigDecimal reasonable(String name, BigDecimal number) {
        if (Math.abs(number.scale()) <= DIGITS_MAX) return number;
        throw wrong(name, "must be a number of at most " + DIGITS_MAX + " digits");
    }

    /** A whole number in this range. */
    Optional<Integer> wholeNumber(String name, int least, int most) {
        return number(name, BigDecimal.valueOf(least), BigDecimal.valueOf(most))
                .map(
                        number -> {
                            if (number.stripTrailingZeros().scale() > 0)
                                throw wrong(name, "must be an integer");
                            return number.intValueExact();
                        });
    }

    /** Values may be secret. */
    @Override
    public String toString() {
        return "the fields " + values.keySet();
    }
}
