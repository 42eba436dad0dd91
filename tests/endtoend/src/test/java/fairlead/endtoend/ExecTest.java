package fairlead.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.testing.Eventually;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;

/** A user inside a running job, by commands and at a terminal. */
class ExecTest {
    @TempDir static Path shared;
    private static Installation fairlead;
    private static String job;

    @TempDir Path folder;

    @BeforeAll
    static void start() throws IOException {
        fairlead = Installation.withSettings(shared.resolve("home"));
        job = runningJob();
    }

    @AfterAll
    static void stop() {
        fairlead.close();
    }

    private static String runningJob() throws IOException {
        Path work = Files.createDirectories(shared.resolve("work"));
        String id =
                fairlead.run(
                                work,
                                Map.of(),
                                "-n",
                                "0",
                                "submit",
                                "-e",
                                "GREETING=two words",
                                "exec sleep 600")
                        .expect(0)
                        .out()
                        .strip();
        new Caller(fairlead).awaitState(id, "running");
        return id;
    }

    @Test
    void aCommandHasTheStreamsTheSurroundingsAndTheExitCodeOfALocalOne() {
        var result =
                fairlead.run(
                        "exec",
                        job,
                        "--task",
                        "main/0",
                        "--",
                        "sh",
                        "-c",
                        "pwd; echo $GREETING $FAIRLEAD_TASK; echo trouble >&2; exit 7");
        result.expect(7);
        assertEquals(shared.resolve("work") + "\ntwo words main/0\n", result.out());
        assertEquals("trouble\n", result.err());
    }

    @Test
    void aMegabyteOfAnythingComesBackAsItWas() throws IOException {
        byte[] bytes = new byte[1 << 20];
        new Random(1).nextBytes(bytes);
        Path file = Files.write(folder.resolve("bytes"), bytes);
        fairlead.type("fairlead exec " + job + " -- cat <" + file + " | cmp - " + file).expect(0);
    }

    @Test
    void aShellTakesAScriptFromThePipe() {
        var result = fairlead.type("echo 'echo I am in $PWD; exit 3' | fairlead bash " + job);
        result.expect(3);
        assertEquals("I am in " + shared.resolve("work") + "\n", result.out());
    }

    @Test
    void aReaderThatHasSeenEnoughEndsTheCommand() {
        var seen =
                fairlead.type("fairlead exec " + job + " -- sh -c 'echo $$; exec yes' | head -n 1");
        String pid = seen.expect(0).out().strip();
        Eventually.when("its end", () -> !Installation.isAlive(pid));
    }

    @Test
    void aTerminalSessionKnowsItsSizeAndCtrlCInterruptsOnlyWhatRunsInIt() throws IOException {
        var result =
                atTerminal(
                        "fairlead bash " + job,
                        """
                        type PS1=; tty; stty size; echo $GREETING-$((1 + 1))\\n
                        await /dev/pts/
                        await 33 101
                        await two words-2
                        size 44 111
                        type until stty size | grep 44; do :; done; sh -c 'echo begun-$((1 + 2)); exec sleep 600'\\n
                        await 44 111
                        await begun-3
                        type \\x03
                        type echo code-$?\\n
                        await code-130
                        type exit 9\\n
                        """);
        result.expect(9);
    }

    @Test
    void theTerminalIsAsItWasWhenTheSessionIsOver() throws IOException {
        Path script = folder.resolve("script");
        Files.writeString(
                script,
                "before=$(stty -g); fairlead exec %s -- true; [ \"$before\" = \"$(stty -g)\" ]"
                        .formatted(job));
        atTerminal("sh " + script, "").expect(0);
    }

    @Test
    void aSessionEndsWithItsJobAndSaysSo() throws IOException {
        String job = runningJob();
        Path pid = folder.resolve("pid");
        Path output = folder.resolve("output");
        Process exec =
                fairlead.start(
                        output,
                        "exec",
                        job,
                        "--",
                        "sh",
                        "-c",
                        "trap '' TERM HUP; echo $$ >"
                                + pid
                                + ".new; mv "
                                + pid
                                + ".new "
                                + pid
                                + "; sleep 600");
        Eventually.when("the command", () -> Files.exists(pid));
        fairlead.run("abort", job).expect(0);
        Eventually.when("the end of the session", () -> !exec.isAlive());
        assertEquals(137, exec.exitValue());
        String told = Files.readString(output);
        assertEquals("fairlead: main/0 of " + job + " has ended, and this session with it\n", told);
        assertFalse(Installation.isAlive(Files.readString(pid).strip()));
        var refused = fairlead.run("exec", job, "--", "ls").expect(4);
        assertEquals(
                "fairlead: " + job + " is aborted; only a running job takes commands\n",
                refused.err());
    }

    @Test
    void aClientThatIsKilledLeavesNoProcessBehind() throws IOException {
        Path output = folder.resolve("output");
        Process exec =
                fairlead.start(output, "exec", job, "--", "sh", "-c", "echo $$; sleep 600; :");
        Eventually.when("the command", () -> text(output).endsWith("\n"));
        String pid = text(output).strip();
        assertTrue(Installation.isAlive(pid));
        exec.destroyForcibly();
        Eventually.when("the command's end", () -> !Installation.isAlive(pid));
    }

    private static String text(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Installation.Result atTerminal(String command, String steps) throws IOException {
        Path script = folder.resolve("terminal.py");
        try (var in = ExecTest.class.getResourceAsStream("/terminal.py")) {
            Files.write(script, in.readAllBytes());
        }
        Path typed = Files.writeString(folder.resolve("typed"), steps, StandardCharsets.UTF_8);
        return fairlead.type("python3 " + script + " " + command + " <" + typed);
    }
}
