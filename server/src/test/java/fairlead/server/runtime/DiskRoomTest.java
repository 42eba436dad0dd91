package fairlead.server.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.Optional;

final class DiskRoomTest {
    private static final long GIB = 1L << 30;

    private final DiskRoom room = new DiskRoom(Path.of("/home/ann/.fairlead"));

    @Test
    void newJobsAreRefusedBeforeTheLogsOfOthersSuffer() {
        assertEquals(Optional.empty(), room.trouble(GIB, 1_000 * GIB));
        String words = room.trouble(GIB / 4, 1_000 * GIB).orElseThrow();
        assertTrue(
                words.startsWith(
                        "the disk of /home/ann/.fairlead is nearly full: 256MiB are left, and the"
                                + " last 512MiB"),
                words);
        assertEquals(Optional.empty(), room.trouble(GIB / 4, GIB));
        assertTrue(room.trouble(GIB / 100, GIB).isPresent());
        assertEquals(Optional.empty(), room.trouble(0, 0));
    }
}
