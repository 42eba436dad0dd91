package fairlead.engines.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.cluster.Node;
import fairlead.engine.EngineException;
import fairlead.testing.Eventually;

import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/** What happens to attempts when something of YARN dies, is taken or is full. */
class LifeTest {
    @TempDir Path folder;
    private TestHadoop hadoop;
    private Attempts attempts;

    @BeforeEach
    void open() throws Exception {
        hadoop = TestHadoop.shared();
        attempts = Attempts.open(hadoop, folder.resolve("home"));
    }

    @AfterEach
    void close() throws Exception {
        attempts.close();
    }

    /** Says its process, waits for a file and ends with a code. */
    private static final String WAITING =
            "echo pid $$; until [ -e go ]; do sleep 0.05; done; echo over; exit 5";

    private Attempts.Launched waiting() throws Exception {
        var launched = attempts.launch(folder.toString(), WAITING);
        Eventually.when("it runs", () -> attempts.log(launched).contains("pid"));
        return launched;
    }

    private void letGo() throws Exception {
        Files.createFile(folder.resolve("go"));
    }

    @Test
    void nodesHaveWhatYarnCountsLessTheRoomForAMaster() throws Exception {
        Eventually.when("nobody uses anything", () -> attempts.engine().nodes().size() == 2);
        for (Node node : attempts.engine().nodes()) {
            assertEquals(2, node.gpus().size());
            assertTrue(node.ready());
            assertTrue(node.cpus() < 8, node::toString);
            assertTrue(node.memoryBytes() < 8L << 30, node::toString);
        }
    }

    @Test
    void aGangHasItsNodesAndGpusAndAPlaceToMeet() throws Exception {
        List<String> nodes = attempts.engine().nodes().stream().map(Node::name).toList();
        var gang =
                attempts.launch(
                        folder.toString(),
                        "echo $FAIRLEAD_NODE $FAIRLEAD_NUM_GPUS $MASTER_ADDR:$MASTER_PORT $NM_PORT",
                        nodes,
                        2);
        for (int i = 0; i < nodes.size(); i++) {
            assertEquals(OptionalInt.of(0), attempts.exit(gang, i).code());
            String[] words = attempts.log(gang, i).strip().split(" ");
            assertEquals(nodes.get(i), words[0]);
            assertEquals("2", words[1]);
            // YARN itself says on which node it runs.
            assertTrue(nodes.get(i).endsWith(":" + words[3]), String.join(" ", words));
        }
        assertEquals(attempts.log(gang, 0).split(" ")[2], attempts.log(gang, 1).split(" ")[2]);
        assertFalse(attempts.seen(gang).endpoints().ports().isEmpty());
    }

    /** All or none: one of its nodes has no GPU left, so the other waits too, and it says why. */
    @Test
    void aGangWithoutRoomStartsNothingAndSaysWhere() throws Exception {
        List<String> nodes = attempts.engine().nodes().stream().map(Node::name).toList();
        var holder = attempts.launch(folder.toString(), WAITING, List.of(nodes.get(1)), 2);
        Eventually.when("it holds the GPUs", () -> attempts.seen(holder).running());
        var gang = attempts.launch(folder.toString(), "echo ran", nodes, 1);
        Eventually.when(
                "it says why",
                () -> attempts.seen(gang).trouble().orElse("").contains(nodes.get(1)));
        assertFalse(attempts.seen(gang).running());
        letGo();
        assertEquals(OptionalInt.of(5), attempts.exit(holder, 0).code());
        for (int i = 0; i < nodes.size(); i++) {
            assertEquals(OptionalInt.of(0), attempts.exit(gang, i).code());
        }
    }

    @Test
    void aKilledMasterIsFollowedByAnotherAndTheTaskGoesOn() throws Exception {
        var task = waiting();
        var master = attempts.master(task).orElseThrow();
        master.destroyForcibly();
        Eventually.when(
                "another master",
                () -> attempts.master(task).filter(it -> !it.equals(master)).isPresent());
        letGo();
        assertEquals(OptionalInt.of(5), attempts.exit(task, 0).code());
        String log = attempts.log(task);
        assertEquals(1, log.split("pid", -1).length - 1, log);
        assertTrue(log.endsWith("over\n"), log);
    }

    @Test
    void anApplicationThatAnAdminKillsIsLostWithTheReason() throws Exception {
        var task = waiting();
        var client = YarnClient.createYarnClient();
        client.init(hadoop.yarn().getConfig());
        client.start();
        client.killApplication(
                ApplicationId.fromString(attempts.application(task)), "maintenance tonight");
        client.stop();
        var exit = attempts.exit(task, 0);
        assertTrue(exit.isLost(), exit::toString);
        assertTrue(exit.note().contains("maintenance tonight"), exit.note());
    }

    @Test
    void aRestartedResourceManagerFindsEverythingAsItWas() throws Exception {
        var task = waiting();
        hadoop.restartResourceManager();
        Eventually.when("it answers again", this::isAnswering);
        var next = attempts.launch(folder.toString(), "exit 6");
        letGo();
        assertEquals(OptionalInt.of(5), attempts.exit(task, 0).code());
        assertEquals(OptionalInt.of(6), attempts.exit(next, 0).code());
        assertTrue(attempts.log(task).endsWith("over\n"), attempts.log(task));
    }

    private boolean isAnswering() {
        try {
            return attempts.engine().nodes().stream().filter(Node::ready).count() == 2;
        } catch (EngineException _) {
            return false;
        }
    }

    @Test
    void aServerThatWasAwayFindsHowItsTasksEnded() throws Exception {
        var task = waiting();
        attempts.engine().close();
        letGo();
        attempts.reopen();
        assertEquals(OptionalInt.of(5), attempts.exit(task, 0).code());
        assertTrue(attempts.log(task).endsWith("over\n"), attempts.log(task));
    }

    @Test
    void aStopOrderedWhileTheMasterIsDeadIsCarriedOutByTheNext() throws Exception {
        var task = waiting();
        attempts.master(task).orElseThrow().destroyForcibly();
        attempts.engine().stop(task.attempt(), Duration.ofMinutes(1));
        var exit = attempts.exit(task, 0);
        assertEquals(OptionalInt.of(143), exit.code());
        assertTrue(exit.stopped());
    }

    /** The server's folder goes along, as the code of jobs of OpenPAI does. */
    @Test
    void aFolderOfTheServerIsBroughtToTheTasks() throws Exception {
        Path code = Files.createDirectories(folder.resolve("home/work/job/1/sub"));
        Files.writeString(code.resolve("data"), "from the server\n");
        var task = attempts.launch(code.getParent().toString(), "cat sub/data; pwd");
        assertEquals(OptionalInt.of(0), attempts.exit(task, 0).code());
        assertTrue(attempts.log(task).startsWith("from the server\n"), attempts.log(task));
        assertFalse(attempts.log(task).contains(folder.toString()), attempts.log(task));
    }
}
