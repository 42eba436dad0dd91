package fairlead.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.testing.Eventually;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** Logs, and streams and submits over connections that break. */
@Timeout(60)
class FollowTest {
    private FakeServer server;
    private Shell shell;

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer();
        shell = Shell.of(server);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void logsOfSeveralTasksSayThatTheyAreThoseOfTheFirst() {
        var gang = server.add(new FakeJob("gang_1_0000000f", "succeeded"));
        gang.log = "the first\n";
        gang.tasks(3);
        for (String line : List.of("logs 000f", "logs -f 000f")) {
            var shown = shell.type(line.split(" "));
            assertEquals("the first\n", shown.out());
            assertEquals(
                    "fairlead: this is the log of the first of 3 tasks; 'fairlead list --tasks"
                            + " 000f' names all, for --task ROLE/INDEX\n",
                    shown.err());
        }
        assertEquals("", shell.type("logs", "--task", "main/1", "000f").err(), "it was asked for");
    }

    /**
     * Goal: a broken stream neither loses nor repeats a line. Method: it breaks after each line.
     */
    @Test
    void aLogIsTakenUpWhereItBroke() {
        server.add(new FakeJob("train_1_0000000a", "failed")).log = "one\ntwo ü\nthree\nfour\n";
        server.eventsBeforeBreak = 1;
        var result = shell.type("logs", "-f", "000a");
        assertEquals("one\ntwo ü\nthree\nfour\n", result.out());
        assertEquals(0, result.code());
        assertEquals(6, server.requests.size(), "one look, and five streams");
    }

    /**
     * Goal: a lost answer makes no second job. Method: the answers are dropped, the work is done.
     */
    @Test
    void aSubmitIsRepeatedUntilItIsAnsweredAndMakesOneJob() {
        server.answersToLose = 3;
        var result = shell.type("submit", "echo", "once");
        assertEquals(0, result.code(), result.err());
        assertEquals(1, server.submitted.size());
        assertEquals(4, server.requests.size());
    }

    @Test
    void aSubmitThatIsNeverAnsweredGivesUp() {
        server.answersToLose = 100;
        var result = shell.type("submit", "echo", "once");
        assertEquals(3, result.code());
        assertTrue(result.err().startsWith("fairlead: the connection to http://127.0.0.1:"));
        assertTrue(
                result.err()
                        .endsWith(
                                "Whether the server has accepted it is not known: look at the list"
                                        + " of jobs before you submit it again.\n"),
                result.err());
        assertEquals(6, server.requests.size());
    }

    /** Goal: a busy server's late answer costs no id. Method: it says that it does not know yet. */
    @Test
    void aSubmitThatTakesTooLongIsRepeatedAndMakesOneJob() {
        server.lateAnswers = 2;
        var result = shell.type("submit", "echo", "once");
        assertEquals(0, result.code(), result.err());
        assertEquals(1, server.submitted.size());
        assertEquals(3, server.requests.size());
        server.lateAnswers = 100;
        var late = shell.type("submit", "echo", "late");
        assertEquals(4, late.code());
        assertEquals(
                "fairlead: the server is busy\n'fairlead list --all' shows whether it was done.\n",
                late.err());
        assertEquals(2, server.submitted.size());
    }

    @Test
    void anInterruptedRunAbortsItsJobAndExitsWith130() throws IOException, InterruptedException {
        server.stateOfNew = "running";
        Process run = shell.process("run", "sleep", "1000");
        try {
            Eventually.when(
                    () -> server.requests.stream().anyMatch(line -> line.contains("follow")));
            Process kill = new ProcessBuilder("kill", "-INT", String.valueOf(run.pid())).start();
            assertEquals(0, kill.waitFor());
            assertTrue(run.waitFor(30, TimeUnit.SECONDS));
            assertEquals(130, run.exitValue());
            assertTrue(server.requests.getLast().endsWith("/abort"), server.requests.getLast());
            String err = new String(run.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(err.endsWith(" aborted\n"), err);
        } finally {
            run.destroyForcibly().waitFor();
        }
    }

    @Test
    void aLogOfAJobThatWaitsSaysWhyUntilItEnds() throws IOException, InterruptedException {
        server.stateOfNew = "queued";
        server.obstacleOfNew = "needs 1 GPU on one node; none is free";
        String id = shell.type("submit", "ls").out().strip();
        Process logs = shell.process("logs", "-f", id);
        try {
            assertEquals(
                    "fairlead: job " + id + " queued: needs 1 GPU on one node; none is free",
                    logs.errorReader().readLine());
            server.end(id, "cancelled", 143);
            assertTrue(logs.waitFor(30, TimeUnit.SECONDS));
            assertEquals(0, logs.exitValue());
        } finally {
            logs.destroyForcibly().waitFor();
        }
    }

    /** Goal: on a terminal the reason is one line, which is gone before the job's first word. */
    @Test
    void onATerminalAWaitIsOneLineThatIsRewritten() throws Exception {
        server.stateOfNew = "queued";
        server.obstacleOfNew = "needs 1 GPU on one node; ".repeat(9);
        shell.terminal = true;
        shell.environment.put("COLUMNS", "40");
        var typed = new FutureTask<>(() -> shell.type("run", "ls", "-l"));
        Thread.ofVirtual().start(typed);
        Eventually.when(() -> shell.said.toString(StandardCharsets.UTF_8).endsWith("..."));
        server.end("job_1763180000_a0000000", "failed", 7);
        String err = typed.get().err();
        String clear = "\r\u001b[K";
        assertEquals(
                "fairlead: job job_1763180000_a0000000\n"
                        + clear
                        + "fairlead: queued: needs 1 GPU on one..."
                        + clear
                        + "fairlead: job job_1763180000_a0000000 failed: task main/0 exited with"
                        + " 3\n",
                err);
    }

    @Test
    void aWaitingRunSaysWhy() throws IOException, InterruptedException {
        server.stateOfNew = "queued";
        server.obstacleOfNew = "needs 1 GPU on one node; none is free";
        Process run = shell.process("run", "ls", "-l");
        try {
            var reader = run.errorReader();
            assertEquals(
                    "fairlead: job job_1763180000_a0000000 queued: needs 1 GPU on one node; none is"
                            + " free",
                    reader.readLine());
            server.end("job_1763180000_a0000000", "failed", 7);
            assertTrue(run.waitFor(30, TimeUnit.SECONDS));
            assertEquals(7, run.exitValue());
            assertEquals(
                    "fairlead: job job_1763180000_a0000000 failed: task main/0 exited with 3",
                    reader.readLine());
        } finally {
            run.destroyForcibly().waitFor();
        }
    }
}
