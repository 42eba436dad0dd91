package fairlead.cli.terminal;

/** Colours of states, for a terminal only. */
public final class Paint {
    private static final String RESET = "\u001b[0m";
    private final boolean colour;

    public Paint(boolean colour) {
        this.colour = colour;
    }

    /** The text in the colour of the state. */
    public String state(String state, String text) {
        if (!colour) return text;
        String code =
                switch (state) {
                    case "running", "succeeded" -> "\u001b[32m";
                    case "failed" -> "\u001b[31m";
                    case "queued", "starting", "stopping" -> "\u001b[33m";
                    default -> "\u001b[90m";
                };
        return code + text + RESET;
    }

    public String bar(String text) {
        return colour ? "\u001b[36m" + text + RESET : text;
    }

    public String bold(String text) {
        return colour ? "\u001b[1m" + text + RESET : text;
    }

    /** Characters that take room: everything but our colour codes. */
    public static int width(String text) {
        int width = 0;
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '\u001b') {
                while (i < text.length() && text.charAt(i) != 'm') i++;
            } else if (!Character.isLowSurrogate(text.charAt(i))) {
                width++;
            }
        }
        return width;
    }

    /**
     * A text of a user in one line: it must neither break a table nor reach the terminal's
     * controls.
     */
    public static String plain(String text, int most) {
        var plain = new StringBuilder();
        int count = 0;
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            if (++count > most) return plain.append("...").toString();
            plain.appendCodePoint(Character.isISOControl(c) ? ' ' : c);
            i += Character.charCount(c);
        }
        return plain.toString();
    }
}
