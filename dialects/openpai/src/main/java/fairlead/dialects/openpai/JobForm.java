package fairlead.dialects.openpai;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A job as the form that OpenPAI's extension for VS Code sends: {@code taskRoles[0][name]=main}. A
 * part that counts from 0 is a list, any other an object; every value is a text, as numbers and
 * flags may be.
 */
public final class JobForm {
    /** What a client that names no content type sends: curl does so. */
    public static final String IS_JSON =
            "the body is JSON and was sent as a form: say \"Content-Type: application/json\"";

    /** A hundred roles with all their fields and ports fit. */
    private static final int FIELDS_MAX = 10_000;

    /** A job has {@code taskRoles[0][portList][0][label]}, and variables may go deeper. */
    private static final int DEPTH_MAX = 10;

    private static final Pattern KEY = Pattern.compile("[^\\[\\]]+(\\[[^\\[\\]]+])*");
    private static final Pattern INDEX = Pattern.compile("0|[1-9]\\d{0,3}");

    private JobForm() {}

    /** The job as JSON. */
    public static String json(String form) throws Invalid {
        if (form.stripLeading().startsWith("{")) throw new Invalid(IS_JSON);
        var root = new LinkedHashMap<String, Object>();
        int count = 0;
        for (String pair : form.split("&")) {
            if (pair.isEmpty()) continue;
            if (++count > FIELDS_MAX) throw new Invalid("the form has too many fields");
            int middle = pair.indexOf('=');
            String key = decoded(middle < 0 ? pair : pair.substring(0, middle));
            put(root, key, middle < 0 ? "" : decoded(pair.substring(middle + 1)));
        }
        return Tree.plain(lists(root));
    }

    private static String decoded(String text) throws Invalid {
        try {
            return URLDecoder.decode(text, UTF_8);
        } catch (IllegalArgumentException _) {
            throw new Invalid("the form has a bad escape after %");
        }
    }

    private static void put(Map<String, Object> root, String key, String value) throws Invalid {
        if (!KEY.matcher(key).matches())
            throw Invalid.field(Invalid.shown(key), "is no name of a field");
        List<String> steps = List.of(key.replace("]", "").split("\\["));
        if (steps.size() > DEPTH_MAX)
            throw Invalid.field(Invalid.shown(key), "is nested too deeply");
        Map<String, Object> inner = root;
        for (String step : steps.subList(0, steps.size() - 1)) {
            inner.putIfAbsent(step, new LinkedHashMap<String, Object>());
            inner = object(inner.get(step), key);
        }
        if (inner.put(steps.getLast(), value) != null)
            throw Invalid.field(Invalid.shown(key), "appears twice");
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> object(Object value, String key) throws Invalid {
        if (value instanceof Map<?, ?> object) return (Map<String, Object>) object;
        throw Invalid.field(Invalid.shown(key), "appears twice, once as a text");
    }

    /** The same with lists for the objects whose names are 0, 1, 2 and so on. */
    private static Object lists(Object value) {
        if (!(value instanceof Map<?, ?> object)) return value;
        var fields = new LinkedHashMap<String, Object>();
        object.forEach((name, each) -> fields.put((String) name, lists(each)));
        var byIndex = new TreeMap<Integer, Object>();
        for (var field : fields.entrySet()) {
            if (!INDEX.matcher(field.getKey()).matches()) return fields;
            byIndex.put(Integer.parseInt(field.getKey()), field.getValue());
        }
        boolean isList = !byIndex.isEmpty() && byIndex.lastKey() == byIndex.size() - 1;
        return isList ? new ArrayList<>(byIndex.values()) : fields;
    }
}
