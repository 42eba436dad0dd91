package fairlead.dialects.act;

import java.util.Collection;
import java.util.Locale;

/** The key that a mistyped one was probably meant to be. */
final class NearWord {
    /** Two wrong letters; more is another word. */
    private static final int CHANGES_MAX = 2;

    /** Longer keys are not compared: it takes the square of their length. */
    private static final int CHARS_MAX = 100;

    private NearWord() {}

    /** A sentence that begins with a space, or nothing when no word is near. */
    static String of(String word, Collection<String> known) {
        if (word.length() > CHARS_MAX) return "";
        String nearest = null;
        int best = CHANGES_MAX + 1;
        for (String candidate : known) {
            int changes = changes(plain(word), plain(candidate));
            if (changes < best && changes < candidate.length() / 2) {
                best = changes;
                nearest = candidate;
            }
        }
        return nearest == null ? "" : " Did you mean '" + nearest + "'?";
    }

    private static String plain(String word) {
        return word.replaceAll("[-_ ]", "").toLowerCase(Locale.ROOT);
    }

    /** Letters to add, drop or replace. */
    private static int changes(String a, String b) {
        int[] above = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) above[j] = j;
        for (int i = 1; i <= a.length(); i++) {
            int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = above[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, 1 + Math.min(above[j], row[j - 1]));
            }
            above = row;
        }
        return above[b.length()];
    }
}
