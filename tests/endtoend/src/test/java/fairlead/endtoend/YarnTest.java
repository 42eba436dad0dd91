package fairlead.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.engines.yarn.TestHadoop;
import fairlead.testing.Eventually;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;

/** The product with a Hadoop cluster: real daemons of YARN and HDFS, the server as it is packed. */
class YarnTest {
    /** A job of OpenPAI whose code is on HDFS; it takes on the names of all its places. */
    private static final String JOB =
            """
            {"jobName": "train", "image": "i", "codeDir": "$PAI_DEFAULT_FS_URI/$PAI_USER_NAME/code",
             "dataDir": "$PAI_DEFAULT_FS_URI/$PAI_USER_NAME/data",
             "taskRoles": [
               {"name": "worker", "taskNumber": 1, "cpuNumber": 1, "memoryMB": 200, "gpuNumber": 1,
                "command": "cat code/sub/hello; echo $PAI_DATA_DIR $PAI_CONTAINER_HOST_IP; exit 7"}]}
            """;

    @TempDir static Path folder;
    private static TestHadoop hadoop;
    private static Installation fairlead;
    private static Caller caller;

    @BeforeAll
    static void start() throws Exception {
        hadoop = TestHadoop.start(Files.createDirectories(folder.resolve("hadoop")), 1);
        int port;
        try (var socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        fairlead =
                Installation.withSettings(
                        folder.resolve("home"),
                        "clusters = hadoop",
                        "stop-grace = 1s",
                        "port = " + port,
                        "url = http://127.0.0.1:" + port,
                        "openpai-fs = " + hadoop.files(),
                        "hadoop.engine = yarn",
                        "hadoop.conf = " + hadoop.conf(),
                        "hadoop.java = " + hadoop.java(),
                        "hadoop.task-memory = 256M");
        caller = new Caller(fairlead);
    }

    @AfterAll
    static void stop() {
        if (fairlead != null) fairlead.close();
        if (hadoop != null) hadoop.close();
    }

    @Test
    void aCommandRunsInAContainerWithItsOutputAndExitCodeHere() {
        var run =
                fairlead.run(
                        "-n",
                        "1",
                        "run",
                        "sh",
                        "-c",
                        "echo $FAIRLEAD_NUM_GPUS in $CONTAINER_ID; exit 3");
        assertEquals(3, run.code(), run::toString);
        assertTrue(run.out().matches("1 in container_\\d+_\\d+_\\d+_\\d+\n"), run::toString);
        // The container's own GPU comes back a moment after its end.
        Eventually.when("both GPUs are free", () -> fairlead.run("nodes").out().contains("2 of 2"));
    }

    /** Training jobs report to the address of the setting url, and an abort has its grace. */
    @Test
    void aTaskReachesTheServerAndAnAbortIsPolite() {
        String id =
                fairlead.submit(
                        "submit",
                        "sh",
                        "-c",
                        "trap 'echo bye; exit 0' TERM; echo $FAIRLEAD_URL; while :; do sleep 0.05;"
                                + " done");
        Eventually.when(
                "it runs", () -> fairlead.run("logs", id).out().contains("http://127.0.0.1:"));
        fairlead.run("abort", id).expect(0);
        Eventually.when("it said so", () -> fairlead.run("logs", id).out().contains("bye"));
    }

    @Test
    void aKilledServerLosesNothing() throws Exception {
        Path go = folder.resolve("go");
        String id =
                fairlead.submit(
                        "submit",
                        "sh",
                        "-c",
                        "echo one; until [ -e %s ]; do sleep 0.05; done; echo two; exit 4"
                                .formatted(go));
        Eventually.when("it runs", () -> fairlead.run("logs", id).out().equals("one\n"));
        fairlead.killServer();
        Files.createFile(go);
        assertEquals(1, fairlead.run("wait", id).code());
        assertEquals("one\ntwo\n", fairlead.run("logs", id).out());
        assertTrue(
                fairlead.run("status", id).out().contains("4"),
                fairlead.run("status", id)::toString);
    }

    @Test
    void aJobOfOpenPaiFindsItsCodeFromHdfs() throws Exception {
        hadoop.write("/ann/code/sub/hello", "hello from HDFS\n");
        var reply = caller.call("POST", "/api/v1/user/ann/jobs", JOB).orElseThrow();
        assertEquals(202, reply.status(), reply.body());
        Eventually.when("it has ended", () -> !"WAITING RUNNING".contains(show().field("state")));
        assertEquals("FAILED", show().field("state"), show().body());
        String page = show().field("appTrackingUrl");
        String id = page.substring(page.lastIndexOf('/') + 1);
        String log = fairlead.run("logs", id).out();
        assertTrue(log.contains("hello from HDFS\n"), log);
        assertTrue(log.contains(hadoop.files() + "/ann/data"), log);
    }

    private static Caller.Reply show() {
        return caller.call("GET", "/api/v1/user/ann/jobs/train", null).orElseThrow();
    }
}
