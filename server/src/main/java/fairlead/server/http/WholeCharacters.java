package fairlead.server.http;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * The text that so many bytes of a block begin with, in UTF-8. What is no character becomes U+FFFD.
 */
public record WholeCharacters(String text, int bytes) {
    /**
     * @param isLast whether nothing follows: then half a character at the end is no character
     */
    public static WholeCharacters of(byte[] block, boolean isLast) {
        var decoder =
                StandardCharsets.UTF_8
                        .newDecoder()
                        .onMalformedInput(CodingErrorAction.REPLACE)
                        .onUnmappableCharacter(CodingErrorAction.REPLACE);
        var in = ByteBuffer.wrap(block);
        // A byte never gives more than one char; the decoder's own rounding is added for the end.
        var out = CharBuffer.allocate(block.length + 1);
        decoder.decode(in, out, isLast);
        if (isLast) decoder.flush(out);
        return new WholeCharacters(out.flip().toString(), in.position());
    }
}
