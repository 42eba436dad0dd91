package fairlead.dialects.runai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.spec.SpecBody;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What {@code runai submit} makes of its words; a line is split at blanks. */
class SubmitCommandTest {
    private static final String LEAST = "train -i image --command -- python3 train.py";

    @TempDir static Path folder;

    private static Surroundings here() {
        return new Surroundings(
                folder, "lab", Map.of("data", "/srv/data", "src", "/srv/src"), null, false, null);
    }

    private static Order order(String line) throws Misuse, Declined {
        return order(line, here());
    }

    private static Order order(String line, Surroundings here) throws Misuse, Declined {
        return Typed.order(line, here);
    }

    private static SpecBody spec(String line) throws Misuse, Declined {
        return order(line).spec(Set.of());
    }

    /** The least line with more flags before its command. */
    private static String with(String flags) {
        return LEAST.replace(" --command", " " + flags + " --command");
    }

    @Test
    void r15TheLeastLineIsATrainingJobWithoutGpusThatIsTriedAgainSixTimes() throws Exception {
        SpecBody spec = spec(LEAST);
        assertEquals("train", spec.name());
        assertEquals("lab", spec.project());
        assertEquals("image", spec.image());
        assertEquals(List.of("python3", "train.py"), spec.command());
        assertEquals("0", spec.gpu());
        assertEquals(6, spec.retries());
        assertNull(spec.interactive());
        assertNull(spec.workdir());
        assertEquals(Map.of(), spec.env());
        assertEquals(List.of(), order(LEAST).warnings());
    }

    @Test
    void r8r11WhatCanBeHonouredIsInTheSpec() throws Exception {
        SpecBody spec =
                spec(
                        with(
                                "-p vision --gpu 0.50 --cpu 1.5 --memory 512Mi -e A=1 -e B=x=y"
                                        + " -e TZ=CET --pvc data:/data -v code:/code:ro --port 8888"
                                        + " --working-dir sub --backoff-limit 2 --preemptible"));
        assertEquals("vision", spec.project());
        assertEquals("0.5", spec.gpu());
        assertEquals(2, spec.cpus());
        assertEquals("536870912", spec.memory());
        assertEquals(Map.of("TZ", "CET", "A", "1", "B", "x=y"), spec.env());
        assertEquals(List.of("/srv/data:/data", folder + "/code:/code:ro"), spec.mounts());
        assertEquals(List.of("8888:8888"), spec.ports());
        assertEquals(folder + "/sub", spec.workdir());
        assertEquals(2, spec.retries());
    }

    @Test
    void r14AnInteractiveJobIsNeverTriedAgain() throws Exception {
        SpecBody spec = spec(with("--interactive"));
        assertEquals(true, spec.interactive());
        assertEquals(0, spec.retries());
    }

    @ParameterizedTest
    @CsvSource({"100M,100M", "8G,8192M", "1.5Gi,1536M", "104857600,100M", "1T,1048576M"})
    void r9GpuMemoryIsCountedBy1024(String said, String meant) throws Exception {
        SpecBody spec = spec(with("--gpu-memory " + said));
        assertEquals(meant, spec.gpuMemory());
        assertNull(spec.gpu());
    }

    @ParameterizedTest
    @CsvSource({"8G,8000000000", "1Gi,1073741824", "2k,2000", "77,77"})
    void memoryIsCountedAsKubernetesDoes(String said, String meant) throws Exception {
        assertEquals(meant, spec(with("--memory " + said)).memory());
        assertEquals(meant, spec(with("--memory-limit " + said)).memory());
    }

    @Test
    void r3ANameIsFoundWhereNoneIsGiven() throws Exception {
        Order order = order("-i image --command -- true");
        assertEquals("job-0", order.spec(Set.of()).name());
        assertEquals("job-1", order.spec(Set.of("job-0", "job-2", "other")).name());
        assertEquals(
                "exp-2",
                order("-i image --job-name-prefix exp --command -- true")
                        .spec(Set.of("exp-0", "exp-1"))
                        .name());
    }

    @Test
    void r5ANameInUseIsDeclinedWithHowToFreeIt() throws Exception {
        var declined = assertThrows(Declined.class, () -> order(LEAST).spec(Set.of("train")));
        assertEquals(
                "the job 'train' already exists in project 'lab'; run 'runai delete train -p lab'"
                        + " to free its name",
                declined.getMessage());
    }

    @Test
    void r6r7AnImageAndAProjectAreNeeded() {
        assertTrue(
                assertThrows(Declined.class, () -> order("train --command -- true"))
                        .getMessage()
                        .startsWith("--image is missing"));
        var nowhere = new Surroundings(folder, null, Map.of(), null, false, null);
        assertTrue(
                assertThrows(Declined.class, () -> order(LEAST, nowhere))
                        .getMessage()
                        .contains("'runai config project NAME'"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--gpu 1 --gpu-memory 8G       | exclude each other",
                "--gpu 1 --mig 1g.5gb          | exclude each other",
                "--gpu-memory 8G --mig 1g.5gb  | exclude each other",
                "--mig 5g.1gb                  | must be one of 1g.5gb",
                "--mig 1g.5gb                  | use --gpu 0.5",
                "--gpu 1.5                     | whole GPUs",
                "--gpu half                    | must be a number",
                "--gpu -1                      | must be a number",
                "--gpu-memory 99M              | at least 100M",
                "--gpu-memory much             | must be a size",
                "--memory 8Q                   | must be a size",
                "--memory 8i                   | must be a size",
                "--name other                  | said twice",
                "--pvc data                    | existing:path",
                "--pvc :/data                  | existing:path",
                "--pvc data:data               | existing:path",
                "--pvc data:/data:rx           | existing:path",
                "--pvc a:b:c:d:e               | existing:path",
                "--pvc :5Gi:/data              | no storage can be made here",
                "--pvc fast:5Gi:/data          | no storage can be made here",
                "--pvc fast:5Gi:/data:ro       | no storage can be made here",
                "--pvc gone:/no/such/folder    | 'runai config pvc gone FOLDER'",
                "-v /data                      | host:container",
                "-v /data:/data:rx             | host:container",
                "-v a:b:c:d                    | host:container",
                "-e NAME                       | NAME=VALUE",
                "-e =x                         | NAME=VALUE",
                "--port http                   | NODE:CONTAINER",
                "-s nodeport                   | needs --port",
                "-s ingress --port 80:80       | say nodeport",
                "-s loadbalancer --port 80:80  | say nodeport",
                "-s other --port 80:80         | must be portforward",
                "--parallelism 2               | needs --completions",
                "--parallelism 2 --completions 2 | --array",
                "--interactive --parallelism 2 --completions 2 | exclude each other",
                "--interactive --preemptible   | exclude each other",
                "--backoff-limit -1            | whole number",
                "-t                            | --tty needs --stdin",
                "--inference                   | not possible here",
                "--node-type dgx               | --gpu-type",
                "--git-sync source=x           | git clone",
                "--template t                  | there are none",
                "word                          | one word too many",
            })
    void r3r9r10r14r15r16WhatCannotBeMeantIsTold(String flags, String message) {
        var misuse = assertThrows(Misuse.class, () -> order(with(flags)));
        assertTrue(misuse.getMessage().contains(message), misuse.getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "Train",
        "1train",
        "my_job",
        "-a",
        "a-",
        "a.b",
        "a23456789012345678901234567890123456789012345678x"
    })
    void r4ANameIsADnsLabel(String name) {
        var misuse = assertThrows(Misuse.class, () -> order(LEAST.replaceFirst("train", name)));
        assertTrue(misuse.getMessage().contains("DNS-1035"), misuse.getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "--large-shm",
        "--host-ipc",
        "--host-network",
        "--image-pull-policy Always",
        "--run-as-user",
        "--create-home-dir",
        "--ttl-after-finish 1h",
        "--elastic",
        "--stdin --tty",
        "--cpu 1 --cpu-limit 2",
        "--memory 1G --memory-limit 2G",
        "--interactive --backoff-limit 3",
        "-s portforward --port 80:80",
        "--pvc any:/tmp"
    })
    void r16WhatIsIgnoredIsToldInOneLine(String flags) throws Exception {
        List<String> warnings = order(with(flags)).warnings();
        assertEquals(1, warnings.size(), warnings.toString());
        assertTrue(warnings.getFirst().startsWith("--"), warnings.getFirst());
    }

    @Test
    void aClaimWhoseFolderIsAlreadyThereNeedsNoMountUnlessReadOnly() throws Exception {
        assertNull(spec(with("--pvc any:/tmp")).mounts());
        assertEquals(List.of("/tmp:/tmp:ro"), spec(with("--pvc any:/tmp:ro")).mounts());
    }

    @Test
    void r13TheCommandStandsAfterItsFlag() {
        assertThrows(Misuse.class, () -> order("train -i image -- true"));
        assertThrows(Misuse.class, () -> order("train -i image --command"));
        assertThrows(Misuse.class, () -> order("train -i image"));
    }

    private static Order oneText(String command) throws Misuse, Declined {
        var flags = Map.of("--image", List.of("image"), "--command", List.of(""));
        return SubmitCommand.read(flags, List.of("train"), List.of(command), here());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "python train.py --lr 0.1    | python;train.py;--lr;0.1",
                "true | true",
                "  sleep   8h  | sleep;8h",
                "sh -c 'cd /x && echo \"$HOME\"' | sh;-c;cd /x && echo \"$HOME\"",
                "echo \"it's here\" a' 'b ''  | echo;it's here;a b;",
                "echo a\\ b \"c\\\"d\\e\" '\\f'  | echo;a b;c\"d\\e;\\f",
            })
    void r13ACommandInOneTextIsSplitAsAShellDoes(String text, String words) throws Exception {
        assertEquals(List.of(words.split(";", -1)), oneText(text).spec(Set.of()).command());
    }

    @Test
    void aCommandInOneTextMustBeWhole() throws Exception {
        for (String bad : List.of("echo 'a b", "echo \"a b", "  ")) {
            assertThrows(Misuse.class, () -> oneText(bad), bad);
        }
        assertEquals(
                List.of("no shell reads the command; say --command -- bash -c 'COMMAND'"),
                oneText("cd /x && ls").warnings());
    }

    /** As the lab's newest scripts submit: the start script and its argument are one text. */
    @Test
    void r31r35TheLabsStartScriptInOneTextIsTheSameJob() throws Exception {
        String script = "/opt/lab/setup_and_run_command.sh";
        SpecBody one = oneText(script + " 'cd /data && python3 a.py'").spec(Set.of());
        var flags = Map.of("--image", List.of("image"), "--command", List.of(""));
        var two = List.of(script, "cd /data && python3 a.py");
        assertEquals(SubmitCommand.read(flags, List.of("train"), two, here()).spec(Set.of()), one);
        assertTrue(
                JobWords.commandLine(one).endsWith(" -- " + script + " 'cd /data && python3 a.py'"),
                JobWords.commandLine(one));
    }

    @Test
    void theLabsStartScriptIsWrappedAndToldAsItWas() throws Exception {
        Order order = order("train -i image --command -- /opt/lab/setup_and_run_command.sh pwd");
        assertEquals(1, order.warnings().size());
        SpecBody spec = order.spec(Set.of());
        assertEquals("sh", spec.command().getFirst());
        assertEquals(
                "runai submit train -p lab -i image --gpu 0 --command --"
                        + " /opt/lab/setup_and_run_command.sh pwd",
                JobWords.commandLine(spec));
    }

    @Test
    void howOftenAJobIsTriedAgainIsToldWhereItIsNotTheUsual() throws Exception {
        SpecBody twice = order("train -i image --backoff-limit 2 --command -- ls").spec(Set.of());
        assertEquals(
                "runai submit train -p lab -i image --gpu 0 --backoff-limit 2 --command -- ls",
                JobWords.commandLine(twice));
        SpecBody usual = order("train -i image --backoff-limit 6 --command -- ls").spec(Set.of());
        assertEquals(
                "runai submit train -p lab -i image --gpu 0 --command -- ls",
                JobWords.commandLine(usual));
    }

    @Test
    void r36TheLabsWaitingScriptIsWrappedAndToldAsItWas() throws Exception {
        Order order = order("train -i image --command -- /opt/lab/setup_and_wait.sh");
        assertTrue(order.warnings().getFirst().endsWith("waits for half an hour"));
        SpecBody spec = order.spec(Set.of());
        assertTrue(spec.command().get(2).endsWith("exec sleep 1800"));
        assertTrue(JobWords.commandLine(spec).endsWith(" -- /opt/lab/setup_and_wait.sh"));
    }

    @Test
    void aPodIsNamedAfterItsJobSoThatTheServerKeepsNamesApart() throws Exception {
        assertEquals("train-0-0", spec(LEAST).container().podName());
        assertEquals("job-0-0-0", spec("-i image --command -- true").container().podName());
    }

    @Test
    void oneMayAttachToAJobOfThisMachineToo() throws Exception {
        Order order = order(with("--stdin --attach"));
        assertTrue(order.attach());
        assertEquals(true, order.spec(Set.of()).container().stdin());
        assertEquals(List.of(), order.warnings());
    }

    @Test
    void aNotebookOfThisMachineIsForThisMachineAlone() throws Exception {
        SpecBody spec = spec("note --jupyter");
        assertEquals(
                List.of("jupyter", "lab", "--ip=127.0.0.1", "--port=8888", "--no-browser"),
                spec.command());
        assertEquals(List.of("8888:8888"), spec.ports());
        assertEquals(true, spec.interactive());
        assertEquals(0, spec.retries());
        assertEquals(List.of("mine"), spec("note --jupyter --command -- mine").command());
        assertEquals("own", spec("note --jupyter -i own").image());
    }
}
