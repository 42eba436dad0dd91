package fairlead.server.routes;

import fairlead.engine.TaskLog;

import java.io.IOException;

/** Where the last lines of a log begin. Reads backwards, in blocks, and only as far as needed. */
final class LogTail {
    private static final int BLOCK_BYTES = 64 * 1024;

    /** Beyond this the tail is cut instead: nobody reads so much of a tail. */
    private static final long SCAN_BYTES_MAX = 64L * 1024 * 1024;

    private LogTail() {}

    /** The offset of the first of so many lines before {@code end}; a last line may be open. */
    static long begin(TaskLog log, long end, long lines) throws IOException {
        long least = Math.max(log.start(), end - SCAN_BYTES_MAX);
        if (lines == 0 || end <= least) return end;
        long left = lines;
        // The line break at the very end closes the last line and begins none.
        long at = end - 1;
        while (at > least) {
            long from = Math.max(least, at - BLOCK_BYTES);
            byte[] block = log.read(from, (int) (at - from));
            if (block.length < at - from) return Math.max(log.start(), least);
            for (int i = block.length - 1; i >= 0; i--) {
                if (block[i] == '\n' && --left == 0) return from + i + 1;
            }
            at = from;
        }
        return least;
    }
}
