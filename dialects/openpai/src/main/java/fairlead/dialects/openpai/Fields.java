package fairlead.dialects.openpai;

import fairlead.api.words.Suggestion;

import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The fields of one object, read by name with the words of Joi, which OpenPAI's server checks with.
 * What has not been asked for by the end is unknown and refused.
 */
final class Fields {
    private static final Pattern NUMBER =
            Pattern.compile("[-+]?(\\d{1,20}(\\.\\d{0,20})?|\\.\\d{1,20})([eE][-+]?\\d{1,3})?");

    /** As long as a path may be in Linux. */
    private static final int ADDRESS_CHARS_MAX = 4_096;

    /** Of a job, a task role and a list of ports: none of them is another mistyped. */
    private static final Set<String> ALL =
            Set.of(
                    "jobName",
                    "image",
                    "authFile",
                    "dataDir",
                    "outputDir",
                    "codeDir",
                    "taskRoles",
                    "gpuType",
                    "virtualCluster",
                    "retryCount",
                    "jobEnvs",
                    "extras",
                    "name",
                    "taskNumber",
                    "cpuNumber",
                    "memoryMB",
                    "shmMB",
                    "gpuNumber",
                    "portList",
                    "command",
                    "label",
                    "beginAt",
                    "portNumber");

    private final Map<?, ?> fields;
    private final Set<String> known = new HashSet<>();

    private Fields(Map<?, ?> fields) {
        this.fields = fields;
    }

    /**
     * @param name what a value of another kind is called in the message
     */
    static Fields of(Object value, String name) throws Invalid {
        if (value instanceof Map<?, ?> fields) return new Fields(fields);
        throw Invalid.field(name, "must be an object");
    }

    /** Refuses what nobody asked for. */
    void end() throws Invalid {
        for (Object name : fields.keySet()) {
            if (!known.contains((String) name)) {
                String hint = Suggestion.of((String) name, known);
                String stop = hint.isEmpty() ? "" : ".";
                throw Invalid.field(Invalid.shown((String) name), "is not allowed" + stop + hint);
            }
        }
    }

    boolean has(String name) {
        known.add(name);
        return fields.containsKey(name);
    }

    private Object required(String name) throws Invalid {
        if (has(name)) return fields.get(name);
        throw Invalid.field(name, "is required" + mistyped(name)).inChild(name);
    }

    /** The field that was probably meant to be the one that is missing. */
    private String mistyped(String missing) {
        for (Object name : fields.keySet()) {
            boolean isOther = ALL.contains((String) name);
            if (isOther || Suggestion.of((String) name, List.of(missing)).isEmpty()) continue;
            return ", and \"" + Invalid.shown((String) name) + "\" is no field: it may be meant";
        }
        return "";
    }

    private static String text(String name, Object value) throws Invalid {
        if (value instanceof String text) return text;
        throw Invalid.field(name, "must be a string").inChild(name);
    }

    String neededText(String name) throws Invalid {
        String text = text(name, required(name));
        if (!text.isEmpty()) return text;
        throw Invalid.field(name, "is not allowed to be empty").inChild(name);
    }

    /** A short text that may be empty, and is when it is not there. */
    String optionalText(String name) throws Invalid {
        return has(name) ? shortText(name, text(name, fields.get(name)), ADDRESS_CHARS_MAX) : "";
    }

    String neededAddress(String name) throws Invalid {
        return shortText(name, neededText(name), ADDRESS_CHARS_MAX);
    }

    private static String shortText(String name, String text, int charsMax) throws Invalid {
        if (text.length() <= charsMax) return text;
        throw Invalid.field(
                        name,
                        "length must be less than or equal to " + charsMax + " characters long")
                .inChild(name);
    }

    String matching(String name, Pattern pattern, int charsMax) throws Invalid {
        String text = neededText(name);
        if (!pattern.matcher(text).matches()) {
            throw Invalid.field(
                            name,
                            "with value \""
                                    + Invalid.shown(text)
                                    + "\" fails to match the required pattern: /^"
                                    + pattern
                                    + "$/")
                    .inChild(name);
        }
        return shortText(name, text, charsMax);
    }

    int needed(String name, int least, int most) throws Invalid {
        return whole(name, required(name), least, most);
    }

    int optional(String name, int otherwise, int least, int most) throws Invalid {
        return has(name) ? whole(name, fields.get(name), least, most) : otherwise;
    }

    /** A number or null, where null means never. */
    OptionalInt nullable(String name, OptionalInt otherwise, int least, int most) throws Invalid {
        if (!has(name)) return otherwise;
        Object value = fields.get(name);
        return value == null
                ? OptionalInt.empty()
                : OptionalInt.of(whole(name, value, least, most));
    }

    private static int whole(String name, Object value, int least, int most) throws Invalid {
        BigDecimal number =
                number(value)
                        .orElseThrow(() -> Invalid.field(name, "must be a number").inChild(name));
        // Compared before it is unfolded: 1e999999999 has a thousand million digits.
        if (number.compareTo(BigDecimal.valueOf(least)) < 0) {
            throw Invalid.field(name, "must be larger than or equal to " + least).inChild(name);
        }
        if (number.compareTo(BigDecimal.valueOf(most)) > 0) {
            throw Invalid.field(name, "must be less than or equal to " + most).inChild(name);
        }
        try {
            return number.intValueExact();
        } catch (ArithmeticException _) {
            throw Invalid.field(name, "must be an integer").inChild(name);
        }
    }

    /** A text that holds a number counts as that number. */
    private static Optional<BigDecimal> number(Object value) {
        return switch (value) {
            case BigDecimal number -> Optional.of(number);
            case String text when NUMBER.matcher(text.strip()).matches() ->
                    Optional.of(new BigDecimal(text.strip()));
            case null, default -> Optional.empty();
        };
    }

    List<?> neededList(String name, int most) throws Invalid {
        List<?> list = list(name, required(name), most);
        if (!list.isEmpty()) return list;
        throw Invalid.field(name, "must contain at least 1 items").inChild(name);
    }

    List<?> optionalList(String name, int most) throws Invalid {
        return has(name) ? list(name, fields.get(name), most) : List.of();
    }

    private static List<?> list(String name, Object value, int most) throws Invalid {
        if (!(value instanceof List<?> list)) {
            throw Invalid.field(name, "must be an array").inChild(name);
        }
        if (list.size() <= most) return list;
        throw Invalid.field(name, "must contain less than or equal to " + most + " items")
                .inChild(name);
    }

    Map<?, ?> optionalObject(String name) throws Invalid {
        if (!has(name)) return Map.of();
        if (fields.get(name) instanceof Map<?, ?> object) return object;
        throw Invalid.field(name, "must be an object").inChild(name);
    }
}
