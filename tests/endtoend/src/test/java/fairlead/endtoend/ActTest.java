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
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/**
 * What ACT does beside the lines of its document ({@link DocumentedLinesTest} has those), on a real
 * server with eight GPUs that somebody has declared, and with code in a shared folder.
 */
class ActTest {
    private static final String CONFIG =
            """
            engine: local
            config_param:
              code_path: {storage: 'file:STORE', path: code/train.zip}
              data_folder: {storage: 'file:STORE', path: data}
              output_folder: {storage: 'file:STORE', path: output}
            experiment_name: vision
            gpu_per_node: 4
            env: {NCCL_IB_DISABLE: '0'}
            """;

    private static final String WORDS =
            """
            import os, sys
            rank = os.environ.get('OMPI_COMM_WORLD_RANK', 'none')
            print('rank', rank, sys.argv[1:], os.listdir('data'), os.environ['NCCL_IB_DISABLE'])
            open('output/rank-' + rank, 'w').close()
            """;

    private static final String TRAIN =
            """
            import os, sys, time
            rank = os.environ.get("OMPI_COMM_WORLD_RANK", "none")
            print("rank", rank, "of", os.environ.get("OMPI_COMM_WORLD_SIZE"), flush=True)
            if "--wait" in sys.argv:
                while not os.path.exists(sys.argv[-1]): time.sleep(0.01)
                print("rank", rank, "goes on", flush=True)
            if "--fail" in sys.argv: raise RuntimeError("CUDA out of memory. Tried")
            """;

    @TempDir static Path folder;
    private static Installation fairlead;
    private static Path work;
    private static Path store;
    private static Path programs;

    @BeforeAll
    static void start() throws IOException {
        fairlead = Installation.withSettings(folder.resolve("home"), "gpus = 8", "stop-grace = 1s");
        work = folder.resolve("work");
        store = folder.resolve("store");
        programs = Files.createDirectories(folder.resolve("programs"));
        // A machine of the test has not everywhere a program called python.
        Path python =
                Files.writeString(programs.resolve("python"), "#!/bin/sh\nexec python3 \"$@\"\n");
        Files.setPosixFilePermissions(python, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.createDirectories(store.resolve("data/voc20"));
        Files.createDirectories(work.resolve("aux_data/aml"));
        config("aml", CONFIG);
        config("small", CONFIG.replace("gpu_per_node: 4", "gpu_per_node: 2"));
        config("c2", CONFIG + "multi_process: False\n");
        Files.writeString(work.resolve("train.py"), TRAIN);
        Files.writeString(work.resolve("words.py"), WORDS);
        type("a init").expect(0);
    }

    @AfterAll
    static void stop() {
        fairlead.close();
    }

    private static void config(String name, String text) throws IOException {
        Files.writeString(
                work.resolve("aux_data/aml/" + name + ".yaml"),
                text.replace("STORE", store.toString()));
    }

    /** What a user of ACT types in the working folder. */
    private static Installation.Result type(String line) {
        return fairlead.type(
                "unset AML_LOG_FOLDER; PATH='%s':$PATH; cd '%s'; a() { fairlead \"$@\"; }\n%s"
                        .formatted(programs, work, line));
    }

    private static String submitted(String line) {
        return type(line).expect(0).out().strip();
    }

    /** What the job has written, once it has ended well. */
    private static String log(String line) {
        String id = submitted(line);
        fairlead.run("wait", id).expect(0);
        return fairlead.run("logs", id).expect(0).out();
    }

    private static void clearOutput() throws IOException {
        Path output = Files.createDirectories(store.resolve("output"));
        for (String file : output()) Files.delete(output.resolve(file));
    }

    private static List<String> output() throws IOException {
        try (var files = Files.list(store.resolve("output"))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void a30WithoutMultiProcessThereIsOneProcessOnANode() throws IOException {
        clearOutput();
        String log = log("a -c c2 submit python words.py");
        assertTrue(log.contains("rank none [] ['voc20'] 0"), log);
        assertEquals(List.of("rank-none"), output());
    }

    @Test
    void a32AJobWithoutGpusRunsOnceAndIsShownByTheWordsOfItsUser() throws IOException {
        clearOutput();
        String id = submitted("a -n 0 submit \"python words.py -n 8\"");
        fairlead.run("wait", id).expect(0);
        String log = fairlead.run("logs", id).expect(0).out();
        assertTrue(log.contains("rank none ['-n', '8'] ['voc20'] 0"), log);
        assertEquals(List.of("rank-none"), output());
        String list = fairlead.run("list", "--all").expect(0).out();
        assertTrue(list.contains("python words.py -n 8"), list);
        assertFalse(fairlead.run("spec", id).expect(0).out().contains("FAIRLEAD_ACT_RUNNER"));
    }

    @Test
    void a31ANumberOfGpusThatNoNodesMakeIsRefused() {
        String problem = type("a -n 6 submit ls").expect(2).err();
        assertTrue(problem.contains("-n 6: 6 GPUs are no multiple of gpu_per_node"), problem);
    }

    @Test
    void aClusterThatTheServerDoesNotHaveIsToldWithTheFile() throws IOException {
        config("away", CONFIG.replace("engine: local", "engine: moon"));
        String problem = type("a -c away submit ls").expect(2).err();
        Files.delete(work.resolve("aux_data/aml/away.yaml"));
        assertEquals(
                "fairlead: aux_data/aml/away.yaml:1: engine names 'moon', which is no cluster of"
                        + " the server; known: local\n",
                problem);
    }

    @Test
    void aFolderWithoutAConfigFileHasThePlainSubmit() {
        String id =
                fairlead.type(
                                "cd '"
                                        + folder
                                        + "'\nfairlead -n 0 submit --name plain 'echo a; echo b'")
                        .expect(0)
                        .out()
                        .strip();
        assertTrue(id.startsWith("plain_"), id);
        fairlead.run("wait", id).expect(0);
        assertEquals("a\nb\n", fairlead.run("logs", id).expect(0).out());
    }

    @Test
    void theFilesAreListedAndChecked() throws IOException {
        String clusters = type("a clusters").expect(0).out();
        assertTrue(clusters.contains("aml *") && clusters.contains("c2.yaml"), clusters);
        type("a config check").expect(0);
        config("wrong", CONFIG + "gpu_per_node: many\n");
        var checked = type("a config check").expect(2);
        Files.delete(work.resolve("aux_data/aml/wrong.yaml"));
        assertTrue(
                checked.out().startsWith("aux_data/aml/wrong.yaml:9: gpu_per_node is given twice"),
                checked.out());
    }

    private static Path logs(String id) {
        return work.resolve("assets").resolve(id).resolve("azureml-logs");
    }

    private static void awaitLog(String id, String text) {
        Eventually.when(
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
        aFolderThatCannotBeWrittenIsToldAndTheLogIsShown(id);
    }

    private static void aFolderThatCannotBeWrittenIsToldAndTheLogIsShown(String id) {
        var result = type("AML_LOG_FOLDER=/proc/none a q " + id).expect(0);
        assertTrue(result.err().contains("the logs cannot be kept in /proc/none/"), result.err());
        assertTrue(result.out().contains("rank 0 of 8\n"), result.out());
        assertFalse(result.out().contains("<stdout>"), result.out());
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
        String code = type("echo pwd | a ssh " + id).expect(0).out();
        assertTrue(code.endsWith("/code\n"), code);
        assertEquals(code, type("a exec " + id + " -- pwd").expect(0).out());
        assertEquals(code, type("echo pwd | a bash " + id).expect(0).out());
        assertEquals("a b\n", type("a exec " + id + " -- sh -c 'echo \"$1\"' x 'a b'").out());
        String again = submitted("a -rt small resubmit " + id);
        awaitLog(again, "rank 0 of 4");
        assertTrue(type("a -no-wl q " + id).out().contains("'status': 'Cancel"));
        String spec = type("a spec " + again).expect(0).out();
        assertTrue(spec.contains("count: 2"), spec);
        assertTrue(type("a blame").expect(0).out().contains(again));
        assertTrue(type("a s").expect(0).out().contains("'num_running_job': "));
        type("a abort /" + again + "/").expect(0);
        Eventually.when(
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
}
