package fairlead.server.routes;

import fairlead.engine.TaskLog;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Looks for a text in a log, block by block, from a place towards its end or its beginning. Latin
 * letters are found in either case.
 *
 * @param lines the offsets of the lines that have it
 * @param next where to go on; the place where it began, where nothing is left to search
 */
record LogSearch(List<Long> lines, long next) {
    static final int LINES_MAX = 1_000;
    static final int TEXT_CHARS_MAX = 200;

    /** As much as takes a good part of a second; who wants more asks again. */
    private static final long SCAN_BYTES_MAX = 64L << 20;

    private static final int BLOCK_BYTES = 1 << 20;

    /** Of a longer line only so much is looked back through for its beginning. */
    private static final int LINE_BYTES_MAX = 16 << 10;

    static LogSearch of(TaskLog log, String text, long from, boolean backwards, int most)
            throws IOException {
        byte[] wanted = text.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8);
        return backwards
                ? backwards(log, wanted, Math.min(from, log.end()), most)
                : forwards(log, wanted, Math.max(from, log.start()), most);
    }

    private static LogSearch forwards(TaskLog log, byte[] wanted, long from, int most)
            throws IOException {
        var lines = new ArrayList<Long>();
        long end = log.end();
        long stop = Math.min(end, from + SCAN_BYTES_MAX);
        long at = from;
        while (at < stop) {
            // Each block begins a little before the last one's end: a line may cross it.
            long begin = Math.max(log.start(), at - LINE_BYTES_MAX);
            byte[] block = log.read(begin, (int) Math.min(BLOCK_BYTES, end - begin));
            if (block.length <= at - begin) break;
            for (int hit = find(block, wanted, (int) (at - begin));
                    hit >= 0;
                    hit = find(block, wanted, lineEnd(block, hit))) {
                long line = begin + lineBegin(block, hit);
                if (lines.isEmpty() || lines.getLast() != line) lines.add(line);
                if (lines.size() == most) return new LogSearch(lines, begin + lineEnd(block, hit));
            }
            long read = begin + block.length;
            at = read >= end ? end : Math.max(at + 1, read - wanted.length + 1);
        }
        return new LogSearch(lines, at);
    }

    private static LogSearch backwards(TaskLog log, byte[] wanted, long from, int most)
            throws IOException {
        var lines = new ArrayList<Long>();
        long stop = Math.max(log.start(), from - SCAN_BYTES_MAX);
        long at = from;
        while (at > stop) {
            long begin = Math.max(stop, at - BLOCK_BYTES);
            long early = Math.max(log.start(), begin - LINE_BYTES_MAX);
            // With what a text that begins just before the end still has after it.
            long late = Math.min(log.end(), at + (at == from ? 0 : wanted.length - 1));
            byte[] block = log.read(early, (int) (late - early));
            var found = new ArrayList<Long>();
            for (int hit = find(block, wanted, (int) (begin - early));
                    hit >= 0;
                    hit = find(block, wanted, lineEnd(block, hit)))
                found.add(early + lineBegin(block, hit));
            for (long line : found.reversed()) {
                if (!lines.isEmpty() && lines.getLast() == line) continue;
                lines.add(line);
                if (lines.size() == most) return new LogSearch(lines, line);
            }
            at = begin;
        }
        return new LogSearch(lines, at);
    }

    private static int lineBegin(byte[] block, int hit) {
        int at = hit;
        while (at > 0 && block[at - 1] != '\n') at--;
        return at;
    }

    private static int lineEnd(byte[] block, int hit) {
        int at = hit;
        while (at < block.length && block[at] != '\n') at++;
        return at;
    }

    private static int find(byte[] block, byte[] wanted, int from) {
        int last = block.length - wanted.length;
        for (int at = from; at <= last; at++) {
            int i = 0;
            while (i < wanted.length && lower(block[at + i]) == wanted[i]) i++;
            if (i == wanted.length) return at;
        }
        return -1;
    }

    private static byte lower(byte letter) {
        return letter >= 'A' && letter <= 'Z' ? (byte) (letter + ('a' - 'A')) : letter;
    }
}
