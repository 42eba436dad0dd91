package fairlead.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * A wall clock that jumps, under a running server and between two: jobs end with their codes and
 * limits all the same. The steady clock of the machine goes on.
 */
class ClockTest {
    /**
     * Moves the wall clock of a process by as many seconds as a file says, at any moment. A whole
     * libfaketime would change timed waits too: a server under it takes a core for itself.
     */
    private static final String MOVED_CLOCK =
            """
            #include <fcntl.h>
            #include <stdint.h>
            #include <stdlib.h>
            #include <sys/mman.h>
            #include <sys/syscall.h>
            #include <sys/time.h>
            #include <time.h>
            #include <unistd.h>

            static volatile const int64_t *ahead;

            __attribute__((constructor)) static void find(void) {
                const char *name = getenv("CLOCK_AHEAD");
                int file = name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
                if (file < 0) return;
                void *seen = mmap(0, sizeof *ahead, PROT_READ, MAP_SHARED, file, 0);
                if (seen != MAP_FAILED) ahead = seen;
                close(file);
            }
            int clock_gettime(clockid_t clock, struct timespec *now) {
                int failed = syscall(SYS_clock_gettime, clock, now);
                if (!failed && ahead && clock == CLOCK_REALTIME) now->tv_sec += *ahead;
                return failed;
            }
            int gettimeofday(struct timeval *now, void *zone) {
                int failed = syscall(SYS_gettimeofday, now, zone);
                if (!failed && ahead) now->tv_sec += *ahead;
                return failed;
            }
            time_t time(time_t *told) {
                struct timespec now;
                clock_gettime(CLOCK_REALTIME, &now);
                if (told) *told = now.tv_sec;
                return now.tv_sec;
            }
            """;

    @TempDir static Path shared;
    private static Path library;

    @TempDir Path folder;
    private Path clock;

    @BeforeAll
    static void compile() throws Exception {
        Path source = Files.writeString(shared.resolve("clock.c"), MOVED_CLOCK);
        library = shared.resolve("clock.so");
        var compiler =
                new ProcessBuilder(
                        "cc", "-shared", "-fPIC", "-o", library.toString(), source.toString());
        assertEquals(0, compiler.inheritIO().start().waitFor());
    }

    /** In its place, as servers have the file in their memory. */
    private void jump(Duration ahead) throws IOException {
        var seconds = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        Files.write(
                clock,
                seconds.putLong(ahead.toSeconds()).array(),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
    }

    private Map<String, String> moved() {
        return Map.of("LD_PRELOAD", library.toString(), "CLOCK_AHEAD", clock.toString());
    }

    @BeforeEach
    void setTheClock() throws IOException {
        clock = folder.resolve("clock");
        jump(Duration.ZERO);
    }

    @Test
    void aClockThatJumpsBackChangesNothingForJobs() throws Exception {
        try (var fairlead = Installation.withSettings(folder.resolve("home"))) {
            Process server = fairlead.startBareServer(moved());
            String limited = fairlead.submit("-n0", "submit", "--time", "2s", "sleep 600");
            String plain =
                    fairlead.submit(
                            "-n0",
                            "submit",
                            "until [ -e " + folder + "/go ]; do sleep 0.1; done; exit 5");
            jump(Duration.ofHours(-1));
            fairlead.run("wait", limited).expect(1);
            String described = fairlead.run("describe", limited).expect(0).out();
            assertTrue(described.contains("time limit reached"), described);
            String again = fairlead.submit("-n0", "submit", "exit 6");
            fairlead.run("wait", again).expect(1);

            server.destroyForcibly().waitFor();
            jump(Duration.ofDays(-1));
            fairlead.startBareServer(moved());
            Files.createFile(folder.resolve("go"));
            fairlead.run("wait", plain).expect(1);
            var caller = new Caller(fairlead);
            assertEquals("5", caller.get("/v1/jobs/" + plain).field("exitCode"));
            assertEquals("6", caller.get("/v1/jobs/" + again).field("exitCode"));
            fairlead.run("-n0", "run", "exit 7").expect(7);
            assertEquals(1 + 4, fairlead.run("list", "--all").expect(0).out().lines().count());
        }
    }

    /** Ahead by a day while the server lives, and by one more while none does. */
    @Test
    void aJumpOfADayEndsNoJobOfAnHour() throws Exception {
        try (var fairlead = Installation.withSettings(folder.resolve("home"))) {
            Process server = fairlead.startBareServer(moved());
            String hour = fairlead.submit("-n0", "submit", "--time", "1h", "sleep 600");
            fairlead.run("-n0", "run", "true").expect(0);
            jump(Duration.ofDays(1));
            // Each of these makes the loop look at its clock.
            fairlead.run("-n0", "run", "true").expect(0);
            String state = fairlead.run("describe", hour).expect(0).out();
            assertTrue(state.contains("running"), state);

            server.destroyForcibly().waitFor();
            jump(Duration.ofDays(2));
            fairlead.startBareServer(moved());
            fairlead.run("-n0", "run", "true").expect(0);
            state = fairlead.run("describe", hour).expect(0).out();
            assertTrue(state.contains("running"), state);
            String limited = fairlead.submit("-n0", "submit", "--time", "1s", "sleep 600");
            String sent = new Caller(fairlead).get("/v1/jobs/" + limited).field("submitted");
            Instant tomorrow = Instant.now().plus(Duration.ofDays(1));
            assertTrue(Instant.parse(sent).isAfter(tomorrow), "the server's clock says " + sent);
            fairlead.run("wait", limited).expect(1);
            fairlead.run("abort", hour).expect(0);
        }
    }
}
