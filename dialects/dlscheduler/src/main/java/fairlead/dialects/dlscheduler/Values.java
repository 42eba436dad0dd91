package fairlead.dialects.dlscheduler;

import fairlead.api.words.Amounts;

import java.util.Locale;
import java.util.Map;

/** What was said on a command line, read as what it stands for. A null is not said. */
final class Values {
    private final Map<String, String> said;

    /**
     * @param said texts by option
     */
    Values(Map<String, String> said) {
        this.said = said;
    }

    String text(Choice choice) throws Misuse {
        String text = said.get(choice.name());
        if (text != null && text.isBlank()) throw new Misuse(choice.name() + " is empty");
        return text;
    }

    String needed(Choice choice) throws Misuse {
        String text = text(choice);
        if (text == null) {
            throw new Misuse(choice.name() + " is missing: " + choice.help());
        }
        return text;
    }

    Long whole(Choice choice, long least, long most) throws Misuse {
        String text = text(choice);
        if (text == null) return null;
        try {
            return Amounts.whole(text.strip(), least, most);
        } catch (IllegalArgumentException e) {
            throw new Misuse(choice.name() + " " + e.getMessage());
        }
    }

    /** Python's users write True, others 1; what is not said is false. */
    boolean flag(Choice choice) throws Misuse {
        String text = text(choice);
        if (text == null) return false;
        return switch (text.strip().toLowerCase(Locale.ROOT)) {
            case "true", "1", "yes" -> true;
            case "false", "0", "no" -> false;
            default ->
                    throw new Misuse(
                            choice.name() + " must be true or false, but is '" + text + "'");
        };
    }
}
