package fairlead.engines.yarn.keeper;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.engines.yarn.relay.Call;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What the task writes: the file {@code stdout} in the container's log folder, where YARN finds it
 * too. Any thread.
 */
final class LogFile {
    private static final int BUFFER_BYTES = 64 << 10;

    /** No event says that a file has grown, so it is looked at. */
    private static final long LOOK_MILLIS = 50;

    private static final int ANSWER_MILLIS_MAX = 2_000;

    private final Path file;
    private boolean isComplete;
    private int readers;
    private long readTo;

    LogFile(Path file) throws IOException {
        this.file = file;
        if (!Files.exists(file)) Files.createFile(file);
    }

    Path file() {
        return file;
    }

    long end() throws IOException {
        return Files.size(file);
    }

    void note(String line) throws IOException {
        byte[] bytes = (line + "\n").getBytes(UTF_8);
        Files.write(file, bytes, StandardOpenOption.APPEND);
    }

    /** The task has ended, and with it whatever it had started. */
    synchronized void complete() {
        isComplete = true;
        notifyAll();
    }

    /**
     * Waits until nobody reads any more, but not for long; answers how far somebody has it for
     * certain.
     */
    synchronized long awaitReaders(long millisMax) throws InterruptedException {
        long deadline = System.currentTimeMillis() + millisMax;
        while (readers > 0 && System.currentTimeMillis() < deadline) wait(millisMax);
        return readTo;
    }

    /**
     * Sends everything from the offset on, until the task has ended. Whoever reads it answers with
     * a byte when it has all: what is on its way to somebody who dies is with nobody.
     */
    void follow(long offset, Call call) throws IOException, InterruptedException {
        synchronized (this) {
            readers++;
        }
        long at = offset;
        boolean isTaken = false;
        try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
            var buffer = ByteBuffer.allocate(BUFFER_BYTES);
            while (true) {
                boolean wasComplete = isComplete();
                int length = channel.read(buffer.clear(), at);
                if (length > 0) {
                    call.out().write(buffer.array(), 0, length);
                    call.out().flush();
                    at += length;
                } else if (wasComplete) {
                    call.endOutput();
                    call.within(ANSWER_MILLIS_MAX);
                    isTaken = call.in().read() >= 0;
                    return;
                } else {
                    pause();
                }
            }
        } finally {
            synchronized (this) {
                readers--;
                if (isTaken) readTo = Math.max(readTo, at);
                notifyAll();
            }
        }
    }

    private synchronized boolean isComplete() {
        return isComplete;
    }

    private synchronized void pause() throws InterruptedException {
        if (!isComplete) wait(LOOK_MILLIS);
    }

    void copy(long from, OutputStream out) throws IOException {
        try (var in = Files.newInputStream(file)) {
            in.skipNBytes(from);
            in.transferTo(out);
        }
    }
}
