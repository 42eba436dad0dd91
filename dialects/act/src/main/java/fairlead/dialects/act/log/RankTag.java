package fairlead.dialects.act.log;

import java.util.Optional;

/**
 * What {@code mpirun --tag-output} writes before each line of a rank, such as {@code
 * [1,3]<stdout>:}.
 *
 * @param bytes how long it is
 */
public record RankTag(int rank, int bytes) {
    /** The job's number, the rank and the stream have no more. */
    public static final int BYTES_MAX = 32;

    private static final String[] STREAMS = {"<stdout>:", "<stderr>:", "<stddiag>:"};

    /** The tag at the beginning of a line; empty where there is none. */
    public static Optional<RankTag> of(byte[] line, int from, int to) {
        int comma = digits(line, from + 1, to);
        if (from >= to || line[from] != '[' || !is(line, comma, to, ',') || comma == from + 1) {
            return Optional.empty();
        }
        int end = digits(line, comma + 1, to);
        // More digits than this are no rank.
        if (!is(line, end, to, ']') || end == comma + 1 || end - comma > 7) return Optional.empty();
        int rank = 0;
        for (int i = comma + 1; i < end; i++) rank = rank * 10 + line[i] - '0';
        for (String stream : STREAMS) {
            int length = stream.length();
            if (end + 1 + length > to || !matches(line, end + 1, stream, length)) continue;
            return Optional.of(new RankTag(rank, end + 1 + length - from));
        }
        return Optional.empty();
    }

    /** Whether the beginning of a line could still become a tag. */
    public static boolean mayBegin(byte[] line, int from, int to) {
        if (to - from >= BYTES_MAX || from < to && line[from] != '[') return false;
        return of(line, from, to).isEmpty();
    }

    private static int digits(byte[] line, int from, int to) {
        int at = from;
        while (at < to && line[at] >= '0' && line[at] <= '9') at++;
        return at;
    }

    private static boolean is(byte[] line, int at, int to, char wanted) {
        return at < to && line[at] == wanted;
    }

    private static boolean matches(byte[] line, int at, String text, int length) {
        for (int i = 0; i < length; i++) {
            if (line[at + i] != text.charAt(i)) return false;
        }
        return true;
    }
}
