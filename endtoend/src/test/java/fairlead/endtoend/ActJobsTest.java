package fairlead.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The verbs of ACT about jobs, on a real server with eight GPUs that somebody has declared. */
class ActJobsTest {
    @TempDir static Path folder;
    private static Installation fairlead;
    private static Path work;

    @BeforeAll
    static void start() throws IOException {
        fairlead = Installation.withSettings(folder.resolve("home"), "gpus = 8", "stop-grace = 1s");
        work = Files.createDirectories(folder.resolve("work"));
        Files.createDirectories(folder.resolve("store"));
        config("aml", 4);
        config("small", 2);
        Files.writeString(
                work.resolve("train.py"),
                """
                import os, sys, time
                rank = os.environ.get("OMPI_COMM_WORLD_RANK", "none")
                print("rank", rank, "of", os.environ.get("OMPI_COMM_WORLD_SIZE"), flush=True)
                if "--wait" in sys.argv:
                    while not os.path.exists(sys.argv[-1]): time.sleep(0.01)
                    print("rank", rank, "goes on", flush=True)
                if "--fail" in sys.argv: raise RuntimeError("CUDA out of memory. Tried")
                """);
        type("a init").expect(0);
    }

    private static void config(String name, int gpusPerNode) throws IOException {
        Files.createDirectories(work.resolve("aux_data/aml"));
        Files.writeString(
                work.resolve("aux_data/aml/" + name + ".yaml"),
                """
                engine: local
                experiment_name: ann
                gpu_per_node: %d
                config_param:
                  code_path: {storage: 'file:%s', path: code.zip}
                """
                        .formatted(gpusPerNode, folder.resolve("store")));
    }

    @AfterAll
    static void stop() {
        fairlead.close();
    }

    /** What ann types in her folder; {@code a} is the command. */
    private static Installation.Result type(String line) {
        return fairlead.type(
                "unset AML_LOG_FOLDER; cd '%s'; a() { fairlead \"$@\"; }; %s"
                        .formatted(work, line));
    }

    private static String submitted(String line) {
        return type(line).expect(0).out().strip();
    }

    private static Path logs(String id) {
        return work.resolve("assets").resolve(id).resolve("azureml-logs");
    }

    private static void awaitLog(String id, String text) {
        Installation.await(
                text + " in the log of " + id, () -> type("a -no-lf q " + id).out().contains(text));
    }

    @Test
    void a45TheRanksOfTwoNodesHaveAFileEach() throws IOException {
        String id = submitted("a -n 8 submit python3 train.py");
        type("a wait " + id).expect(0);
        String out = type("a query " + id).expect(0).out();
        assertTrue(out.startsWith("rank 0 of 8\nlog files:\n['" + logs(id)), out);
        for (int rank = 0; rank < 8; rank++) {
            assertEquals(
                    "rank " + rank + " of 8\n",
                    Files.readString(logs(id).resolve("70_driver_log_rank_" + rank + ".txt")));
        }
        for (String key : List.of("appID", "appID-s", "cluster", "cmd", "elapsedTime"))
            assertTrue(out.contains("'" + key + "': "), out);
        assertTrue(out.contains("'num_gpu': 8,\n"), out);
        assertTrue(out.endsWith(" 'status': 'Completed'}\n"), out);
    }

    @Test
    void a46ARunningJobsLogGrowsHereAsItGrowsThere() throws IOException {
        Path go = folder.resolve("go");
        String id = submitted("a -n 2 submit python3 train.py --wait " + go);
        awaitLog(id, "rank 0 of 2");
        String running = type("a q " + id.substring(id.length() - 5)).expect(0).out();
        assertTrue(running.startsWith("rank 0 of 2\nlog files:\n"), running);
        assertTrue(running.contains("'status': 'Running'"), running);
        assertTrue(type("a qr").out().contains(id.substring(id.length() - 5)));
        Files.createFile(go);
        type("a wait " + id).expect(0);
        type("a q " + id).expect(0);
        assertEquals(
                "rank 1 of 2\nrank 1 goes on\n",
                Files.readString(logs(id).resolve("70_driver_log_rank_1.txt")));
    }

    @Test
    void a61AFailureIsToldByItsCode() {
        String id = submitted("a -n 1 submit python3 train.py --fail");
        type("a wait " + id).expect(1);
        String out = type("a q " + id).expect(0).out();
        assertTrue(out.contains("'result': 'OOM'"), out);
        assertTrue(type("a parse " + id).expect(0).out().startsWith("OOM\n  70_driver_log_rank_0"));
        assertTrue(type("a f").expect(0).out().contains("OOM"));
    }

    @Test
    void a55ToA58AJobIsReachedAbortedAndResubmittedElsewhere() {
        String id = submitted("a -n 4 submit python3 train.py --wait /nowhere");
        awaitLog(id, "rank 0 of 4");
        var shell = type("echo 'echo $FAIRLEAD_JOB' | a ssh " + id.substring(id.length() - 8));
        assertEquals(id + "\n", shell.expect(0).out());
        String again = submitted("a -rt small resubmit " + id);
        awaitLog(again, "rank 0 of 4");
        assertTrue(type("a -no-wl q " + id).out().contains("'status': 'Cancel"));
        String spec = type("a spec " + again).expect(0).out();
        assertTrue(spec.contains("count: 2"), spec);
        assertTrue(type("a blame").expect(0).out().contains(again));
        assertTrue(type("a s").expect(0).out().contains("'num_running_job': "));
        type("a abort /" + again + "/").expect(0);
        Installation.await(
                "the end of " + again,
                () -> type("a -no-wl q " + again).out().contains("'status': 'Canceled'"));
    }

    @Test
    void a60ACommandRunsHereWithItsExitCode() throws IOException {
        Files.writeString(work.resolve("here.sh"), "echo here $1; exit 7\n");
        var result = type("a local sh here.sh --flag");
        assertEquals(7, result.code());
        assertEquals("here --flag\n", result.out());
        assertEquals(127, type("a local no-such-program").code());
    }

    @Test
    void aFolderThatCannotBeWrittenIsToldAndTheLogIsShown() {
        String id = submitted("a -n 1 submit python3 train.py");
        type("a wait " + id).expect(0);
        var result = type("AML_LOG_FOLDER=/proc/none a q " + id).expect(0);
        assertTrue(result.err().contains("the logs cannot be kept in /proc/none/"), result.err());
        assertTrue(result.out().contains("rank 0 of 1\n"), result.out());
        assertFalse(result.out().contains("<stdout>"), result.out());
    }
}
