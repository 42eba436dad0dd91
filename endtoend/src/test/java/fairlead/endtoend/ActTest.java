package fairlead.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The submits of ACT's document, typed as they stand there, in a folder with its config files and
 * code that lies in a shared folder.
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

    private static final String TRAIN =
            """
            import os, sys
            rank = os.environ.get('OMPI_COMM_WORLD_RANK', 'none')
            print('rank', rank, sys.argv[1:], os.listdir('data'), os.environ['NCCL_IB_DISABLE'])
            open('output/rank-' + rank, 'w').close()
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
        // A machine of the test has no GPU, and not everywhere a program called python.
        program("nvidia-smi", "echo this is nvidia-smi");
        program("python", "exec python3 \"$@\"");
        Files.createDirectories(store.resolve("data/voc20"));
        Files.createDirectories(store.resolve("code"));
        Files.createDirectories(work.resolve("aux_data/aml"));
        archive(store.resolve("code/train.zip"));
        config("aml", CONFIG);
        config("c1", CONFIG.replace("gpu_per_node: 4", "gpu_per_node: 1"));
        config("c2", CONFIG + "multi_process: False\n");
    }

    @AfterAll
    static void stop() {
        fairlead.close();
    }

    private static void program(String name, String line) throws IOException {
        Path file = Files.writeString(programs.resolve(name), "#!/bin/sh\n" + line + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static void archive(Path file) throws IOException {
        try (var zip = new ZipOutputStream(Files.newOutputStream(file))) {
            zip.putNextEntry(new ZipEntry("train.py"));
            zip.write(TRAIN.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static void config(String name, String text) throws IOException {
        Files.writeString(
                work.resolve("aux_data/aml/" + name + ".yaml"),
                text.replace("STORE", store.toString()));
    }

    /** What a user of ACT types in the working folder. */
    private static Installation.Result type(String line) {
        return fairlead.type(
                "PATH='%s':$PATH; cd '%s'\nalias a=fairlead\n%s".formatted(programs, work, line));
    }

    /** What the job has written, once it has ended well. */
    private static String log(String line) {
        String id = type(line).expect(0).out().strip();
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
    void a29AProgramOfTheNodeRunsOnEveryGpuOfANode() {
        String log = log("a submit nvidia-smi");
        assertEquals(4, log.lines().filter(line -> line.contains("this is nvidia-smi")).count());
    }

    @Test
    void a29TheCodeRunsWithItsDataItsVariablesAndItsWords() throws IOException {
        clearOutput();
        String log = log("a submit python train.py --data voc20");
        assertTrue(log.contains("rank 0 ['--data', 'voc20'] ['voc20'] 0"), log);
        assertEquals(List.of("rank-0", "rank-1", "rank-2", "rank-3"), output());
    }

    @Test
    void a30EightGpusAreTwoNodesWithAProcessForEachGpu() throws IOException {
        clearOutput();
        var result = type("a -n 8 submit python train.py --data voc20").expect(0);
        assertEquals(
                "fairlead: submitted to 'local', 8 GPUs on 2 nodes: python train.py --data voc20\n",
                result.err());
        fairlead.run("wait", result.out().strip()).expect(0);
        assertEquals(8, output().size(), output()::toString);
        assertTrue(output().contains("rank-7"), output()::toString);
    }

    @Test
    void a30WithoutMultiProcessThereIsOneProcessOnANode() throws IOException {
        clearOutput();
        String log = log("a -c c2 submit python train.py");
        assertTrue(log.contains("rank none [] ['voc20'] 0"), log);
        assertEquals(List.of("rank-none"), output());
    }

    @Test
    void a4ClustersAreSwitchedByTheOption() {
        assertTrue(log("a -c c1 submit ls").contains("train.py"));
        assertTrue(log("a -c c2 submit nvidia-smi").contains("this is nvidia-smi"));
    }

    @Test
    void a32AJobWithoutGpusRunsOnce() throws IOException {
        clearOutput();
        String log = log("a -n 0 submit \"python train.py -n 8\"");
        assertTrue(log.contains("['-n', '8']"), log);
        assertEquals(List.of("rank-none"), output());
    }

    @Test
    void a41ACommandThatFailsMakesTheJobFail() {
        String id = type("a -n 1 submit false").expect(0).out().strip();
        fairlead.run("wait", id).expect(1);
    }

    @Test
    void a31ANumberOfGpusThatNoNodesMakeIsRefused() {
        String problem = type("a -n 6 submit ls").expect(2).err();
        assertTrue(problem.contains("-n 6 is no multiple of gpu_per_node"), problem);
    }

    @Test
    void aClusterThatTheServerDoesNotHaveIsToldWithTheFile() throws IOException {
        config("away", CONFIG.replace("engine: local", "engine: moon"));
        String problem = type("a -c away submit ls").expect(2).err();
        Files.delete(work.resolve("aux_data/aml/away.yaml"));
        assertEquals(
                "fairlead: aux_data/aml/away.yaml: cluster: no cluster 'moon'; known: local\n",
                problem);
    }

    @Test
    void theWordsOfTheUserAreShownAndNotThoseOfTheNode() {
        String id = type("a -n 0 submit python train.py --shown").expect(0).out().strip();
        fairlead.run("wait", id).expect(0);
        String list = fairlead.run("list", "--all").expect(0).out();
        assertTrue(list.contains("python train.py --shown"), list);
        assertFalse(fairlead.run("spec", id).expect(0).out().contains("FAIRLEAD_ACT_RUNNER"));
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
                checked.out().startsWith("aux_data/aml/wrong.yaml:9: gpu_per_node stands twice"),
                checked.out());
    }
}
