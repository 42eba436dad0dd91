package fairlead.transfer.pack;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * The characters that a bracket of a pattern stands for, such as {@code [a-z0-9]} or {@code
 * [![:space:]]}.
 *
 * @param length of the bracket with both its ends
 */
record CharacterSet(List<IntPredicate> members, boolean isNegated, int length) {
    /** Of ASCII, as in git. */
    private static final Map<String, IntPredicate> CLASSES =
            Map.ofEntries(
                    Map.entry("alnum", c -> isLetter(c) || isDigit(c)),
                    Map.entry("alpha", CharacterSet::isLetter),
                    Map.entry("blank", c -> c == ' ' || c == '\t'),
                    Map.entry("cntrl", c -> c < ' ' || c == 0x7f),
                    Map.entry("digit", CharacterSet::isDigit),
                    Map.entry("graph", c -> c > ' ' && c < 0x7f),
                    Map.entry("lower", c -> c >= 'a' && c <= 'z'),
                    Map.entry("print", c -> c >= ' ' && c < 0x7f),
                    Map.entry("punct", c -> c > ' ' && c < 0x7f && !isLetter(c) && !isDigit(c)),
                    Map.entry("space", c -> c == ' ' || c >= '\t' && c <= '\r'),
                    Map.entry("upper", c -> c >= 'A' && c <= 'Z'),
                    Map.entry("xdigit", c -> isDigit(c) || (c | 0x20) >= 'a' && (c | 0x20) <= 'f'));

    private static boolean isLetter(int c) {
        return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    boolean has(char c) {
        for (IntPredicate member : members) {
            if (member.test(c)) return !isNegated;
        }
        return isNegated;
    }

    /** The bracket that begins there; null where it is malformed. */
    static CharacterSet at(String pattern, int start) {
        return new Reader(pattern, start).read();
    }

    private static final class Reader {
        private final String pattern;
        private final int start;
        private final List<IntPredicate> members = new ArrayList<>();
        private int at;

        Reader(String pattern, int start) {
            this.pattern = pattern;
            this.start = start;
            this.at = start + 1;
        }

        private char now() {
            return at < pattern.length() ? pattern.charAt(at) : 0;
        }

        /** A closing bracket in the first place is a member. */
        CharacterSet read() {
            boolean isNegated = now() == '!' || now() == '^';
            if (isNegated) at++;
            int previous = 0;
            do {
                if (now() == 0) return null;
                if (pattern.startsWith("[:", at)) {
                    int end = pattern.indexOf(']', at + 2);
                    if (end < 0) return null;
                    if (end - 1 >= at + 2 && pattern.charAt(end - 1) == ':') {
                        IntPredicate named = CLASSES.get(pattern.substring(at + 2, end - 1));
                        if (named == null) return null;
                        members.add(named);
                        at = end + 1;
                        previous = 0;
                        continue;
                    }
                }
                boolean isRange =
                        now() == '-'
                                && previous != 0
                                && at + 1 < pattern.length()
                                && pattern.charAt(at + 1) != ']';
                if (isRange) at++;
                if (now() == '\\') at++;
                if (now() == 0) return null;
                int c = now();
                int from = isRange ? previous : c;
                members.add(tested -> tested >= from && tested <= c);
                previous = isRange ? 0 : c;
                at++;
            } while (now() != ']');
            return new CharacterSet(List.copyOf(members), isNegated, at + 1 - start);
        }
    }
}
