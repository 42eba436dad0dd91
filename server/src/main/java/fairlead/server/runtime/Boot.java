package fairlead.server.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Which start of the machine this is, and how long ago it was, sleep included.
 *
 * @param id another for each start; empty where the system does not say
 */
record Boot(String id, Duration up) {
    static Boot now() {
        try {
            String id = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
            return new Boot(id, Duration.ofNanos(readUp()));
        } catch (IOException | NumberFormatException _) {
            return new Boot("", Duration.ZERO);
        }
    }

    /** Where the system does not say, sleep is not seen. */
    static long upNanos() {
        try {
            return readUp();
        } catch (IOException | NumberFormatException _) {
            return System.nanoTime();
        }
    }

    private static long readUp() throws IOException {
        String seconds = Files.readString(Path.of("/proc/uptime")).split(" ", 2)[0];
        return (long) (Double.parseDouble(seconds) * 1e9);
    }
}
