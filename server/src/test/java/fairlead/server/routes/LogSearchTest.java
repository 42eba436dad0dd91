package fairlead.server.routes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import fairlead.engine.TaskLog;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

final class LogSearchTest {
    /** All in memory, without its first bytes where those were dropped. */
    private record Text(byte[] bytes, long start) implements TaskLog {
        @Override
        public long end() {
            return bytes.length;
        }

        @Override
        public byte[] read(long offset, int bytesMax) {
            if (offset < start || offset >= bytes.length) return new byte[0];
            int to = (int) Math.min(bytes.length, offset + bytesMax);
            return Arrays.copyOfRange(bytes, (int) offset, to);
        }
    }

    /** Lines of many lengths, over several blocks; some have the word, some twice. */
    private static String lines(SplittableRandom dice) {
        var text = new StringBuilder();
        for (int i = 0; text.length() < 3_000_000; i++) {
            text.append("line ").append(i).append(' ').append("x".repeat(dice.nextInt(900)));
            if (dice.nextInt(50) == 0) text.append("NEEDLE").append("y".repeat(dice.nextInt(20)));
            if (dice.nextInt(100) == 0) text.append("needle");
            text.append('\n');
        }
        return text.toString();
    }

    private static List<Long> expected(String text, long from) {
        var lines = new ArrayList<Long>();
        long at = 0;
        for (String line : text.split("\n")) {
            if (at >= from && line.toLowerCase(Locale.ROOT).contains("needle")) lines.add(at);
            at += line.length() + 1;
        }
        return lines;
    }

    @Test
    void everyLineIsFoundOnceInBothDirections() throws IOException {
        for (int seed = 0; seed < 3; seed++) {
            String text = lines(new SplittableRandom(seed));
            var log = new Text(text.getBytes(StandardCharsets.US_ASCII), 0);
            List<Long> all = expected(text, 0);
            assertEquals(all, LogSearch.of(log, "Needle", 0, false, 100_000).lines());
            assertEquals(
                    all.reversed(), LogSearch.of(log, "Needle", log.end(), true, 100_000).lines());
        }
    }

    @Test
    void itGoesOnWhereItStopped() throws IOException {
        String text = lines(new SplittableRandom(7));
        var log = new Text(text.getBytes(StandardCharsets.US_ASCII), 0);
        for (boolean backwards : List.of(false, true)) {
            var found = new ArrayList<Long>();
            long at = backwards ? log.end() : 0;
            while (at != (backwards ? 0 : log.end())) {
                LogSearch next = LogSearch.of(log, "needle", at, backwards, 5);
                found.addAll(next.lines());
                at = next.next();
            }
            List<Long> all = expected(text, 0);
            assertEquals(backwards ? all.reversed() : all, found);
        }
    }

    @Test
    void whatIsNotThereIsNotFound() throws IOException {
        var log = new Text("one\ntwo\n".getBytes(StandardCharsets.US_ASCII), 4);
        assertEquals(List.of(), LogSearch.of(log, "one", 0, false, 10).lines());
        assertEquals(List.of(4L), LogSearch.of(log, "TWO", 8, true, 10).lines());
    }
}
