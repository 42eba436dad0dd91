package fairlead.engines.kubernetes.logs;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;

/**
 * Takes the time stamps off a log whose lines begin with them, and passes over what was had before.
 * Not thread-safe; one object for each stream. Lines may have any length: nothing is kept of them.
 */
public final class StampedLines {
    /** {@code 2026-01-02T03:04:05.123456789+00:00} and some room. */
    private static final int STAMP_MAX = 40;

    private final LogPlace from;
    private final ByteArrayOutputStream stamp = new ByteArrayOutputStream();
    private boolean inStamp = true;
    private boolean isOld;
    private Optional<Instant> last;
    private long lines;
    private long bytes;
    private long skip;
    private long surplus;

    /**
     * @param surplus how many bytes were had after the place, before it could be noted down again
     */
    public StampedLines(LogPlace from, long surplus) {
        this.from = from;
        this.surplus = surplus;
        this.last = Optional.empty();
    }

    /** What is new of these bytes, without the stamps. */
    public byte[] take(byte[] buffer, int length) {
        var fresh = new ByteArrayOutputStream(length);
        for (int i = 0; i < length; i++) {
            byte each = buffer[i];
            if (!inStamp) {
                content(each, fresh);
            } else if (each == ' ') {
                begin(fresh);
            } else if (each == '\n' || stamp.size() == STAMP_MAX) {
                unstamped(fresh);
                content(each, fresh);
            } else {
                stamp.write(each);
            }
        }
        return fresh.toByteArray();
    }

    /** Where the copy is now, when everything taken was written down. */
    public LogPlace place(long logEnd) {
        long end = logEnd - surplus;
        if (last.isEmpty() || isBefore(last.get())) return from.at(end);
        boolean isSame = last.equals(from.stamp());
        boolean isBehind = isSame && (lines < from.lines() || lines == from.lines() && skip > 0);
        return isBehind ? from.at(end) : new LogPlace(last, lines, bytes, end);
    }

    private boolean isBefore(Instant time) {
        return from.stamp().isPresent() && time.isBefore(from.stamp().get());
    }

    private void begin(ByteArrayOutputStream fresh) {
        Optional<Instant> time = parse(stamp.toString(US_ASCII));
        if (time.isEmpty()) {
            unstamped(fresh);
            content((byte) ' ', fresh);
            return;
        }
        lines = time.equals(last) ? lines + 1 : 0;
        last = time;
        bytes = 0;
        boolean isSame = time.equals(from.stamp());
        isOld = isBefore(time.get()) || isSame && lines < from.lines();
        skip = isSame && lines == from.lines() ? from.bytes() : 0;
        inStamp = false;
        stamp.reset();
    }

    /** A line that does not begin with a stamp is taken as it is. */
    private void unstamped(ByteArrayOutputStream fresh) {
        inStamp = false;
        isOld = false;
        skip = 0;
        byte[] had = stamp.toByteArray();
        stamp.reset();
        for (byte each : had) content(each, fresh);
    }

    private void content(byte each, ByteArrayOutputStream fresh) {
        if (each == '\n') inStamp = true;
        if (isOld) return;
        bytes++;
        if (skip > 0) {
            skip--;
        } else if (surplus > 0) {
            surplus--;
        } else {
            fresh.write(each);
        }
    }

    private static Optional<Instant> parse(String text) {
        try {
            return Optional.of(OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }
}
