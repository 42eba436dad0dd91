package fairlead.transfer;

import fairlead.storage.Address;
import fairlead.storage.Progress;

import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * How far a transfer is, with its rate and the time left: on a terminal one line that changes, and
 * elsewhere a line every few seconds. What is done at once is not shown. Any thread may report; one
 * thread of its own writes.
 */
public final class ProgressLine implements Progress, AutoCloseable {
    /** Often enough to look alive, and seldom enough to cost nothing. */
    private static final long REDRAW_MILLIS = 100;

    /** What ends before this would only flicker. */
    private static final long QUIET_MILLIS = 500;

    private static final long LINE_MILLIS = 5_000;

    private static final int BAR_CELLS = 24;

    /** More would scroll the answer away. */
    static final int LEFT_OUT_SHOWN = 20;

    private final Screen screen;
    private final String what;
    private final LongAdder moved = new LongAdder();
    private final LongAdder skipped = new LongAdder();
    private final LongAdder found = new LongAdder();
    private final LongAdder files = new LongAdder();
    private final AtomicLong finished = new AtomicLong();
    private final AtomicLong leftOut = new AtomicLong();
    private volatile boolean foundAll;
    private final Pace pace = new Pace();
    private final long start = System.nanoTime();
    private final Thread writer;

    /** Guards what is on the line, together with the wish to write it. */
    private final Object line = new Object();

    private boolean isClosed;
    private boolean isDrawn;

    public ProgressLine(Screen screen, String what) {
        this.screen = screen;
        this.what = what;
        this.writer = Thread.ofPlatform().daemon().name("progress").start(this::write);
    }

    @Override
    public void moved(Address file, long bytes) {
        moved(bytes);
    }

    void moved(long bytes) {
        moved.add(bytes);
    }

    @Override
    public void skipped(Address file, long bytes) {
        skipped.add(bytes);
    }

    @Override
    public void found(Address file, long bytes) {
        found(bytes);
        files.increment();
    }

    void found(long bytes) {
        found.add(bytes);
    }

    @Override
    public void foundAll() {
        foundAll = true;
    }

    @Override
    public void finished(Address file) {
        finished.incrementAndGet();
    }

    @Override
    public void leftOut(Path file, String reason) {
        if (leftOut.incrementAndGet() > LEFT_OUT_SHOWN) return;
        synchronized (line) {
            if (isDrawn) screen.err().print("\r\u001b[K");
            isDrawn = false;
            Path here = screen.folder().toAbsolutePath();
            Path shown = file.startsWith(here) ? here.relativize(file) : file;
            screen.say(Address.shown(shown.toString()) + " is left out: " + reason);
        }
    }

    /** What has travelled. */
    public long sent() {
        return moved.sum();
    }

    /** What has travelled, and what was there already. */
    public long bytes() {
        return moved.sum() + skipped.sum();
    }

    long files() {
        return finished.get();
    }

    private void write() {
        boolean isLive = screen.errIsTerminal();
        long next = isLive ? QUIET_MILLIS : LINE_MILLIS;
        try {
            while (true) {
                Thread.sleep(REDRAW_MILLIS);
                long now = (System.nanoTime() - start) / 1_000_000;
                pace.add(now, sent());
                if (now < next) continue;
                next = now + (isLive ? REDRAW_MILLIS : LINE_MILLIS);
                draw(isLive);
            }
        } catch (InterruptedException _) {
            // The transfer is over.
            Thread.currentThread().interrupt();
        }
    }

    private void draw(boolean isLive) {
        String text = text(pace.bytesPerSecond());
        synchronized (line) {
            if (isClosed) return;
            if (isLive) screen.err().print("\r\u001b[K" + text);
            else screen.err().println("fairlead: " + text);
            screen.err().flush();
            isDrawn = isLive;
        }
    }

    /** Before all files are found, how much is left is not known. */
    String text(double rate) {
        long done = bytes();
        long all = Math.max(found.sum(), done);
        var text = new StringBuilder(what).append("  ");
        if (foundAll && all > 0) {
            int percent = (int) (done * 100.0 / all);
            if (screen.errIsTerminal()) {
                int cells = percent * BAR_CELLS / 100;
                text.append('[').repeat('#', cells).repeat('.', BAR_CELLS - cells).append("] ");
            }
            text.append(String.format(Locale.ROOT, "%3d%%", percent)).append("  ");
            text.append(Sizes.of(done)).append(" of ").append(Sizes.of(all));
        } else {
            text.append(Sizes.of(done));
        }
        if (files.sum() > 1) {
            text.append(String.format(Locale.ROOT, ", %,d of %,d", finished.get(), files.sum()));
            text.append(foundAll ? " files" : "+ files");
        }
        if (rate >= 1) {
            text.append("  ").append(Sizes.of((long) rate)).append("/s");
            if (foundAll) text.append("  ").append(Sizes.time((long) ((all - done) / rate)));
            if (foundAll) text.append(" left");
        }
        return text.toString();
    }

    @Override
    public void close() {
        end();
    }

    /** Nothing is written after this, and the line is free again. */
    public void end() {
        writer.interrupt();
        synchronized (line) {
            if (isClosed) return;
            isClosed = true;
            if (isDrawn) screen.err().print("\r\u001b[K");
            screen.err().flush();
            isDrawn = false;
            long more = leftOut.get() - LEFT_OUT_SHOWN;
            if (more > 0) screen.say("and %d more are left out".formatted(more));
        }
    }
}
