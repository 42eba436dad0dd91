package fairlead.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * A wall clock that jumps, under a running server and between two: jobs end with their codes and
 * limits all the same. The jumps are libfaketime's; the steady clock of the machine goes on.
 */
class ClockTest {
    @TempDir Path folder;

    @Test
    void aClockThatJumpsBackChangesNothingForJobs() throws Exception {
        Path clock = Files.writeString(folder.resolve("clock"), "+0\n");
        Map<String, String> faked = faked(clock);
        try (var fairlead = new Installation(folder.resolve("home"))) {
            Process server = fairlead.startBareServer(faked);
            String limited = fairlead.submit("-n0", "submit", "--time", "2s", "sleep 600");
            String plain =
                    fairlead.submit(
                            "-n0",
                            "submit",
                            "until [ -e " + folder + "/go ]; do sleep 0.1; done; exit 5");
            Files.writeString(clock, "-1h\n");
            fairlead.run("wait", limited).expect(1);
            String described = fairlead.run("describe", limited).expect(0).out();
            assertTrue(described.contains("time limit reached"), described);
            String again = fairlead.submit("-n0", "submit", "exit 6");
            fairlead.run("wait", again).expect(1);

            server.destroyForcibly().waitFor();
            Files.writeString(clock, "-1d\n");
            fairlead.startBareServer(faked);
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
        Path clock = Files.writeString(folder.resolve("clock"), "+0\n");
        Map<String, String> faked = faked(clock);
        try (var fairlead = new Installation(folder.resolve("home"))) {
            Process server = fairlead.startBareServer(faked);
            String hour = fairlead.submit("-n0", "submit", "--time", "1h", "sleep 600");
            fairlead.run("-n0", "run", "true").expect(0);
            Files.writeString(clock, "+1d\n");
            // Each of these makes the loop look at its clock.
            fairlead.run("-n0", "run", "true").expect(0);
            String state = fairlead.run("describe", hour).expect(0).out();
            assertTrue(state.contains("running"), state);

            server.destroyForcibly().waitFor();
            Files.writeString(clock, "+2d\n");
            fairlead.startBareServer(faked);
            fairlead.run("-n0", "run", "true").expect(0);
            state = fairlead.run("describe", hour).expect(0).out();
            assertTrue(state.contains("running"), state);
            String limited = fairlead.submit("-n0", "submit", "--time", "1s", "sleep 600");
            fairlead.run("wait", limited).expect(1);
            fairlead.run("abort", hour).expect(0);
        }
    }

    private static Map<String, String> faked(Path clock) throws IOException {
        Path library = library().orElseThrow(() -> new AssertionError("no libfaketime"));
        return Map.of(
                "LD_PRELOAD",
                library.toString(),
                "FAKETIME_TIMESTAMP_FILE",
                clock.toString(),
                "FAKETIME_NO_CACHE",
                "1",
                "FAKETIME_DONT_FAKE_MONOTONIC",
                "1");
    }

    private static Optional<Path> library() throws IOException {
        var pattern =
                FileSystems.getDefault().getPathMatcher("glob:**/faketime/libfaketimeMT.so.1");
        try (var files = Files.find(Path.of("/usr/lib"), 3, (path, _) -> pattern.matches(path))) {
            return files.findFirst();
        }
    }
}
