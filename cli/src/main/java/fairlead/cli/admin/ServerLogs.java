package fairlead.cli.admin;

import fairlead.cli.line.Session;
import fairlead.cli.terminal.ExitCode;
import fairlead.cli.terminal.Failure;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The end of a personal server's own log, read from its files, so that it works for a dead one. */
final class ServerLogs {
    /** The structured log, or what the server printed when it did not come that far. */
    private static final List<String> NAMES = List.of("server.log", "server.out");

    private static final int TAIL_BYTES = 16 * 1024;
    private static final Duration PAUSE = Duration.ofMillis(200);
    private final Session session;

    ServerLogs(Session session) {
        this.session = session;
    }

    int show(Path folder, boolean follow) throws Failure, IOException {
        Path file = null;
        for (String name : NAMES) {
            if (file == null && Files.exists(folder.resolve(name))) file = folder.resolve(name);
        }
        if (file == null) {
            throw new Failure(ExitCode.REFUSED, "there is no log of a server in " + folder);
        }
        long offset = copy(file, Math.max(0, Files.size(file) - TAIL_BYTES), true);
        while (follow) {
            session.out().flush();
            pause();
            long size = Files.exists(file) ? Files.size(file) : 0;
            // A shorter file is a new one: the old was rotated away.
            if (size != offset) offset = copy(file, size < offset ? 0 : offset, false);
        }
        return ExitCode.OK;
    }

    /** Copies from the offset to the end and returns the offset there. */
    private long copy(Path path, long from, boolean wholeLines) throws IOException {
        try (var file = new RandomAccessFile(path.toFile(), "r")) {
            file.seek(from);
            if (wholeLines && from > 0) file.readLine();
            byte[] buffer = new byte[TAIL_BYTES];
            for (int count = file.read(buffer); count >= 0; count = file.read(buffer)) {
                session.out().write(buffer, 0, count);
            }
            return file.getFilePointer();
        }
    }

    private static void pause() throws Failure {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new Failure(ExitCode.OK, "interrupted");
        }
    }
}
