package fairlead.storage;

import java.io.IOException;
import java.io.InputStream;
import java.util.regex.Pattern;

/**
 * A part of a file that is being written, known by its content.
 *
 * @param id the same for the same content and for no other; at most {@value #ID_MAX} letters,
 *     digits, dots, dashes and underscores, such as a SHA-256 in Base64 for addresses
 * @param opener reads it from its beginning, as often as it is asked
 */
public record Piece(String id, long bytes, Opener opener) {
    /** What the block names of Azure have room for, beside our own mark. */
    public static final int ID_MAX = 44;

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1," + ID_MAX + "}");

    /** Opens what a piece holds. The caller closes it. */
    public interface Opener {
        InputStream open() throws IOException;
    }

    public Piece {
        if (!ID.matcher(id).matches())
            throw new IllegalArgumentException("not the id of a piece: " + id);
        if (bytes <= 0) throw new IllegalArgumentException("a piece of " + bytes + " bytes: " + id);
    }
}
