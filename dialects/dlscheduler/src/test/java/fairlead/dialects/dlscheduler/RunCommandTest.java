package fairlead.dialects.dlscheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.spec.SpecBody;
import fairlead.api.spec.TrainingBody;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What run-scheduler's words mean, and what is said about those that mean nothing. */
class RunCommandTest {
    @TempDir Path folder;
    private Path tests;
    private Surroundings here;
    private final Map<String, String> said = new HashMap<>();

    @BeforeEach
    void prepare() throws IOException {
        tests = Files.createDirectories(folder.resolve("tests"));
        Files.createDirectories(folder.resolve("snapshots"));
        Files.writeString(tests.resolve("test1.py"), "");
        here = new Surroundings(folder, Optional.of(folder.resolve("ann")));
        said.put("--script_path", "/custom/test1.py");
        said.put("--custom_dir", "tests");
        said.put("--max_epochs", "20");
    }

    private SpecBody spec() throws Misuse {
        return RunCommand.spec(said, "first", here);
    }

    private String refusal() {
        return assertThrows(Misuse.class, this::spec).getMessage();
    }

    @Test
    void d1ToD7EveryOptionReachesTheSpec() throws Misuse, IOException {
        Files.createDirectories(folder.resolve("ann/datasets"));
        said.put("--image_name", "pytorch:21.09");
        said.put("--snapshots_dir", folder.resolve("snapshots").toString());
        said.put("--batch_size", "64");
        said.put("--training_set_size", "50000");
        said.put("--is_single_gpu", "True");
        said.put("--disable_gpu_sharing", "yes");
        said.put("--estimated_memory", "8000");
        said.put("--port_mapping", "31346:6006, 8888:80");
        said.put("--est_nhours", "1.5");
        assertEquals(
                SpecBody.of(
                        spec -> {
                            spec.name = "first";
                            spec.command = List.of("python", "/custom/test1.py");
                            spec.gpus = 1;
                            spec.image = "pytorch:21.09";
                            spec.mounts =
                                    List.of(
                                            tests + ":/custom",
                                            folder.resolve("snapshots") + ":/snapshots",
                                            folder.resolve("ann/datasets") + ":/data");
                            spec.ports = List.of("31346:6006", "8888:80");
                            spec.training =
                                    TrainingBody.of(
                                            training -> {
                                                training.epochs = 20;
                                                training.batchSize = 64;
                                                training.trainingSetSize = 50_000L;
                                                training.gpusMin = 1;
                                                training.gpusMax = 1;
                                                training.sharing = false;
                                                training.estimatedMemory = "8000M";
                                                training.estimate = "5400s";
                                            });
                        }),
                spec());
    }

    @Test
    void whatIsNotSaidIsLeftToTheScheduler() throws Misuse {
        SpecBody spec = spec();
        assertNull(spec.image());
        assertNull(spec.ports());
        assertEquals(List.of(tests + ":/custom"), spec.mounts());
        assertEquals(
                TrainingBody.of(
                        training -> {
                            training.epochs = 20;
                            training.gpusMin = 1;
                            training.gpusMax = 4_096;
                            training.sharing = true;
                        }),
                spec.training());
    }

    @ParameterizedTest
    @CsvSource({
        "true, true",
        "TRUE, true",
        "1, true",
        "Yes, true",
        "false, false",
        "False, false",
        "0, false",
        "no, false"
    })
    void d1BooleansTakeAValueInAnyCase(String text, boolean meant) throws Misuse {
        said.put("--is_single_gpu", text);
        said.put("--disable_gpu_sharing", text);
        assertEquals(meant ? 1 : 4_096, spec().training().gpusMax());
        assertEquals(!meant, spec().training().sharing());
    }

    /** In the order of the words: an option, its value, what is said about it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "batch_size | 0 | must be a whole number from 1 to 2147483647, but is '0'",
                "batch_size | -1 | must be a whole number from 1 to 2147483647, but is '-1'",
                "batch_size | 1.5 | must be a whole number from 1 to 2147483647, but is '1.5'",
                "training_set_size | 0 | must be a whole number from 1 to 9223372036854775807, but"
                        + " is '0'",
                "max_epochs | 0 | must be a whole number from 1 to 1000000, but is '0'",
                "max_epochs | many | must be a whole number from 1 to 1000000, but is 'many'",
                "is_single_gpu | maybe | must be true or false, but is 'maybe'",
                "disable_gpu_sharing | 2 | must be true or false, but is '2'",
                "estimated_memory | 8G | must be a whole number from 1 to 1073741824, but is '8G';"
                        + " it is in MiB, such as 8192 for 8 GiB",
                "est_nhours | 1 | must be a number of hours above 1 and at most 87600, but is '1'",
                "est_nhours | 1.0 | must be a number of hours above 1 and at most 87600, but is"
                        + " '1.0'",
                "est_nhours | 0.5 | must be a number of hours above 1 and at most 87600, but is"
                        + " '0.5'",
                "est_nhours | -3 | must be a number of hours above 1 and at most 87600, but is"
                        + " '-3'",
                "est_nhours | 2d | must be a number of hours above 1 and at most 87600, but is"
                        + " '2d'",
                "est_nhours | NaN | must be a number of hours above 1 and at most 87600, but is"
                        + " 'NaN'",
                "est_nhours | 87601 | must be a number of hours above 1 and at most 87600, but is"
                        + " '87601'",
                "port_mapping | 80 | must be node:container,node:container,... such as 31346:6006,"
                        + " but a part is '80'",
                "port_mapping | 1:2, | must be node:container,node:container,... such as"
                        + " 31346:6006, but a part is ''",
                "port_mapping | 8080:a | must be node:container,node:container,... such as"
                        + " 31346:6006, but a part is '8080:a'",
                "port_mapping | 1:2,1:3 | uses the node's port 1 twice",
                "port_mapping | 1:2,3:2 | uses the container's port 2 twice",
                "image_name | \"\" | is empty",
                "image_name | \"  \" | is empty",
            })
    void d6d7ABadValueIsTold(String option, String value, String message) {
        said.put("--" + option, value);
        assertEquals("--" + option + " " + message, refusal());
    }

    @ParameterizedTest
    @CsvSource({"0:80", "80:0", "65536:80", "80:99999", "999999999:1"})
    void aPortOutOfRangeIsTold(String pair) {
        said.put("--port_mapping", "1:1," + pair);
        assertTrue(
                refusal().startsWith("--port_mapping: a port is 1 to 65535, but one is "),
                refusal());
    }

    @Test
    void aTrainingSetIsAtLeastOneBatch() throws Misuse {
        said.put("--batch_size", "64");
        said.put("--training_set_size", "63");
        assertEquals("--training_set_size must be at least one batch of 64, but is 63", refusal());
        said.put("--training_set_size", "64");
        assertEquals(64, spec().training().trainingSetSize());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--script_path", "--max_epochs"})
    void whatIsNeededMustBeThere(String option) {
        said.remove(option);
        assertTrue(refusal().startsWith(option + " is missing: "), refusal());
    }

    @Test
    void aJobHasAName() {
        for (String name : new String[] {null, "", " "}) {
            var told = assertThrows(Misuse.class, () -> RunCommand.spec(said, name, here));
            assertTrue(told.getMessage().startsWith("job_name is missing"), told.getMessage());
        }
    }

    @Test
    void aNameThatAnOptionHasTakenForItsValueIsToldAsThat() {
        said.put("--is_single_gpu", "first");
        said.remove("--script_path");
        said.remove("--max_epochs");
        var told = assertThrows(Misuse.class, () -> RunCommand.spec(said, null, here));
        assertEquals("--is_single_gpu must be true or false, but is 'first'", told.getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "first, first",
        "my first job!, my-first-job-",
        "a/b:c, a-b-c",
        "_hidden, hidden",
        "-x, x",
        "Größe, Gr-e",
        "漢字, job",
        "v1.2_a-b, v1.2_a-b"
    })
    void aNameIsMadeLegal(String name, String legal) throws Misuse {
        assertEquals(legal, RunCommand.spec(said, name, here).name());
        assertEquals(63, RunCommand.spec(said, "x".repeat(100), here).name().length());
    }

    @Test
    void aFolderThatIsNotThereIsTold() throws IOException {
        said.put("--snapshots_dir", "none");
        assertEquals("--snapshots_dir: there is no folder " + folder.resolve("none"), refusal());
        said.remove("--snapshots_dir");
        said.put("--custom_dir", "tests/test1.py");
        assertEquals("--custom_dir is not a folder: " + tests.resolve("test1.py"), refusal());
        Files.createDirectories(folder.resolve("a:b"));
        said.put("--custom_dir", "a:b");
        assertEquals("--custom_dir must not have a ':' in it: " + folder.resolve("a:b"), refusal());
    }

    @Test
    void aScriptThatIsNotInItsFolderIsTold() {
        said.put("--script_path", "/custom/none.py");
        assertEquals(
                "--script_path: there is no /custom/none.py, because there is no file "
                        + tests.resolve("none.py"),
                refusal());
        // No image can hold it either, as the folder hides what the image has there.
        said.put("--image_name", "pytorch");
        assertTrue(refusal().startsWith("--script_path: there is no /custom/none.py"), refusal());
        said.put("--script_path", "/custom/../custom/./test1.py/..");
        assertTrue(refusal().startsWith("--script_path: there is no "), refusal());
    }

    @Test
    void aScriptBelowAFolderThatIsNotMountedIsTold() {
        said.remove("--custom_dir");
        assertEquals(
                "--script_path: there is no file /custom/test1.py: --custom_dir says which folder"
                        + " is mounted at /custom",
                refusal());
        said.put("--script_path", "/snapshots/none.py");
        assertTrue(
                refusal().endsWith("--snapshots_dir says which folder is mounted at /snapshots"));
    }

    @Test
    void aScriptOfTheMachineMustBeThereUnlessAnImageMayHoldIt() throws Misuse {
        said.put("--script_path", "/home/works/none.py");
        assertEquals(
                "--script_path: there is no file /home/works/none.py on this machine, and"
                        + " --image_name names no image that may hold it",
                refusal());
        said.put("--image_name", "pytorch");
        assertEquals(List.of("python", "/home/works/none.py"), spec().command());
        said.remove("--image_name");
        said.put("--script_path", tests.resolve("test1.py").toString());
        assertEquals(tests.resolve("test1.py").toString(), spec().command().getLast());
        said.put("--script_path", "tests/test1.py");
        assertEquals(List.of("python", "tests/test1.py"), spec().command());
    }

    @Test
    void aScriptMayBeAmongTheDatasetsOrSnapshots() throws Misuse, IOException {
        Files.createDirectories(folder.resolve("ann/datasets"));
        Files.writeString(folder.resolve("ann/datasets/prepare.py"), "");
        said.put("--script_path", "/data/prepare.py");
        assertEquals("/data/prepare.py", spec().command().getLast());
        said.put("--script_path", "/data/none.py");
        assertTrue(refusal().endsWith("no file " + folder.resolve("ann/datasets/none.py")));
    }

    @Test
    void aSpecIsToldInTheSameOptions() throws Misuse {
        said.put("--image_name", "pytorch");
        said.put("--estimated_memory", "8192");
        said.put("--est_nhours", "2.5");
        said.put("--is_single_gpu", "1");
        said.put("--port_mapping", "1:2,3:4");
        said.put("--batch_size", "64");
        var told = JobOptions.of(spec(), "");
        assertEquals("pytorch", told.get("image_name"));
        assertEquals("/custom/test1.py", told.get("script_path"));
        assertEquals(tests.toString(), told.get("custom_dir"));
        assertEquals("-", told.get("snapshots_dir"));
        assertEquals("64", told.get("batch_size"));
        assertEquals("-", told.get("training_set_size"));
        assertEquals("20", told.get("max_epochs"));
        assertEquals("true", told.get("is_single_gpu"));
        assertEquals("false", told.get("disable_gpu_sharing"));
        assertEquals("8192", told.get("estimated_memory"));
        assertEquals("1:2,3:4", told.get("port_mapping"));
        assertEquals("2.5", told.get("est_nhours"));
        assertEquals(RunCommand.OPTIONS.size(), told.size());
    }

    @ParameterizedTest
    @CsvSource({"8G, 8192", "1T, 1048576", "1048577, 2", "512K, 1", "odd, odd"})
    void memoryIsToldInMebibytes(String size, String mebibytes) {
        assertEquals(mebibytes, JobOptions.of(training(size, "4h"), "").get("estimated_memory"));
    }

    @ParameterizedTest
    @CsvSource({"4h, 4", "1d2h, 26", "1h30m, 1.5", "5400s, 1.5", "500ms, 0"})
    void theEstimateIsToldInHours(String time, String hours) {
        assertEquals(hours, JobOptions.of(training("1G", time), "").get("est_nhours"));
    }

    @Test
    void aCommandIsToldAsItWasWritten() {
        var told = JobOptions.of(training("1G", "4h"), "a  b");
        assertEquals("a  b", told.get("command"));
        assertFalse(told.containsKey("script_path"));
    }

    private static SpecBody training(String memory, String estimate) {
        var spec = new SpecBody.Edit();
        spec.command = List.of("sh", "-c", "a b");
        spec.training =
                TrainingBody.of(
                        training -> {
                            training.epochs = 1;
                            training.estimatedMemory = memory;
                            training.estimate = estimate;
                        });
        return spec.body();
    }
}
