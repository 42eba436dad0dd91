package fairlead.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.spec.SpecBody;
import fairlead.api.spec.TrainingBody;
import fairlead.cli.spec.Deadline;
import fairlead.cli.spec.SpecFile;
import fairlead.cli.spec.SpecYaml;
import fairlead.cli.terminal.UsageException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;

/** What a training job declares and finds around it, by options and in files. */
class TrainingWordsTest {
    private static final Instant NOW = Instant.parse("2025-11-15T05:00:00Z");

    @TempDir Path folder;
    private FakeServer server;
    private Shell shell;

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer();
        shell = Shell.of(server);
        shell.folder = folder;
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private SpecBody submitted(String line) {
        var result = shell.type(line.split(" "));
        assertEquals(0, result.code(), result.err());
        return server.submitted.getLast();
    }

    private void write(String text) throws IOException {
        Files.writeString(folder.resolve("job.yaml"), text);
    }

    @Test
    void everyOptionReachesTheSpec() {
        SpecBody spec =
                submitted(
                        "-n 2 submit --image pytorch:21.09 --mount data:/data:ro --mount /a/../b:/b"
                                + " --port 8888:80 --port 31346:6006 --epochs 20 --batch-size 64"
                                + " --training-set-size 5000000000 --gpus-min 1 --gpus-max 4"
                                + " --no-sharing --estimated-memory 8G --estimate 4h --deadline 8h"
                                + " python train.py --epochs 3");
        assertEquals("pytorch:21.09", spec.image());
        assertEquals(List.of(folder + "/data:/data:ro", "/b:/b"), spec.mounts());
        assertEquals(List.of("8888:80", "31346:6006"), spec.ports());
        assertEquals(
                TrainingBody.of(
                        training -> {
                            training.epochs = 20;
                            training.batchSize = 64;
                            training.trainingSetSize = 5_000_000_000L;
                            training.gpusMin = 1;
                            training.gpusMax = 4;
                            training.sharing = false;
                            training.estimatedMemory = "8G";
                            training.estimate = "4h";
                            training.deadline = "2025-11-15T13:00:00Z";
                        }),
                spec.training());
        assertEquals(List.of("python", "train.py", "--epochs", "3"), spec.command());
    }

    @Test
    void everyFieldOfAFileReachesTheSpec() throws IOException {
        write(
                """
                command: x
                image: pytorch
                mounts: ["data:/data", "/b:/b:ro"]
                ports: ["8888:80"]
                training:
                  epochs: 20
                  batchSize: 64
                  trainingSetSize: 5000000000
                  gpusMin: 1
                  gpusMax: 4
                  sharing: false
                  estimatedMemory: 8G
                  estimate: 4h
                  deadline: 2026-11-15T18:00:00Z
                """);
        SpecBody spec = submitted("submit -f job.yaml");
        assertEquals("pytorch", spec.image());
        assertEquals(List.of(folder + "/data:/data", "/b:/b:ro"), spec.mounts());
        assertEquals(List.of("8888:80"), spec.ports());
        assertEquals(
                TrainingBody.of(
                        training -> {
                            training.epochs = 20;
                            training.batchSize = 64;
                            training.trainingSetSize = 5_000_000_000L;
                            training.gpusMin = 1;
                            training.gpusMax = 4;
                            training.sharing = false;
                            training.estimatedMemory = "8G";
                            training.estimate = "4h";
                            training.deadline = "2026-11-15T18:00:00Z";
                        }),
                spec.training());
    }

    @Test
    void optionsWinOverTheFile() throws IOException {
        write(
                """
                command: x
                image: old
                mounts: ["/a:/a", "/b:/b"]
                ports: ["1:1"]
                training: {epochs: 20, batchSize: 64, sharing: true}
                """);
        SpecBody spec =
                submitted(
                        "submit -f job.yaml --image new --mount /c:/c --port 2:2 --batch-size 32"
                                + " --no-sharing");
        assertEquals("new", spec.image());
        assertEquals(List.of("/c:/c"), spec.mounts());
        assertEquals(List.of("2:2"), spec.ports());
        assertEquals(
                TrainingBody.of(
                        training -> {
                            training.epochs = 20;
                            training.batchSize = 32;
                            training.sharing = false;
                        }),
                spec.training());
    }

    @Test
    void aJobThatDeclaresNothingHasNoneOfIt() {
        SpecBody spec = submitted("submit ls -l");
        assertNull(spec.image());
        assertNull(spec.mounts());
        assertNull(spec.ports());
        assertNull(spec.training());
    }

    @Test
    void theSpecThatIsPrintedReadsTheSame() throws UsageException, IOException {
        write(
                """
                command: x
                image: registry:5000/a b
                mounts: ["/my data:/data:ro"]
                ports: ["8888:80"]
                training: {epochs: 2, trainingSetSize: 7, sharing: false, estimatedMemory: 1G}
                """);
        var result = shell.type("submit", "--dry-run", "-f", "job.yaml");
        assertEquals(0, result.code(), result.err());
        SpecBody read = SpecFile.read("printed", result.out()).getFirst().body();
        assertEquals(result.out(), SpecYaml.of(read));
        assertEquals(List.of("/my data:/data:ro"), read.mounts());
        assertEquals(7, read.training().trainingSetSize());
        assertEquals(false, read.training().sharing());
    }

    /** The values that a person may get wrong; the server judges the others. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "--epochs 0            | --epochs must be a whole number of at least 1, but is '0'",
                "--epochs 1.5          | --epochs must be a whole number of at least 1, but is"
                        + " '1.5'",
                "--epochs 9999999999   | --epochs must be a whole number of at least 1, but is"
                        + " '9999999999'",
                "--batch-size 64       | --batch-size is for a training job: say --epochs N as"
                        + " well",
                "--gpus-max 4          | --gpus-max is for a training job: say --epochs N as well",
                "--no-sharing          | --no-sharing is for a training job: say --epochs N as"
                        + " well",
                "--deadline 8h         | --deadline is for a training job: say --epochs N as well",
                "--epochs 2 --batch-size 0 | --batch-size must be a whole number of at least 1, but"
                        + " is '0'",
                "--epochs 2 --training-set-size x | --training-set-size must be a whole number of"
                        + " at least 1, but is 'x'",
                "--epochs 2 --gpus-min -1 | --gpus-min must be a whole number of at least 0, but is"
                        + " '-1'",
                "--epochs 2 --gpus-min 3 --gpus-max 2 | --gpus-min 3 is more than --gpus-max 2",
                "--epochs 2 -n 2 --gpus-min 4 | --gpus-min 4 is more than -n 2",
                "--epochs 2 --gpus-min 4 | --gpus-min 4 is more than the 1 GPU that a job asks for"
                        + " without --gpus N",
                "--epochs 2 --gpus 2 --gpus-max 1 | --gpus-max 1 is less than --gpus 2",
                "--epochs 2 --interactive | --epochs and --interactive exclude each other: a job"
                        + " that trains is no session",
                "--epochs 2 --deadline soon | --deadline must be a time such as 2026-11-15T18:00,"
                        + " or how long from now, such as 8h, but is 'soon'",
                "--epochs 2 --deadline 8hx | --deadline must be a time such as 2026-11-15T18:00, or"
                        + " how long from now, such as 8h, but is '8hx'",
                "--epochs 2 --deadline 2025-11-15T04:59:59Z | --deadline has passed:"
                        + " '2025-11-15T04:59:59Z'",
                "--epochs 2 --deadline 999999999d | --deadline is more than ten years away:"
                        + " '999999999d'",
                "--epochs 2 --deadline 20260-11-15T18:00Z | --deadline must be a time such as"
                        + " 2026-11-15T18:00, or how long from now, such as 8h, but is"
                        + " '20260-11-15T18:00Z'",
                "--epoch 2 | 'fairlead submit' has no option '--epoch'. Did you mean '--epochs'?",
            })
    void aMistakeIsToldAndNothingIsSubmitted(String options, String message) {
        var result = shell.type(("submit " + options + " train").split(" "));
        assertEquals(2, result.code());
        assertEquals("fairlead: " + message, result.err().lines().findFirst().orElse(""));
        assertTrue(server.requests.isEmpty());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "training: 3                   | job.yaml:2: training: must be fields with values,"
                        + " such as 'name: first'",
                "training:~  epoch: 3          | job.yaml:3: training has no field 'epoch'. Did you"
                        + " mean 'epochs'?",
                "training:~  epochs: many      | job.yaml:3: training.epochs: must be a whole"
                        + " number, but is 'many'",
                "training: {trainingSetSize: 1G} | job.yaml:2: training.trainingSetSize: must be a"
                        + " whole number, but is '1G'",
                "training: {sharing: maybe}    | job.yaml:2: training.sharing: must be true or"
                        + " false",
                "training:~  epochs: 2~  deadline: never | job.yaml:4: training.deadline: must be a"
                        + " time such as 2026-11-15T18:00, or how long from now, such as 8h, but is"
                        + " 'never'",
                "mounts: /a:/b                 | job.yaml:2: mounts: must be a list of texts",
                "ports: [[1]]                  | job.yaml:2: ports[0]: must be a text",
            })
    void aMistakeInAFileNamesItsLine(String text, String message) throws IOException {
        write("command: x\n" + text.replace('~', '\n') + "\n");
        var result = shell.type("submit", "-f", "job.yaml");
        assertEquals(2, result.code());
        assertEquals("fairlead: " + message, result.err().lines().findFirst().orElse(""));
        assertTrue(server.requests.isEmpty());
    }

    /** As in a file that {@code spec} has printed of an old job. */
    @Test
    void aDeadlineOfAFileMayHavePassed() throws IOException {
        write("command: x\ntraining: {epochs: 2, deadline: 2020-01-01T00:00:00Z}\n");
        assertEquals("2020-01-01T00:00:00Z", submitted("submit -f job.yaml").training().deadline());
    }

    @ParameterizedTest
    @CsvSource({
        "8h, 2025-11-15T13:00:00Z",
        "90m, 2025-11-15T06:30:00Z",
        "2d, 2025-11-17T05:00:00Z",
        "1d12h, 2025-11-16T17:00:00Z",
        "2026-11-15T18:00:00Z, 2026-11-15T18:00:00Z",
        "2026-11-15T18:00:00+02:00, 2026-11-15T16:00:00Z",
    })
    void aDeadlineIsATimeOrHowLongFromNow(String text, String expected) throws UsageException {
        assertEquals(Instant.parse(expected), Deadline.of(text, NOW));
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-11-15T18:00", "2026-11-15 18:00:00"})
    void aTimeWithoutAZoneIsThisMachines(String text) throws UsageException {
        var local = LocalDateTime.of(2026, 11, 15, 18, 0).atZone(ZoneId.systemDefault());
        assertEquals(local.toInstant(), Deadline.of(text, NOW));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-8h", "8", "2026-11-15", "T", "18:00", "2026-13-15T18:00:00Z"})
    void whatIsNoDeadlineIsTold(String text) {
        var told = assertThrows(UsageException.class, () -> Deadline.of(text, NOW));
        assertTrue(told.getMessage().startsWith("must be a time such as"), told.getMessage());
    }
}
