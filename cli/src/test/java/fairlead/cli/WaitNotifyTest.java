package fairlead.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** Somebody who waits is called back. */
class WaitNotifyTest {
    @TempDir Path folder;

    /** A program that writes down its arguments, one a line. */
    private Path program(String name) throws IOException {
        Path told = folder.resolve("told");
        Path program = folder.resolve(name);
        Files.writeString(program, "#!/bin/sh\nprintf '%s\\n' \"$@\" >'" + told + "'\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return told;
    }

    @Test
    void theBellRingsAndTheDesktopIsTold() throws IOException {
        try (var server = new FakeServer()) {
            server.add(new FakeJob("train_1_0000000a", "failed"));
            Shell shell = Shell.of(server);
            shell.environment.put("PATH", "/nowhere::" + folder);
            shell.terminal = true;
            Path told = program("notify-send");
            var result = shell.type("wait", "--notify", "0000000a");
            assertEquals(1, result.code());
            assertTrue(result.err().contains("\u0007"), result.err());
            assertEquals(
                    List.of("--app-name=fairlead", "fairlead", "train_1_0000000a: failed (3)"),
                    Files.readAllLines(told));
            assertFalse(shell.type("wait", "0000000a").err().contains("\u0007"));
        }
    }

    @Test
    void theWordsAreNoPartOfTheScriptOfAMac() throws IOException {
        try (var server = new FakeServer()) {
            Shell shell = Shell.of(server);
            shell.environment.put("PATH", folder.toString());
            Path told = program("osascript");
            server.stateOfNew = "queued";
            String array = shell.type("submit", "--array", "0-2", "echo {i}").out().strip();
            for (FakeJob job : server.array(array)) job.state("succeeded", 0);
            server.array(array).getLast().state("failed", 3);
            var result = shell.type("wait", "--notify", array);
            assertEquals("", result.out());
            assertFalse(result.err().contains("\u0007"), "there is no terminal to ring");
            assertEquals("3 jobs: 2 succeeded, 1 failed", Files.readAllLines(told).getLast());
        }
    }

    @Test
    void aDesktopThatIsNotThereIsNoFailure() throws IOException {
        try (var server = new FakeServer()) {
            server.add(new FakeJob("train_1_0000000a", "succeeded"));
            Shell shell = Shell.of(server);
            assertEquals(0, shell.type("wait", "--notify", "0000000a").code());
        }
    }
}
