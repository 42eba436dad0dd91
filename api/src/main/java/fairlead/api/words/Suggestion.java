package fairlead.api.words;

import java.util.Collection;
import java.util.Locale;

/** The word that a mistyped one was probably meant to be. */
public final class Suggestion {
    /** Longer words are not compared: it takes the square of their length. */
    private static final int CHARS_MAX = 100;

    private Suggestion() {}

    /** A sentence that begins with a space, or nothing when no word is near. */
    public static String of(String word, Collection<String> known) {
        if (word.length() > CHARS_MAX) return "";
        // A third of the letters may be wrong; more is another word.
        int best = Math.max(1, word.replaceFirst("^-+", "").length() / 3) + 1;
        String nearest = null;
        for (String candidate : known) {
            int distance = distance(plain(word), plain(candidate));
            // Every word of two letters is near to some of one.
            boolean isShort = candidate.length() == 1 && distance > 0;
            if (distance < best && !isShort) {
                best = distance;
                nearest = candidate;
            }
        }
        return nearest == null ? "" : " Did you mean '" + nearest + "'?";
    }

    /** People mix up {@code gpu_type}, {@code gpu-type} and {@code gpuType}. */
    private static String plain(String word) {
        return word.replaceAll("(?<=\\w)[-_ ](?=\\w)", "").toLowerCase(Locale.ROOT);
    }

    /** Letters to add, drop, replace or swap with their neighbour. */
    static int distance(String a, String b) {
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    cost[i][j] = i + j;
                    continue;
                }
                boolean same = a.charAt(i - 1) == b.charAt(j - 1);
                int replaced = cost[i - 1][j - 1] + (same ? 0 : 1);
                cost[i][j] = Math.min(replaced, 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
                if (i > 1
                        && j > 1
                        && a.charAt(i - 1) == b.charAt(j - 2)
                        && a.charAt(i - 2) == b.charAt(j - 1)) {
                    cost[i][j] = Math.min(cost[i][j], 1 + cost[i - 2][j - 2]);
                }
            }
        }
        return cost[a.length()][b.length()];
    }
}
