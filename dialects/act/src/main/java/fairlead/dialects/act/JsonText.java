package fairlead.dialects.act;

/** A JSON object in the making, field by field. */
public final class JsonText {
    private final StringBuilder json = new StringBuilder("{");
    private boolean first = true;

    public void text(String name, String value) {
        name(name);
        quote(value);
    }

    /** A number or a truth, as it is. */
    public void plain(String name, Object value) {
        name(name);
        json.append(value);
    }

    /** An object in a field. */
    public void begin(String name) {
        name(name);
        enter('{');
    }

    public void end() {
        leave('}');
    }

    public void beginList(String name) {
        name(name);
        enter('[');
    }

    public void endList() {
        leave(']');
    }

    /** An object in a list, which {@link #end} ends. */
    public void beginElement() {
        separate();
        enter('{');
    }

    /** A text in a list. */
    public void element(String text) {
        separate();
        quote(text);
    }

    public String done() {
        return json.append('}').toString();
    }

    private void enter(char bracket) {
        json.append(bracket);
        first = true;
    }

    private void leave(char bracket) {
        json.append(bracket);
        first = false;
    }

    private void separate() {
        if (!first) json.append(',');
        first = false;
    }

    private void name(String name) {
        separate();
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
