package fairlead.dialects.pods;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The variables of a container, and {@code $(NAME)} in texts that stands for one of them: as in
 * Kubernetes a name that is not known stays as it is written, and {@code $$} is a plain dollar
 * sign.
 */
final class Variables {
    private static final Pattern REFERENCE =
            Pattern.compile("\\$\\$|\\$\\(([A-Za-z_][A-Za-z0-9_.-]*)\\)");

    private final Map<String, String> values = new LinkedHashMap<>();

    static Variables of(Section container) throws Misuse {
        var variables = new Variables();
        if (container.has("envFrom")) {
            throw container.mistake("envFrom", "is not possible; say each variable under env");
        }
        for (Section each : container.sections("env")) {
            if (each.has("valueFrom")) {
                throw each.mistake(
                        "valueFrom", "is not possible; say a value, or '-e NAME=VALUE' to submit");
            }
            String name = each.needed("name");
            String value = each.text("value");
            // Only those that stand before it are known to a variable.
            variables.values.put(name, variables.expanded(value == null ? "" : value));
        }
        return variables;
    }

    Map<String, String> values() {
        return values;
    }

    List<String> expanded(List<String> texts) {
        var expanded = new ArrayList<String>();
        for (String text : texts) expanded.add(expanded(text));
        return expanded;
    }

    String expanded(String text) {
        return REFERENCE
                .matcher(text)
                .replaceAll(
                        found -> Matcher.quoteReplacement(meaning(found.group(), found.group(1))));
    }

    private String meaning(String written, String name) {
        return name == null ? "$" : values.getOrDefault(name, written);
    }
}
