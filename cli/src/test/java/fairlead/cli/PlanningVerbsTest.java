package fairlead.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.cli.server.ServerProgram;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What simulate, snapshot and plan take, hand on and print, letter by letter. */
@Timeout(60)
class PlanningVerbsTest {
    private static final String SIMULATOR = "fairlead.server.history.SimulateHistory\n";
    private static final String PLANNER = "fairlead.server.snapshot.PlanAgain\n";

    @TempDir Path folder;
    private FakeServer server;
    private Shell shell;

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer();
        shell = Shell.of(server);
        shell.folder = folder;
        shell.program = FakeTool.printing();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String output(String line) {
        return shell.type(line.split(" ")).output();
    }

    private void refused(int code, String words, String line) {
        var result = shell.type(line.split(" "));
        assertTrue(result.err().startsWith("fairlead: " + words), result.err());
        assertEquals(code, result.code());
        assertEquals("", result.out());
    }

    @Test
    void simulateHandsEveryOptionToTheSimulator() {
        assertEquals(
                SIMULATOR
                        + """
                        --trace
                        a b.csv
                        --nodes
                        4
                        --gpus-per-node
                        8
                        --policy
                        fair,fifo
                        --seed
                        7
                        --workload
                        w-1
                        --profiles
                        p.csv
                        --round
                        60s
                        --restart-cost
                        30s
                        --csv
                        out.csv
                        --json
                        """,
                shell.type(
                                "simulate",
                                "--json",
                                "--csv=out.csv",
                                "--restart-cost=30s",
                                "--round=60s",
                                "--profiles=p.csv",
                                "--workload=w-1",
                                "--seed",
                                "7",
                                "--policy",
                                "fair,fifo",
                                "--gpus-per-node",
                                "8",
                                "--nodes",
                                "4",
                                "--trace",
                                "a b.csv")
                        .out());
        assertEquals(SIMULATOR + "--json\n", output("--json simulate"));
        assertEquals(SIMULATOR + "--seed\n2\n", output("simulate --seed 1 --seed 2"));
        assertEquals(List.of(), server.requests, "a trace needs no server");
    }

    @Test
    void aBackupIsReplayedWhereverTheServerIs() {
        assertEquals(
                SIMULATOR + "--nodes\n1\n--from-journal\nold.db\n",
                output("simulate --from-journal old.db --nodes 1"));
        assertEquals(List.of(), server.requests);
    }

    @Test
    void theOwnServersPastIsReplayedFromACopyThatIsGoneAfterwards() throws IOException {
        beAtHome();
        server.backupText = "a copy of the journal\n";
        shell.program = FakeTool.running("shift 3; echo $1 $2 $3; cat \"$5\"; echo \"$5\"");
        List<String> lines = output("simulate --from-journal --nodes 2").lines().toList();
        assertEquals(
                List.of(SIMULATOR.strip() + " --nodes 2", "a copy of the journal", server.backup),
                lines);
        assertFalse(Files.exists(Path.of(server.backup)));
        assertFalse(Files.exists(Path.of(server.backup).getParent()));
    }

    @Test
    void aPastThatTheServerDoesNotGiveIsNotReplayed() throws IOException {
        beAtHome();
        server.diskFull = true;
        refused(4, "the disk is full", "simulate --from-journal --nodes 2");
    }

    @Test
    void simulateRefusesWhatDoesNotGoTogether() {
        refused(
                2,
                "a FILE goes with --from-journal; a trace with --trace\n"
                        + "'fairlead simulate --help' shows its options and examples.",
                "simulate trace.csv");
        refused(
                2,
                "'simulate --from-journal without a FILE' is for a personal server, but"
                        + " FAIRLEAD_SERVER names another",
                "simulate --from-journal");
        refused(2, "'b' is one word too many", "simulate --from-journal a b");
        refused(
                2,
                "'fairlead simulate' has no option '--polcy'. Did you mean '--policy'?",
                "simulate --polcy fair");
        refused(2, "'--nodes' needs a value: N", "simulate --nodes");
        refused(2, "'--from-journal' takes no value", "simulate --from-journal=a.db");
        refused(2, "'-n' has no meaning for 'fairlead simulate'", "-n 2 simulate");
    }

    @Test
    void planHandsTheSnapshotToThePlanner() {
        assertEquals(PLANNER + "case.json\n", output("plan case.json"));
        assertEquals(
                PLANNER + "case.json\n--policy\nfifo\n--json\n",
                output("plan --policy fifo --json case.json"));
        assertEquals(PLANNER + "case.json\n--json\n", output("--json plan case.json"));
        assertEquals(List.of(), server.requests, "a snapshot needs no server");
        refused(2, "which snapshot? None is given.", "plan");
        refused(2, "'b.json' is one word too many for 'fairlead plan'", "plan a.json b.json");
        refused(2, "'-c' has no meaning for 'fairlead plan'", "-c lab plan a.json");
    }

    @Test
    void theToolRunsWhereTheCommandWasCalled() throws IOException {
        shell.program = FakeTool.running("pwd -P");
        assertEquals(folder.toRealPath() + "\n", output("plan case.json"));
    }

    @Test
    void theToolsErrorsAndItsExitCodeAreTheCommands() {
        shell.program = FakeTool.running("echo one; echo 'fairlead plan: no file' >&2; exit 2");
        var result = shell.type("plan", "none.json");
        assertEquals(new Shell.Result(2, "one\n", "fairlead plan: no file\n"), result);
        shell.program = FakeTool.running("exit 70");
        assertEquals(70, shell.type("simulate", "--trace", "a.csv").code());
    }

    @Test
    void aToolThatCannotBeStartedIsToldAsSuch() {
        shell.program = new ServerProgram(List.of("/nowhere/java", "fairlead.server.Main"));
        refused(4, "Cannot run program \"/nowhere/java\"", "plan case.json");
    }

    /** Goal: {@code fairlead simulate | head} ends at once. Method: a tool that never stops. */
    @Test
    void aReaderThatGoesAwayEndsTheToolWithoutAWord() {
        shell.program = FakeTool.running("exec yes");
        shell.outputBroken = true;
        assertEquals(new Shell.Result(141, "", ""), shell.type("simulate", "--trace", "a.csv"));
    }

    @Test
    void aSnapshotIsPrintedAsItCame() {
        assertEquals(FakeServer.SNAPSHOT + "\n", output("snapshot"));
        assertEquals("GET /v1/snapshot", server.requests.getLast());
        assertEquals(FakeServer.SNAPSHOT + "\n", output("-c local snapshot --json"));
        assertEquals("GET /v1/snapshot?cluster=local", server.requests.getLast());
        refused(2, "cluster: no cluster 'lab'; known: local", "snapshot -c lab");
        refused(2, "'case.json' is one word too many", "snapshot case.json");
    }

    @Test
    void aSnapshotNeedsAServerAndTheRightToTakeIt() {
        shell.environment.put("FAIRLEAD_TOKEN", "wrong");
        refused(4, "the token is missing or wrong", "snapshot");
        server.close();
        refused(3, "", "snapshot");
    }

    @Test
    void theirHelpSaysWhatTheyTake() {
        assertEquals(
                """
                usage: fairlead plan [OPTIONS] FILE

                Plan a snapshot again: who starts, who is stopped, why the others wait.

                options:
                      --policy NAME  another policy than the snapshot's own
                      --json         print JSON
                  -h, --help         show this help

                examples:
                  # what first come, first served would do
                  fairlead plan examples/snapshot.json --policy fifo
                """,
                output("plan --help"));
        String simulate = output("help simulate");
        assertTrue(simulate.startsWith("usage: fairlead simulate [OPTIONS] [FILE]\n"), simulate);
        assertTrue(simulate.contains("docs/simulator.md says what the columns mean"), simulate);
        String snapshot = output("snapshot -h");
        assertTrue(snapshot.contains("no commands and no environments"), snapshot);
        assertEquals(List.of(), server.requests);
    }

    /** Makes the server the user's own, instead of one that the environment names. */
    private void beAtHome() throws IOException {
        shell.environment.remove("FAIRLEAD_SERVER");
        shell.environment.put("FAIRLEAD_HOME", folder.toString());
        Files.writeString(
                folder.resolve("server.json"),
                "{\"url\":\"%s\",\"token\":\"%s\",\"pid\":%d}"
                        .formatted(server.url(), FakeServer.TOKEN, ProcessHandle.current().pid()));
    }
}
