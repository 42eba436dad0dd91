package fairlead.dialects.act;

/** A JSON object in the making, field by field. */
final class JsonText {
    private final StringBuilder json = new StringBuilder("{");
    private boolean first = true;

    void text(String name, String value) {
        name(name);
        quote(value);
    }

    /** A number or a truth, as it is. */
    void plain(String name, Object value) {
        name(name);
        json.append(value);
    }

    void begin(String name) {
        name(name);
        json.append('{');
        first = true;
    }

    void end() {
        json.append('}');
        first = false;
    }

    String done() {
        return json.append('}').toString();
    }

    private void name(String name) {
        if (!first) json.append(',');
        first = false;
        quote(name);
        json.append(':');
    }

    private void quote(String text) {
        json.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ' || c == 0x7f || Character.isSurrogate(c)) {
                json.append("\\u%04x".formatted((int) c));
            } else {
                json.append(c);
            }
        }
        json.append('"');
    }
}
