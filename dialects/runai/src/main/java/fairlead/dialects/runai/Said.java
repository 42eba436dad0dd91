package fairlead.dialects.runai;

import fairlead.api.words.Amounts;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What was said on a command line, read as what it stands for. A null is not said. */
final class Said {
    private final Map<String, List<String>> values;

    /**
     * @param values texts by the names of their flags, in the order given
     */
    Said(Map<String, List<String>> values) {
        this.values = values;
    }

    boolean has(Flag flag) {
        return values.containsKey(flag.name());
    }

    List<String> all(Flag flag) throws Misuse {
        List<String> texts = values.getOrDefault(flag.name(), List.of());
        for (String text : texts) {
            if (text.isBlank()) throw new Misuse(flag.name() + " is empty");
        }
        return texts;
    }

    /** The last one given. */
    String text(Flag flag) throws Misuse {
        return has(flag) ? all(flag).getLast() : null;
    }

    Integer whole(Flag flag, int least, int most) throws Misuse {
        String text = text(flag);
        if (text == null) return null;
        try {
            return (int) Amounts.whole(text, least, most);
        } catch (IllegalArgumentException e) {
            throw new Misuse(flag.name() + " " + e.getMessage());
        }
    }

    BigDecimal number(Flag flag) throws Misuse {
        String text = text(flag);
        if (text == null) return null;
        if (text.matches("\\d{1,9}(\\.\\d{0,9})?|\\.\\d{1,9}")) return new BigDecimal(text);
        throw new Misuse(flag.name() + " must be a number such as 2 or 0.5, but is '" + text + "'");
    }

    /** Of the ones given, those that exclude each other, as one mistake. */
    void atMostOneOf(Flag... flags) throws Misuse {
        var given = new ArrayList<String>();
        for (Flag flag : flags) {
            if (has(flag)) given.add(flag.name());
        }
        if (given.size() < 2) return;
        throw new Misuse(String.join(" and ", given) + " exclude each other; say one of them");
    }
}
