package fairlead.cli.spec;

import fairlead.api.json.StrictReader;
import fairlead.api.spec.SpecBody;

import io.avaje.json.JsonReader;

import java.util.ArrayList;

/**
 * JSON as YAML: an answer for people to read, or a spec as a job file that gives the same spec
 * again when it is read.
 */
public final class SpecYaml {
    private static final String PLAIN = "[A-Za-z_/][A-Za-z0-9_./@%+=-]*";

    private final StringBuilder text = new StringBuilder();

    private final StrictReader json;

    private SpecYaml(String json) {
        this.json = new StrictReader(json);
    }

    public static String of(SpecBody spec) {
        // With a policy the count is zero, and says nothing.
        boolean hasPolicy = spec.retry() != null;
        return of((hasPolicy ? spec.with(edit -> edit.retries = null) : spec).json());
    }

    /** An answer of the server, which leaves out what is null. */
    public static String of(String json) {
        var yaml = new SpecYaml(json);
        yaml.fields("");
        return yaml.text.toString();
    }

    private void fields(String indent) {
        json.beginObject();
        while (json.hasNextField()) field(indent, json.nextField());
        json.endObject();
    }

    private void field(String indent, String name) {
        int start = text.length();
        text.append(indent).append(name).append(':');
        int said = text.length();
        switch (json.currentToken()) {
            case BEGIN_OBJECT -> {
                text.append('\n');
                said = text.length();
                fields(indent + "  ");
            }
            case BEGIN_ARRAY -> list(indent + "  ");
            default -> text.append(' ').append(value()).append('\n');
        }
        // What is empty is not said.
        if (text.length() == said) text.setLength(start);
    }

    /** Texts on one line; records one after the other. */
    private void list(String indent) {
        json.beginArray();
        var texts = new ArrayList<String>();
        while (json.hasNextElement()) {
            if (json.currentToken() == JsonReader.Token.BEGIN_OBJECT) {
                if (text.charAt(text.length() - 1) == ':') text.append('\n');
                int start = text.length();
                fields(indent + "  ");
                text.setCharAt(start + indent.length(), '-');
            } else {
                texts.add(value());
            }
        }
        json.endArray();
        if (!texts.isEmpty()) text.append(" [").append(String.join(", ", texts)).append("]\n");
    }

    private String value() {
        return switch (json.currentToken()) {
            case STRING -> scalar(json.readString());
            case BOOLEAN -> Boolean.toString(json.readBoolean());
            // As a text: the class of BigDecimal alone takes 10 ms and more to start.
            default -> json.readNumber();
        };
    }

    private static String scalar(String value) {
        boolean word = value.matches("(?i)null|true|false|yes|no|on|off|y|n");
        return value.matches(PLAIN) && !word ? value : quoted(value);
    }

    private static String quoted(String value) {
        var quoted = new StringBuilder("\"");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                case '\t' -> quoted.append("\\t");
                default -> {
                    // Beyond these YAML wants an escape for some; an escape is never wrong.
                    boolean safe = c >= ' ' && c < 0x7f || c >= 0xa0 && c < 0x2028;
                    boolean surrogate = Character.isSurrogate(c);
                    quoted.append(
                            safe || surrogate ? String.valueOf(c) : "\\u%04x".formatted((int) c));
                }
            }
        }
        return quoted.append('"').toString();
    }
}
