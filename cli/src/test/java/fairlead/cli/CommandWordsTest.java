package fairlead.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.spec.SpecBody;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Which words of a command line belong to fairlead and which to the user's own command. */
class CommandWordsTest {
    private FakeServer server;
    private Shell shell;

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer();
        shell = Shell.of(server);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private SpecBody submitted(String... words) {
        var result = shell.type(words);
        assertEquals(0, result.code(), result.err());
        return server.submitted.getLast();
    }

    @Test
    void aJobFileThatStandsForACommandIsRefusedWithTheOptionThatReadsIt(@TempDir Path folder)
            throws IOException {
        shell.folder = folder;
        Path file = Files.writeString(folder.resolve("job.json"), "{}");
        var result = shell.type("submit", "job.json");
        assertEquals(2, result.code());
        String why =
                "fairlead: 'job.json' is a file and no program: '-f job.json' reads a job file";
        assertEquals(why, result.err().lines().findFirst().orElseThrow());
        assertTrue(server.submitted.isEmpty());
        submitted("submit", "other.json");
        assertTrue(file.toFile().setExecutable(true));
        submitted("submit", "job.json");
    }

    /** Words are separated by blanks; the last column is the command that the server must see. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-n 2 submit python train.py --lr 0.1   | 2 | python train.py --lr 0.1",
                "-n 2 submit -- python train.py         | 2 | python train.py",
                "-n2 submit ls -n 3                     | 2 | ls -n 3",
                "--gpus=2 submit ls --name x            | 2 | ls --name x",
                "submit -n 2 --name x ls --help         | 2 | ls --help",
                "-n 0 submit ls -- -l                   | 0 | ls -- -l",
                "-n 1 submit -n 2 ls -l                 | 2 | ls -l",
                "-n 0 submit -- --odd -l                | 0 | --odd -l",
                "-n 0 run ls --json                     | 0 | ls --json",
                "-n 0 submit ls -                       | 0 | ls -",
            })
    void theCommandBeginsAtTheFirstWordThatIsNoOption(String line, int gpus, String command) {
        SpecBody spec = submitted(line.split(" "));
        assertEquals(gpus, spec.gpus());
        assertEquals(Arrays.asList(command.split(" ")), spec.command());
    }

    @Test
    void severalWordsAreExecutedAsTheyAre() {
        assertEquals(
                List.of("printf", "%s\n", "a b", "", "ü$HOME", "@file"),
                submitted("submit", "printf", "%s\n", "a b", "", "ü$HOME", "@file").command());
    }

    @Test
    void oneSingleWordIsRunByAShell() {
        assertEquals(
                List.of("sh", "-c", "ls | wc -l"), submitted("submit", "ls | wc -l").command());
    }

    @Test
    void withoutTheOptionTheServerDecidesAboutGpus() {
        assertNull(submitted("submit", "ls", "-l").gpus());
    }

    @Test
    void everyOptionReachesTheSpec() {
        SpecBody spec =
                submitted(
                        "-c",
                        "lab",
                        "submit",
                        "--name",
                        "first",
                        "--project",
                        "vision",
                        "--priority",
                        "-3",
                        "--cpus",
                        "4",
                        "--memory",
                        "8G",
                        "--time",
                        "30m",
                        "--retries",
                        "2",
                        "--user",
                        "ann",
                        "--workdir",
                        "/data",
                        "ls",
                        "-l");
        assertEquals("lab", spec.cluster());
        assertEquals("first", spec.name());
        assertEquals("vision", spec.project());
        assertEquals(-3, spec.priority());
        assertEquals(4, spec.cpus());
        assertEquals("8G", spec.memory());
        assertEquals("30m", spec.time());
        assertEquals(2, spec.retries());
        assertEquals("ann", spec.user());
        assertEquals("/data", spec.workdir());
    }

    @Test
    void severalTasksAreOneRole() {
        SpecBody spec = submitted("-n", "2", "submit", "--tasks", "3", "--cpus", "4", "ls", "-l");
        assertNull(spec.command());
        var role = spec.roles().getFirst();
        assertEquals("main", role.name());
        assertEquals(3, role.count());
        assertEquals(2, role.gpus());
        assertEquals(4, role.cpus());
        assertEquals(List.of("ls", "-l"), role.command());
    }

    @Test
    void onlyAShortListOfTheEnvironmentGoesAlong() {
        shell.environment.putAll(
                Map.of("PATH", "/bin", "TZ", "UTC", "AWS_SECRET_KEY", "hidden", "SEED", "7"));
        assertEquals(Map.of("PATH", "/bin", "TZ", "UTC"), submitted("submit", "ls", "-l").env());
    }

    @Test
    void variablesAreSetOrCopiedOnRequest() {
        shell.environment.putAll(Map.of("PATH", "/bin", "SEED", "7"));
        assertEquals(
                Map.of("PATH", "/opt/bin", "SEED", "7", "EMPTY", "", "PAIR", "a=b"),
                submitted(
                                "submit",
                                "-e",
                                "PATH=/opt/bin",
                                "-e",
                                "SEED",
                                "--env=EMPTY=",
                                "-e",
                                "PAIR=a=b",
                                "ls",
                                "-l")
                        .env());
    }

    @Test
    void aVariableThatIsNotSetCannotBeCopied() {
        var result = shell.type("submit", "-e", "NOTHING", "ls");
        assertEquals(2, result.code());
        assertTrue(result.err().contains("-e NOTHING copies a variable that is not set"));
    }

    @Test
    void aJobOfOpenPaiIsKnownByItsFieldsAndGetsItsName(@TempDir Path folder) throws IOException {
        shell.folder = folder;
        Files.writeString(
                folder.resolve("job.json"),
                """
                {
                  // Comments are fine in a file.
                  "jobName": "mnist", "image": "i", "retryCount": -2,
                  "taskRoles": [{"name": "w", "taskNumber": 2, "cpuNumber": 1, "memoryMB": 100,
                                 "gpuNumber": 0, "command": "ls"}]
                }
                """);
        SpecBody spec = submitted("submit", "-f", "job.json");
        assertEquals("ann~mnist", spec.origin().key());
        assertEquals(-2, spec.retry().limit());
        assertEquals(2, spec.roles().getFirst().count());
        assertEquals(
                "bob~other",
                submitted("submit", "--openpai", "job.json", "--as", "bob", "--name", "other")
                        .origin()
                        .key());
        Files.writeString(folder.resolve("bad.json"), "{\n\"jobName\": \"a\",\n\"x\": 1}");
        var bad = shell.type("submit", "-f", "bad.json");
        assertEquals(2, bad.code());
        assertTrue(bad.err().startsWith("fairlead: bad.json:"), bad.err());
    }

    @Test
    void theJobRunsWhereItWasSubmitted(@TempDir Path folder) throws IOException {
        Path real = Files.createDirectory(folder.resolve("real"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), real);
        shell.folder = real;
        assertEquals(real.toString(), submitted("submit", "ls", "-l").workdir());
        shell.environment.put("PWD", link.toString());
        assertEquals(link.toString(), submitted("submit", "ls", "-l").workdir());
        shell.environment.put("PWD", folder.toString());
        assertEquals(real.toString(), submitted("submit", "ls", "-l").workdir());
        assertEquals(
                real.resolve("sub").toString(),
                submitted("submit", "--workdir", "sub", "ls").workdir());
    }

    @Test
    void anArrayIsOneRequest() {
        var result = shell.type("submit", "--array", "0-4", "echo {i}");
        assertEquals(0, result.code());
        assertEquals("000a77a1\n", result.out());
        assertEquals(
                "fairlead: array of 5 jobs"
                        + " ('fairlead list --array 000a77a1', 'fairlead wait 000a77a1')\n",
                result.err());
        assertEquals(List.of("POST /v1/jobs?ifItFits=true"), server.requests);
    }

    @Test
    void aDryRunSubmitsNothing() {
        var result = shell.type("-n", "1", "submit", "--dry-run", "--name", "a", "echo hi");
        assertEquals(
                """
                name: a
                command: "echo hi"
                gpus: 1
                workdir: /
                """,
                result.out());
        assertTrue(server.submitted.isEmpty());
        assertFalse(server.requests.isEmpty());
    }
}
