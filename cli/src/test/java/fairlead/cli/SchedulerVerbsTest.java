package fairlead.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.spec.SpecBody;
import fairlead.api.spec.TrainingBody;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The commands of the Kubernetes DL scheduler, as its users type them. */
class SchedulerVerbsTest {
    private static final String GOOD =
            "--script_path /custom/test1.py --custom_dir tests --max_epochs 20 ";

    @TempDir Path folder;
    private FakeServer server;
    private Shell shell;

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer();
        shell = Shell.of(server);
        shell.folder = folder;
        shell.environment.put("HOME", folder.resolve("ann").toString());
        shell.environment.put("PATH", "/bin");
        Files.createDirectories(folder.resolve("ann/datasets"));
        Files.createDirectories(folder.resolve("snapshots"));
        Files.createDirectories(folder.resolve("tests"));
        Files.writeString(folder.resolve("tests/test1.py"), "");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void everyOptionOfRunSchedulerReachesTheSpec() {
        var result =
                shell.type(
                        "run-scheduler",
                        "--image_name",
                        "myimage",
                        "--script_path=/custom/test1.py",
                        "--custom_dir",
                        folder.resolve("tests").toString(),
                        "--snapshots_dir=snapshots",
                        "--batch_size",
                        "64",
                        "--training_set_size",
                        "50000",
                        "first",
                        "--max_epochs",
                        "20",
                        "--is_single_gpu",
                        "false",
                        "--disable_gpu_sharing",
                        "true",
                        "--estimated_memory",
                        "8192",
                        "--port_mapping",
                        "31346:6006,8888:80",
                        "--est_nhours=4");
        assertEquals(0, result.code(), result.err());
        assertEquals("first_1763180000_a0000000\n", result.out());
        assertEquals("", result.err());
        SpecBody spec = server.submitted.getFirst();
        assertEquals("first", spec.name());
        assertEquals(List.of("python", "/custom/test1.py"), spec.command());
        assertEquals(1, spec.gpus());
        assertEquals(folder.toString(), spec.workdir());
        assertEquals(Map.of("PATH", "/bin"), spec.env());
        assertEquals("myimage", spec.image());
        assertEquals(
                List.of(
                        folder + "/tests:/custom",
                        folder + "/snapshots:/snapshots",
                        folder + "/ann/datasets:/data"),
                spec.mounts());
        assertEquals(List.of("31346:6006", "8888:80"), spec.ports());
        assertEquals(
                TrainingBody.of(
                        training -> {
                            training.epochs = 20;
                            training.batchSize = 64;
                            training.trainingSetSize = 50_000L;
                            training.gpusMin = 1;
                            training.gpusMax = 4_096;
                            training.sharing = false;
                            training.estimatedMemory = "8192M";
                            training.estimate = "14400s";
                        }),
                spec.training());
    }

    @Test
    void aNameThatNoSpecCanHaveIsMadeLegalAndTold() {
        var result = shell.type(("run-scheduler " + GOOD + "my/job").split(" "));
        assertEquals(0, result.code(), result.err());
        assertEquals("fairlead: the job is called my-job\n", result.err());
        assertEquals("my-job", server.submitted.getFirst().name());
    }

    /** The dialect's own tests have all of them; here it counts that nothing is submitted. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "job_name is missing: how is the experiment called? | ",
                "'b' is one word too many for 'fairlead run-scheduler' | a b",
                "--est_nhours must be a number of hours above 1 and at most 87600, but is '1' | a"
                        + " --est_nhours 1",
                "--batch_size must be a whole number from 1 to 2147483647, but is '0' | a"
                        + " --batch_size 0",
                "--training_set_size must be at least one batch of 8, but is 7 | a --batch_size 8"
                        + " --training_set_size 7",
                "--port_mapping uses the node's port 80 twice | a --port_mapping 80:1,80:2",
                "'fairlead run-scheduler' has no option '--batch-size'. Did you mean"
                        + " '--batch_size'? | a --batch-size 64",
                "'--is_single_gpu' needs a value: IS_SINGLE_GPU | a --is_single_gpu",
            })
    void aMistakeIsToldAndNothingIsSubmitted(String message, String words) {
        String line = "run-scheduler " + GOOD + (words == null ? "" : words);
        var result = shell.type(line.strip().split(" "));
        assertEquals(2, result.code());
        assertEquals("", result.out());
        assertEquals("fairlead: " + message, result.err().lines().findFirst().orElse(""));
        assertTrue(server.requests.isEmpty());
    }

    @Test
    void d8SchedulerStateShowsOnesOwnLastTenJobs() {
        for (int i = 0; i < 12; i++) server.add(new FakeJob("a_1_%08x".formatted(i), "running"));
        var result = shell.type("scheduler-state");
        assertEquals(0, result.code(), result.err());
        assertEquals(1 + 10, result.out().lines().count());
        assertTrue(result.out().lines().toList().get(1).startsWith("a_1_0000000b  running"));
        assertTrue(server.requests.contains("GET /v1/jobs?owner=ann&limit=10"));
    }

    @Test
    void schedulerStateShowsEveryonesAndAsManyAsAskedFor() {
        for (int i = 0; i < 12; i++) server.add(new FakeJob("a_1_%08x".formatted(i), "running"));
        var result = shell.type("scheduler-state", "--all_users", "--nlast", "11");
        assertEquals(1 + 11, result.out().lines().count());
        assertEquals(List.of("GET /v1/jobs?limit=11"), server.requests);
        assertEquals(2, shell.type("scheduler-state", "--nlast", "0").code());
        assertEquals(2, shell.type("scheduler-state", "--nlast").code());
    }

    @Test
    void schedulerStateTellsAllOptionsOnRequest() {
        shell.environment.put("TZ", "Asia/Tokyo");
        shell.type(
                ("run-scheduler " + GOOD + "--image_name myimage --estimated_memory 8192 first")
                        .split(" "));
        assertEquals(
                """
                first_1763180000_a0000000  succeeded
                  owner                    ann
                  submitted                2025-11-15 13:00:00
                  gpus                     1
                  image_name               myimage
                  script_path              /custom/test1.py
                  custom_dir               %s/tests
                  snapshots_dir            -
                  port_mapping             -
                  batch_size               -
                  training_set_size        -
                  max_epochs               20
                  is_single_gpu            false
                  disable_gpu_sharing      false
                  estimated_memory         8192
                  est_nhours               -

                """
                        .formatted(folder),
                shell.type("scheduler-state", "--extended").out());
    }

    @Test
    void d8SchedulerCancelJobStopsAJob() {
        server.add(new FakeJob("a_1_0000000a", "running"));
        var result = shell.type("scheduler-cancel-job", "0a");
        assertEquals("a_1_0000000a aborted\n", result.out());
        assertEquals(0, result.code());
        assertEquals(4, shell.type("scheduler-cancel-job", "0a").code());
        assertEquals(2, shell.type("scheduler-cancel-job", "none").code());
        assertEquals(2, shell.type("scheduler-cancel-job").code());
    }

    @Test
    void d8SchedulerGetLogsShowsAllAttempts() {
        server.add(new FakeJob("a_1_0000000a", "running")).log = "one\n";
        var result = shell.type("scheduler-get-logs", "0a");
        assertEquals(0, result.code(), result.err());
        assertEquals("one\n", result.out());
        assertEquals("GET /v1/jobs/a_1_0000000a/logs?attempt=1", server.requests.getLast());
        server.add(new FakeJob("a_1_0000000b", "queued"));
        var waiting = shell.type("scheduler-get-logs", "0b");
        assertEquals(0, waiting.code());
        assertEquals("", waiting.out());
        assertTrue(
                waiting.err().startsWith("fairlead: job a_1_0000000b has not run: it is queued"),
                waiting.err());
    }

    @Test
    void theOverviewNamesThemApart() {
        String help = shell.type("help", "--all").out();
        assertTrue(
                help.contains(
                        "\nverbs of the Kubernetes DL scheduler, which are also commands in bin/:\n"
                                + "  run-scheduler         submit a training script"),
                help);
    }
}
