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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What a new user does in the first hour, on a machine with four declared GPUs. */
class FirstUseTest {
    @TempDir static Path folder;
    private static Installation fairlead;
    private static Path work;

    @BeforeAll
    static void start() throws IOException {
        work = Files.createDirectories(folder.resolve("my work"));
        fairlead =
                Installation.withSettings(folder.resolve("a home"), "gpus = 4", "stop-grace = 1s");
    }

    @AfterAll
    static void stop() {
        fairlead.close();
    }

    private static Installation.Result run(String... arguments) {
        return fairlead.run(work, Map.of(), arguments);
    }

    private static String out(String... arguments) {
        return run(arguments).expect(0).out();
    }

    @Test
    void aCommandRunsAsItIsWithItsLogAndItsExitCode() {
        String hello = fairlead.type("fairlead run python3 examples/hello.py").expect(0).out();
        assertTrue(hello.startsWith("Hello from job "), hello);
        assertTrue(hello.endsWith("Working folder: " + Installation.root() + "\n"), hello);

        var failed = run("-n", "0", "run", "echo one; echo two >&2; exit 7").expect(7);
        assertEquals("one\ntwo\n", failed.out());
        assertTrue(failed.err().matches("fairlead: job \\S+ failed: exit code 7\n"), failed.err());

        // The options after the command are the command's, and nothing of it is taken apart.
        String[] words = {"printf", "<%s>", "a b", "$HOME", "--lr", "0.1", "-n", "3", "--help"};
        String[] all = {"-n", "0", "run", "--", "", "", "", "", "", "", "", "", ""};
        System.arraycopy(words, 0, all, 4, words.length);
        assertEquals("<a b><$HOME><--lr><0.1><-n><3><--help>", out(all));
        assertEquals("3 " + work + "\n", out("-n0", "run", "echo $((1 + 2)) $(pwd)"));
    }

    @Test
    void aJobGetsTheGpusItAsksForAndOneByDefault() {
        String show = "echo \"<$CUDA_VISIBLE_DEVICES>\"";
        assertTrue(out("run", show).matches("<[0-3]>\n"));
        String two = out("-n", "2", "run", show);
        assertTrue(two.matches("<([0-3]),(?!\\1)[0-3]>\n"), two);
        assertEquals("<>\n", out("-n", "0", "run", show));
    }

    @Test
    void ofTheShellsVariablesOnlyTheListedOnesGoAlong() {
        var environment = Map.of("SECRET", "1", "PYTHONPATH", "/lib/py", "WANTED", "2");
        var result =
                fairlead.run(
                        work,
                        environment,
                        "-n0",
                        "run",
                        "-e",
                        "WANTED",
                        "-e",
                        "GIVEN=a b",
                        "echo $SECRET,$PYTHONPATH,$WANTED,$GIVEN");
        assertEquals(",/lib/py,2,a b\n", result.expect(0).out());
    }

    @Test
    void idsMayBeCutToAnyUniqueEnd() {
        // Of seventeen ids two must end with the same digit.
        String array = out("-n", "0", "submit", "--array", "1-17", "true").strip();
        run("wait", array).expect(0);
        var ends = new HashMap<String, String>();
        String ambiguous = null;
        String listed = out("list", "--array", array);
        assertEquals(18, listed.lines().count());
        for (String line : listed.lines().skip(1).toList()) {
            String id = line.substring(0, line.indexOf(' '));
            String other = ends.put(id.substring(id.length() - 1), id);
            if (other != null) ambiguous = id.substring(id.length() - 1);
            if (ends.size() == 1) {
                String described = out("describe", id.substring(id.length() - 8));
                assertTrue(described.startsWith("Job        " + id + "\n"), described);
            }
        }
        var refused = run("describe", ambiguous).expect(2);
        assertTrue(refused.err().contains("'" + ambiguous + "' could be any of "), refused.err());
        assertTrue(refused.err().contains("\n  " + ends.get(ambiguous) + "\n"), refused.err());
    }

    @Test
    void theLogsOfAllTasksAndAttemptsAreKept() throws Exception {
        Path file =
                Files.writeString(
                        work.resolve("two roles.yaml"),
                        """
                        name: logs
                        retries: 1
                        roles:
                          main:
                            gpus: 1
                            command: |
                              echo first
                              echo main $FAIRLEAD_ATTEMPT
                              until [ -e followed -a -e worker1.$FAIRLEAD_ATTEMPT ]; do
                                  sleep 0.05
                              done
                              exit 5
                          worker:
                            count: 2
                            gpus: 1
                            command: |
                              echo worker $FAIRLEAD_TASK_INDEX
                              touch worker$FAIRLEAD_TASK_INDEX.$FAIRLEAD_ATTEMPT
                              sleep 60
                        """);
        String id = out("submit", "-f", file.toString()).strip();
        Path output = folder.resolve("followed");
        Process following = fairlead.start(output, "logs", "-f", id);
        Eventually.when("the first attempt's log", () -> lines(output).contains("main 1"));
        Files.createFile(work.resolve("followed"));
        assertEquals(0, following.waitFor());
        assertEquals(
                List.of(
                        "fairlead: this is the log of the first of 3 tasks; 'fairlead list --tasks "
                                + id
                                + "' names all, for --task ROLE/INDEX",
                        "first",
                        "main 1",
                        "fairlead: attempt 2 of job " + id,
                        "first",
                        "main 2"),
                lines(output).stream()
                        // Whether it is seen to pause before it is tried again depends on the
                        // clock.
                        .filter(line -> !line.startsWith("fairlead: job " + id + " queued: "))
                        .toList());
        run("wait", id).expect(1);
        assertEquals("first\nmain 2\n", out("logs", id));
        assertEquals("main 1\n", out("logs", "--attempt", "1", "--tail", "1", id));
        String worker = out("logs", "--task", "worker/1", "--attempt", "2", id);
        assertTrue(worker.startsWith("worker 1\n"), worker);
        String described = out("describe", id);
        assertTrue(described.contains("\nAttempts   2, of which failed: 2\n"), described);
        assertTrue(described.contains("  worker/1  "), described);
        assertTrue(run("logs", "--task", "worker/2", id).expect(2).err().contains("worker/2"));
        assertTrue(run("logs", "--attempt", "3", id).expect(2).err().contains("has had 2"));
    }

    @Test
    void aTimeLimitEndsAJobWithItsReason() {
        var late = run("-n0", "run", "--time", "1s", "echo begun; exec sleep 60").expect(124);
        assertTrue(late.out().startsWith("begun\n"), late.out());
        assertTrue(late.err().endsWith(" failed: time limit reached\n"), late.err());
    }

    @Test
    void anAbortLeavesNoProcessOfATaskThatIgnoresIt() throws IOException {
        Path pids = work.resolve("pids");
        String deaf =
                "trap '' TERM; echo $$ >> pids; sh -c 'echo $$ >> pids; sleep 600' & sleep 600 &"
                        + " echo $! >> pids; setsid sh -c 'echo $$ >> pids; sleep 600' & wait";
        String id = out("-n0", "submit", deaf).strip();
        Eventually.when("its four processes", () -> lines(pids).size() == 4);
        assertTrue(out("abort", id).startsWith(id + " "));
        run("wait", id).expect(1);
        for (String pid : lines(pids)) {
            assertFalse(Installation.isAlive(pid), "process " + pid);
        }
        assertTrue(out("list", "--state", "cancelled").contains(id));
        assertTrue(run("abort", id).expect(4).err().contains("already ended"));
    }

    private static List<String> lines(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException _) {
            return List.of();
        }
    }

    @Test
    void aWaitingJobSaysWhyAndFactsAreThereForPeopleAndPrograms() {
        String blocker = out("-n", "4", "submit", "--name", "blocker", "sleep 600").strip();
        Eventually.when(
                "the blocker's start", () -> out("list", "--state", "running").contains(blocker));
        String id = out("-n", "3", "submit", "--priority", "5", "true").strip();
        String why = out("why", id);
        assertTrue(
                why.startsWith(id + ": queued, next in the queue, needs 3 GPUs on one node\n- "),
                why);
        assertTrue(why.contains("needs 3 GPUs on one node; the largest free block is 0"), why);
        assertTrue(out("nodes").contains("  0 of 4  "));
        assertTrue(out("stats").startsWith("GPUs: 0 of 4 free\n"));
        assertTrue(out("--json", "stats").contains("\"gpus\":4,\"gpusFree\":0"));
        String tail = id.substring(id.length() - 5);
        assertTrue(out("q").matches("(?s).*Queued +" + tail + ".* 3\\s.*"), out("q"));
        assertTrue(run("wait", "--timeout", "1s", id).expect(1).err().contains("the time is over"));
        out("abort", blocker);
        run("wait", id).expect(0);
        String query = out("query", id);
        assertTrue(query.contains("'status': 'Completed'"), query);
        String again = out("-n", "0", "resubmit", id).strip();
        run("wait", again).expect(0);
        assertTrue(out("describe", "--json", again).contains("\"gpus\":0,"));
        out("delete", id, again);
        assertTrue(run("describe", id).expect(2).err().contains("no job '" + id + "'"));
    }

    @Test
    void aSpecIsPrintedBackAndSubmittedAgainUnchanged() throws IOException {
        out("project", "create", "vision");
        String id =
                out(
                                "-n",
                                "1",
                                "submit",
                                "--name",
                                "round",
                                "--time",
                                "90m",
                                "--retries",
                                "2",
                                "--priority",
                                "-3",
                                "--project",
                                "vision",
                                "--cpus",
                                "1",
                                "--memory",
                                "1G",
                                "-e",
                                "TEXT=a: 'b' \"c\" #d ü",
                                "printf",
                                "%s",
                                "$TEXT {i}",
                                "yes",
                                "0.5")
                        .strip();
        String spec = out("spec", id);
        Path file = Files.writeString(work.resolve("spec.yaml"), spec);
        assertEquals(spec, out("submit", "--dry-run", "-f", file.toString()));
        var again = fairlead.type("fairlead spec " + id + " | fairlead submit -f -").expect(0);
        assertEquals(spec, out("spec", again.out().strip()));
        run("wait", again.out().strip()).expect(0);
        assertEquals("$TEXT {i}yes0.5", out("logs", again.out().strip()));
        assertEquals(
                2,
                out("list", "--all").lines().filter(line -> line.startsWith("round_")).count(),
                "the dry run submitted nothing");
    }

    @Test
    void anArrayIsManyJobsOfOneRequest() {
        var submitted =
                run("-n", "0", "submit", "--array", "3-12", "echo part {i}; exit $(({i} / 12))");
        String array = submitted.expect(0).out().strip();
        assertTrue(array.matches("[0-9a-f]{8}"), array);
        assertTrue(submitted.err().startsWith("fairlead: array of 10 jobs"), submitted.err());
        var waited = run("wait", array).expect(1);
        assertTrue(
                Pattern.compile("fairlead: job \\S+ failed \\(1\\)\n")
                        .matcher(waited.err())
                        .matches(),
                waited.err());
        String failed = out("list", "--array", array, "--state", "failed");
        String id = failed.lines().skip(1).findFirst().orElseThrow().split(" ")[0];
        assertEquals("part 12\n", out("logs", id));
        assertTrue(out("describe", id).contains("\nArray      " + array + ", index 12\n"));
        assertTrue(run("abort", array).expect(4).err().contains("have already ended"));
    }

    @Test
    void tasksOfOneJobFindEachOther() {
        // The example's own command, and all that its tasks are told.
        String id = out("submit", "-f", Installation.root() + "/examples/distributed.yaml").strip();
        run("wait", id).expect(0);
        String first = out("logs", id);
        assertTrue(first.matches("rank 0 of 2, master at 127\\.0\\.0\\.1:\\d{4,5}\n"), first);
        assertEquals(first.replace("rank 0", "rank 1"), out("logs", "--task", "worker/1", id));

        String show =
                "echo $RANK $LOCAL_RANK $WORLD_SIZE $FAIRLEAD_RANK $FAIRLEAD_WORLD_SIZE; echo"
                    + " $TF_CONFIG; [ $MASTER_ADDR:$MASTER_PORT ="
                    + " $FAIRLEAD_MASTER_ADDR:$FAIRLEAD_MASTER_PORT ] || exit 1; [ $RANK != 0 ] ||"
                    + " python3 -c 'import os,socket;"
                    + " socket.socket().bind((os.environ[\"MASTER_ADDR\"],"
                    + " int(os.environ[\"MASTER_PORT\"])))'";
        String gang = out("-n", "1", "submit", "--tasks", "2", show).strip();
        run("wait", gang).expect(0);
        String second = out("logs", "--task", "main/1", gang);
        assertTrue(second.startsWith("1 1 2 1 2\n"), second);
        assertTrue(
                second.contains("\"task\":{\"type\":\"main\",\"index\":1}}")
                        && second.contains("{\"cluster\":{\"main\":[\"127.0.0.1:"),
                second);
        assertTrue(out("logs", gang).startsWith("0 0 2 0 2\n"));
    }

    @Test
    void ctrlCAbortsTheJobOfARun() throws Exception {
        Path output = folder.resolve("interrupted");
        Process process = fairlead.start(output, "-n0", "run", "echo begun; sleep 600");
        Eventually.when("its first line", () -> lines(output).contains("begun"));
        new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
        assertEquals(130, process.waitFor());
        String said = String.join("\n", lines(output));
        assertTrue(said.matches("(?s)begun\n.*fairlead: job \\S+ aborted.*"), said);
        String id = said.replaceAll("(?s).*job (\\S+) aborted.*", "$1");
        run("wait", id).expect(1);
    }

    @Test
    void aTerminalThatGoesAwayLeavesTheJobRunning() throws Exception {
        Path output = folder.resolve("hung up");
        Process process = fairlead.start(output, "-n0", "run", "echo begun; sleep 600");
        Eventually.when("its first line", () -> lines(output).contains("begun"));
        new ProcessBuilder("kill", "-HUP", Long.toString(process.pid())).start().waitFor();
        assertEquals(129, process.waitFor());
        String id = out("list", "-o", "name", "@last").strip();
        String said = String.join("\n", lines(output));
        String words = "job %1$s goes on, and 'fairlead logs -f %1$s' shows it again";
        assertTrue(said.contains(words.formatted(id)), said);
        assertEquals("STATE\nrunning\n", out("list", "-o", "columns=state", id));
        run("abort", id).expect(0);
    }
}
