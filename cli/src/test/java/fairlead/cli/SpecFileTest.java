package fairlead.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.ErrorBody;
import fairlead.api.spec.ContainerBody;
import fairlead.api.spec.OriginBody;
import fairlead.api.spec.RetryBody;
import fairlead.api.spec.RoleBody;
import fairlead.api.spec.SpecBody;
import fairlead.cli.spec.SpecFile;
import fairlead.cli.spec.SpecYaml;
import fairlead.cli.terminal.UsageException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Job files: what they say, and what is said about their mistakes. */
class SpecFileTest {
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

    private void write(String text) throws IOException {
        Files.writeString(folder.resolve("job.yaml"), text);
    }

    private void refused(String words, String file) {
        var result = shell.type("submit", "-f", file);
        assertEquals(2, result.code(), result.err());
        assertEquals("fairlead: " + words, result.err().lines().findFirst().orElse(""));
        assertEquals("", result.out());
    }

    @Test
    void aFileThatIsNestedTooDeepIsRefused() throws IOException {
        String words = "job.yaml:1: is nested more than 64 levels deep";
        for (String each : List.of("[", "{a: ", "- ", "? ")) {
            write("command: x\nenv: " + each.repeat(100_000));
            var result = shell.type("submit", "-f", "job.yaml");
            assertEquals(2, result.code(), each + result.err());
            assertEquals(2, result.err().lines().count(), each + result.err());
        }
        write("env: " + "[".repeat(65));
        refused(words, "job.yaml");
        write("a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nenv: {X: *c}\n");
        assertEquals(2, shell.type("submit", "-f", "job.yaml").code());
    }

    @Test
    void aFileOfTooManyDocumentsIsRefused() throws IOException {
        write("command: x\n---\n".repeat(200_000) + "command: x\n");
        refused("job.yaml:20000: has more than 10000 documents", "job.yaml");
    }

    @Test
    void aFileWithoutEndIsRefused() throws Exception {
        refused("/dev/zero is longer than the limit of 16 MiB", "/dev/zero");
        Path pipe = folder.resolve("pipe");
        assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
        var writer = new ProcessBuilder("sh", "-c", "exec yes > '" + pipe + "'").start();
        try {
            refused("pipe is longer than the limit of 16 MiB", "pipe");
        } finally {
            writer.destroy();
        }
    }

    @Test
    void aPipeWithoutAWriterIsNamedBeforeItIsWaitedFor() throws Exception {
        Path pipe = folder.resolve("empty");
        assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
        Process submit = shell.process("submit", "-f", pipe.toString());
        try {
            assertEquals(
                    "fairlead: waiting for what is written to " + pipe + "...",
                    submit.errorReader().readLine());
            Files.writeString(pipe, "command: late\n");
            assertTrue(submit.waitFor(30, TimeUnit.SECONDS));
            assertEquals(0, submit.exitValue());
        } finally {
            submit.destroyForcibly().waitFor();
        }
    }

    @Test
    void everyFieldOfAFileReachesTheSpec() throws IOException {
        write(
                """
                name: train
                cluster: lab
                project: vision
                priority: -2
                interactive: true
                roles:
                  - name: worker
                    count: 2
                    command: [python3, train.py, "--lr", 0.10]
                    gpus: 4
                    gpuType: a100
                    cpus: 8
                    memory: 8G
                    minFailed: 1
                    minSucceeded: 2
                  - name: ps
                    command: serve | tee log
                    gpu: 0.5
                env:
                  SEED: 007
                  FLAG: true
                retries: 3
                time: 4h
                workdir: /data
                user: ann
                """);
        var result = shell.type("submit", "-f", "job.yaml");
        assertEquals(0, result.code(), result.err());
        var worker = new RoleBody.Edit();
        worker.name = "worker";
        worker.count = 2;
        worker.command = List.of("python3", "train.py", "--lr", "0.10");
        worker.gpus = 4;
        worker.gpuType = "a100";
        worker.cpus = 8;
        worker.memory = "8G";
        worker.minFailed = 1;
        worker.minSucceeded = 2;
        var ps = new RoleBody.Edit();
        ps.name = "ps";
        ps.command = List.of("sh", "-c", "serve | tee log");
        ps.gpu = "0.5";
        var spec = new SpecBody.Edit();
        spec.name = "train";
        spec.cluster = "lab";
        spec.project = "vision";
        spec.priority = -2;
        spec.interactive = true;
        spec.roles = List.of(worker.body(), ps.body());
        spec.env = Map.of("SEED", "007", "FLAG", "true");
        spec.retries = 3;
        spec.time = "4h";
        spec.workdir = "/data";
        spec.user = "ann";
        assertEquals(spec.body(), server.submitted.getFirst());
    }

    @Test
    void rolesMayBeWrittenByTheirNames() throws UsageException {
        var spec =
                SpecFile.read("a", "roles: {worker: {count: 2, command: x}, ps: {command: [y]}}")
                        .getFirst()
                        .body();
        assertEquals("worker", spec.roles().get(0).name());
        assertEquals(List.of("y"), spec.roles().get(1).command());
    }

    @Test
    void jsonIsAJobFileToo() throws UsageException {
        var spec =
                SpecFile.read("a", "{\n\t\"command\": [\"ls\", \"-l\"],\n\t\"gpus\": 2}")
                        .getFirst();
        assertEquals(List.of("ls", "-l"), spec.body().command());
        assertEquals(2, spec.body().gpus());
    }

    @Test
    void severalDocumentsAreSeveralJobsInOneRequest() throws IOException {
        write("command: one\n---\ncommand: two\n");
        assertEquals(2, shell.type("submit", "-f", "job.yaml").out().lines().count());
        assertEquals(List.of("POST /v1/jobs?ifItFits=true"), server.requests);
        var run = shell.type("run", "-f", "job.yaml");
        assertEquals(2, run.code());
        assertTrue(run.err().startsWith("fairlead: the file holds 2 jobs"));
    }

    @Test
    void optionsWinOverTheFile() throws IOException {
        write("name: train\ngpus: 1\ncommand: old\nenv: {SEED: 1}\n");
        var result =
                shell.type(
                        "-n",
                        "4",
                        "submit",
                        "-f",
                        "job.yaml",
                        "--name",
                        "b",
                        "-e",
                        "SEED=2",
                        "x",
                        "y");
        assertEquals(0, result.code(), result.err());
        SpecBody spec = server.submitted.getFirst();
        assertEquals("b", spec.name());
        assertEquals(4, spec.gpus());
        assertEquals(List.of("x", "y"), spec.command());
        assertEquals(Map.of("SEED", "2"), spec.env());
    }

    @Test
    void optionsReachTheOnlyRoleButNotOneOfSeveral() throws IOException {
        write("roles: [{name: a, command: x}]");
        assertEquals(0, shell.type("-n", "2", "submit", "-f", "job.yaml").code());
        assertEquals(2, server.submitted.getFirst().roles().getFirst().gpus());
        write("roles: [{name: a, command: x}, {name: b, command: y}]");
        var result = shell.type("-n", "2", "submit", "-f", "job.yaml");
        assertEquals(2, result.code());
        assertTrue(
                result.err()
                        .startsWith(
                                "fairlead: the gpus of a job with several roles can only be given"
                                        + " in its file"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "comand: x                    | job.yaml:1: the job has no field 'comand'. Did you"
                        + " mean 'command'?",
                "protocolVersion: 2~name: a   | job.yaml: this is a job file of OpenPAI's version 2"
                        + " (protocolVersion), which is not read; its JSON files of version 1 are,"
                        + " and docs/spec.md says how to write the same job here",
                "name: a~gpus: two            | job.yaml:2: gpus: must be a whole number, but is"
                        + " 'two'",
                "name: a~gpus: 1.5            | job.yaml:2: gpus: must be a whole number, but is"
                        + " '1.5'",
                "gpus: [1]                    | job.yaml:1: gpus: must be a whole number",
                "name: {a: b}                 | job.yaml:1: name: must be a text",
                "command: []                  | job.yaml:1: command: is empty",
                "command: ' '                 | job.yaml:1: command: is empty",
                "command: {a: b}              | job.yaml:1: command: must be a text or a list of"
                        + " texts",
                "command: [[a]]               | job.yaml:1: command[0]: must be a text",
                "roles: 3                     | job.yaml:1: roles: must be a list, or roles by"
                        + " their names",
                "roles:~- name: a~  gup: 1    | job.yaml:3: roles[0] has no field 'gup'. Did you"
                        + " mean 'gpu'?",
                "roles:~  a:~    count: many  | job.yaml:3: roles[0].count: must be a whole number,"
                        + " but is 'many'",
                "roles:~  a: {name: b}        | job.yaml:2: roles[0].name: is 'b', but the role is"
                        + " called 'a'",
                "roles:~  a:                  | job.yaml:2: roles.a: is empty",
                "env:~  A:                    | job.yaml:2: env.A: has no value",
                "env: [A]                     | job.yaml:1: env: must be fields with values, such"
                        + " as 'name: first'",
                "name: a~name: b              | job.yaml:2: name: is given twice",
                "container: [a]               | job.yaml:1: container: must be fields with values,"
                        + " such as 'name: first'",
                "container:~  shn: 8G         | job.yaml:2: container has no field 'shn'. Did you"
                        + " mean 'shm'?",
                "container:~  tty: maybe      | job.yaml:2: container.tty: must be true or false",
                "- a                          | job.yaml:1: the job must be fields with values,"
                        + " such as 'name: first'",
                "a                            | job.yaml:1: the job must be fields with values,"
                        + " such as 'name: first'",
                "? [a]~: b                    | job.yaml:1: the job has a key that is not a text",
            })
    void aMistakeNamesItsLineAndField(String text, String message) throws IOException {
        write(text.replace('~', '\n') + "\n");
        var result = shell.type("submit", "-f", "job.yaml");
        assertEquals(2, result.code());
        assertEquals("fairlead: " + message, result.err().lines().findFirst().orElse(""));
        assertTrue(server.requests.isEmpty());
    }

    @Test
    void whatIsNoYamlNamesItsLine() {
        var open =
                assertThrows(UsageException.class, () -> SpecFile.read("a.yaml", "x: 1\ny: [1\n"));
        assertTrue(open.getMessage().startsWith("a.yaml:3: not YAML: "), open.getMessage());
        var tab = assertThrows(UsageException.class, () -> SpecFile.read("a.yaml", "x:\n\ty: 1\n"));
        assertTrue(tab.getMessage().startsWith("a.yaml:2: not YAML: "), tab.getMessage());
        var deep =
                assertThrows(
                        UsageException.class, () -> SpecFile.read("a.yaml", "x:\n  y: 1\n z: 1\n"));
        assertTrue(
                deep.getMessage().startsWith("a.yaml:3: not YAML: wrong indentation ("),
                deep.getMessage());
        var nul =
                assertThrows(UsageException.class, () -> SpecFile.read("a.yaml", "x: 1\ny: \0\n"));
        assertEquals("a.yaml:2: the character U+0000 is not allowed in a file", nul.getMessage());
        var none = assertThrows(UsageException.class, () -> SpecFile.read("a.yaml", "# nothing\n"));
        assertEquals("a.yaml: holds no job", none.getMessage());
    }

    @Test
    void bytesThatAreNotTextAreTold() throws IOException {
        Files.write(folder.resolve("job.yaml"), new byte[] {'a', (byte) 0xff});
        assertTrue(shell.type("submit", "-f", "job.yaml").err().contains("is not text in UTF-8"));
        assertTrue(shell.type("submit", "-f", ".").err().contains("is a folder"));
    }

    @Test
    void aFileThatIsTooLongIsTold() throws IOException {
        write("command: '" + "x".repeat(SpecFile.BYTES_MAX) + "'");
        assertTrue(shell.type("submit", "-f", "job.yaml").err().contains("limit of 16 MiB"));
    }

    @Test
    @Timeout(30)
    void aWordOfTenMebibytesTakesNoLongerThanItsLength() throws UsageException {
        String word = "x".repeat(10 << 20);
        var job = SpecFile.read("a.json", "{\"command\":[\"true\",\"" + word + "\"]}").getFirst();
        assertEquals(List.of("true", word), job.body().command());
    }

    @Test
    void aRefusedValueIsToldWithItsLine() throws IOException {
        write(
                "name: a\n"
                        + "roles:\n"
                        + "  - name: w\n"
                        + "    command: x\n"
                        + "  - name: v\n"
                        + "    gpus: 9999\n"
                        + "    command: x\n");
        server.refusal =
                new ErrorBody(
                        "invalid", "must be 0 to 4096, but is 9999", "jobs[0].roles[1].gpus", null);
        assertEquals(
                "fairlead: job.yaml:6: roles[1].gpus: must be 0 to 4096, but is 9999\n",
                shell.type("submit", "-f", "job.yaml").err());
        server.refusal =
                new ErrorBody(
                        "invalid",
                        "roles[1].count: must be 1 or more",
                        "jobs[0].roles[1].count",
                        null);
        assertEquals(
                "fairlead: job.yaml:5: roles[1].count: must be 1 or more\n",
                shell.type("submit", "-f", "job.yaml").err());
    }

    @Test
    void aRefusedValueOfAnOptionIsNotBlamedOnTheFile() throws IOException {
        write("name: a\ngpus: 1\ncommand: x\n");
        server.refusal = new ErrorBody("invalid", "too many", "jobs[0].gpus", null);
        assertEquals(
                "fairlead: gpus: too many\n",
                shell.type("-n", "9999", "submit", "-f", "job.yaml").err());
    }

    @Test
    void aSpecThatIsPrintedReadsTheSame() throws UsageException {
        var environment = new LinkedHashMap<String, String>();
        for (String odd :
                List.of(
                        "",
                        " ",
                        "a b",
                        "true",
                        "null",
                        "~",
                        "1",
                        "0x1f",
                        "1e3",
                        "-",
                        "- a",
                        "a: b",
                        "#c",
                        "it's",
                        "\"q\"",
                        "back\\slash",
                        "tab\tnl\nend",
                        "\u0001\u007f\u0085\u2028\ufeff",
                        "ünïcödé 漢字 😀",
                        "{i}",
                        "[x]",
                        "*a",
                        "&a",
                        "!t",
                        "%d",
                        "@x",
                        "`",
                        "|",
                        ">",
                        "? x")) {
            environment.put("V" + environment.size(), odd);
        }
        var edit = new SpecBody.Edit();
        edit.name = "train";
        edit.cluster = "local";
        edit.project = "default";
        edit.priority = 0;
        edit.interactive = true;
        edit.roles =
                List.of(
                        role("w", List.of("a", "", "b c", "-x"), 1, null, null),
                        role("s", List.of("sh", "-c", "x | y\nz"), null, "0.25", null),
                        role("t", List.of("sh", "-c"), null, null, "8G"));
        edit.env = environment;
        edit.time = "4h";
        edit.workdir = "";
        edit.image = "image";
        edit.mounts = List.of("claim:data:/data:ro");
        edit.container =
                ContainerBody.of(
                        container -> {
                            container.podName = "train-0-0";
                            container.shm = "8G";
                            container.runAs = "1000:100";
                            container.entrypoint = true;
                            container.pullPolicy = "if-not-present";
                            container.pullSecrets = List.of("lab", "007");
                            container.service = "nodeport";
                            container.stdin = true;
                            container.tty = false;
                            container.hostIpc = true;
                            container.hostNetwork = true;
                        });
        edit.retry = new RetryBody(-1, Map.of("205", "transient"));
        edit.origin = new OriginBody("openpai", "{\n  // \"é\"\n}\n", "ann~train");
        SpecBody spec = edit.body();
        assertEquals(spec, SpecFile.read("a", SpecYaml.of(spec)).getFirst().body());
    }

    private static RoleBody role(
            String name, List<String> command, Integer gpus, String gpu, String gpuMemory) {
        var role = new RoleBody.Edit();
        role.name = name;
        role.count = 2;
        role.command = command;
        role.gpus = gpus;
        role.gpu = gpu;
        role.gpuMemory = gpuMemory;
        role.gpuType = "H 200";
        role.cpus = 0;
        role.memory = "8G";
        role.minFailed = 1;
        role.minSucceeded = 0;
        role.ports = List.of("http", "data:8000:2");
        return role.body();
    }
}
