package fairlead.server.routes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import fairlead.engine.TaskLog;
import fairlead.server.http.WholeCharacters;
import fairlead.testing.Seeds;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Where lines and characters begin and end. */
final class LogTextTest {
    /** A log in memory whose first bytes may have been dropped. */
    private record MemoryLog(byte[] bytes, long start) implements TaskLog {
        @Override
        public long end() {
            return bytes.length;
        }

        @Override
        public byte[] read(long offset, int bytesMax) {
            if (offset < start) return new byte[0];
            int from = (int) Math.min(offset, bytes.length);
            return Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + bytesMax));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'a\nb\nc\n', 1, 'c\n'",
        "'a\nb\nc', 1, 'c'",
        "'a\nb\nc\n', 2, 'b\nc\n'",
        "'a\nb\nc\n', 3, 'a\nb\nc\n'",
        "'a\nb\nc\n', 99, 'a\nb\nc\n'",
        "'a\nb\nc\n', 0, ''",
        "'\n\n', 1, '\n'",
        "'', 5, ''"
    })
    void theTailBeginsAtALine(String text, int lines, String tail) throws Exception {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        long begin = LogTail.begin(new MemoryLog(bytes, 0), bytes.length, lines);
        assertEquals(tail, text.substring((int) begin));
    }

    @Test
    void aTailLongerThanABlockIsFoundToo() throws Exception {
        String text = ("x".repeat(999) + "\n").repeat(500);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        assertEquals(200_000, LogTail.begin(new MemoryLog(bytes, 0), bytes.length, 300));
    }

    @Test
    void aTailDoesNotReachIntoWhatHasBeenDropped() throws Exception {
        byte[] bytes = "aaaa\nbbbb\ncccc\n".getBytes(StandardCharsets.UTF_8);
        assertEquals(7, LogTail.begin(new MemoryLog(bytes, 7), bytes.length, 9));
    }

    /** Goal: however a text is cut into blocks, its characters arrive whole. */
    @Seeds(200)
    void anyCutOfATextGivesTheSameText(long seed) {
        String text = "aé€😀\n".repeat(40);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        var dice = new SplittableRandom(seed);
        var got = new StringBuilder();
        int offset = 0;
        int known = 0;
        while (offset < bytes.length) {
            known = Math.min(bytes.length, Math.max(known, offset) + 1 + dice.nextInt(9));
            var whole =
                    WholeCharacters.of(
                            Arrays.copyOfRange(bytes, offset, known), known == bytes.length);
            got.append(whole.text());
            offset += whole.bytes();
        }
        assertEquals(text, got.toString());
    }

    @Test
    void whatIsNoCharacterIsReplaced() {
        byte[] bad = {'a', (byte) 0xc3, 'b', (byte) 0xff, (byte) 0xe2, (byte) 0x82};
        assertEquals(new WholeCharacters("a\ufffdb\ufffd", 4), WholeCharacters.of(bad, false));
        assertEquals(new WholeCharacters("a\ufffdb\ufffd\ufffd", 6), WholeCharacters.of(bad, true));
    }
}
