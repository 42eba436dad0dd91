package fairlead.engines.local.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.engines.local.CrashingServer;
import fairlead.engines.local.container.ContainerProgram;
import fairlead.engines.local.linux.Accounts;
import fairlead.job.AttemptId;
import fairlead.job.Container;
import fairlead.job.JobSpec;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.job.TaskId;
import fairlead.testing.Eventually;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** The words for programs and devices that the test machine may not have. */
class ContainerRunTest {
    private static final ContainerProgram PODMAN =
            new ContainerProgram("/usr/bin/podman", "podman version 4.3.1");
    private static final ContainerProgram DOCKER =
            new ContainerProgram("/usr/bin/docker", "Docker version 28.2.2, build e6534b4");
    private static final Accounts.Account ANN =
            new Accounts.Account("ann", 1000, 1001, "/home/ann", "/bin/bash");

    private static List<String> words(
            ContainerProgram program, List<Integer> gpus, Map<String, String> variables) {
        return run(program, gpus, Optional.empty(), variables, spec("", List.of(), Map.of()))
                .command("/h/1.main-0.cid", "/h/1.main-0.env");
    }

    private static ContainerRun run(
            ContainerProgram program,
            List<Integer> gpus,
            Optional<Accounts.Account> account,
            Map<String, String> variables,
            JobSpec spec) {
        return new ContainerRun(
                program,
                new AttemptId(CrashingServer.job(1), 2),
                new TaskId(Role.MAIN, 0),
                "engine/mark",
                spec,
                "gpu-box",
                gpus,
                account,
                variables,
                Optional.empty(),
                false);
    }

    private static JobSpec spec(
            String folder, List<Container.Mount> mounts, Map<String, String> variables) {
        return spec("lab/torch:2", folder, mounts, variables);
    }

    private static JobSpec spec(
            String image,
            String folder,
            List<Container.Mount> mounts,
            Map<String, String> variables) {
        var role =
                new Role(
                        Role.MAIN,
                        1,
                        List.of("python", "train.py"),
                        new Resources(0, 4, 8L << 30),
                        OptionalInt.empty(),
                        OptionalInt.empty());
        var spec = new JobSpec.Edit();
        spec.name = "a";
        spec.cluster = "local";
        spec.project = "default";
        spec.roles = List.of(role);
        spec.environment = variables;
        spec.workingFolder = folder;
        spec.container = new Container(Optional.of(image), mounts, List.of());
        return spec.spec();
    }

    @Test
    void everyProgramIsAskedInTheSameWords() {
        var words = words(DOCKER, List.of(), Map.of());
        assertEquals(
                List.of(
                        "/usr/bin/docker",
                        "run",
                        "--rm",
                        "--init",
                        "--network=host",
                        "--name=fairlead-crash_1_00000001-2-main-0",
                        "--cidfile=/h/1.main-0.cid",
                        "--log-driver=none",
                        "--stop-timeout=0",
                        "--label=fairlead.job=crash_1_00000001",
                        "--label=fairlead.attempt=2",
                        "--label=fairlead.task=main/0",
                        "--label=fairlead.mark=engine/mark",
                        "--cpus=4",
                        "--memory=8589934592b",
                        "--env-file=/h/1.main-0.env",
                        "--pull=missing",
                        "--entrypoint=",
                        "lab/torch:2",
                        "python",
                        "train.py"),
                words.subList(6, words.size()));
        var others = words(PODMAN, List.of(), Map.of());
        assertEquals(words.subList(7, words.size()), others.subList(7, others.size()));
    }

    /**
     * Podman answers 0 to a signal that comes before the command has begun, as it does where the
     * command has obeyed it and ended well.
     */
    @ParameterizedTest
    @CsvSource({"false, false, 143", "true, true, 143", "true, false, 0"})
    void aTaskThatIsStoppedBeforeItsCommandBeginsHasNotSucceeded(
            boolean isMade, boolean isLeft, int code, @TempDir Path folder) throws Exception {
        Path program = folder.resolve("podman");
        Path id = folder.resolve("cid");
        Path left = folder.resolve("left");
        Files.writeString(
                program,
                """
                #!/bin/sh
                case $1 in
                run) trap 'exit 0' TERM; echo ready; while :; do sleep 0.02; done ;;
                ps) cat %1$s 2>/dev/null; true ;;
                rm) rm -f %1$s ;;
                esac
                """
                        .formatted(left));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        if (isMade) Files.writeString(id, "abc");
        if (isLeft) Files.writeString(left, "abc");
        var run =
                run(
                        new ContainerProgram(program.toString(), "podman version 4.3.1"),
                        List.of(),
                        Optional.empty(),
                        Map.of(),
                        spec("", List.of(), Map.of()));
        Process task =
                new ProcessBuilder(run.command(id.toString(), "/none"))
                        .redirectErrorStream(true)
                        .start();
        try (var out = task.inputReader()) {
            assertEquals("ready", out.readLine());
            task.toHandle().descendants().forEach(ProcessHandle::destroy);
            task.toHandle().destroy();
            Eventually.when("it has ended", () -> !task.isAlive());
            assertEquals(code, task.exitValue());
            assertFalse(Files.exists(left));
        } finally {
            task.toHandle().descendants().forEach(ProcessHandle::destroyForcibly);
            task.destroyForcibly();
        }
    }

    @Test
    void o17EachProgramIsToldWhereTheLoginOfThisTaskIs() {
        for (ContainerProgram program : List.of(PODMAN, DOCKER)) {
            var plain =
                    run(
                            program,
                            List.of(),
                            Optional.empty(),
                            Map.of(),
                            spec("", List.of(), Map.of()));
            var words =
                    new ContainerRun(
                                    program,
                                    plain.attempt(),
                                    plain.task(),
                                    plain.mark(),
                                    plain.spec(),
                                    plain.host(),
                                    plain.gpus(),
                                    plain.account(),
                                    plain.variables(),
                                    Optional.of(Path.of("/h/1.main-0.login")),
                                    false)
                            .command("/h/1.main-0.cid", "/h/1.main-0.env");
            int run = words.indexOf("run");
            // An option of docker itself, and one of podman's run.
            if (program == DOCKER) assertEquals("--config=/h/1.main-0.login", words.get(run - 1));
            else
                assertTrue(
                        words.subList(run, words.size())
                                .contains("--authfile=/h/1.main-0.login/config.json"),
                        words.toString());
        }
    }

    @Test
    void gpusAreNamedAsEachProgramWants() {
        assertTrue(words(DOCKER, List.of(2, 3), Map.of()).contains("--gpus=\"device=2,3\""));
        var words = words(PODMAN, List.of(2, 3), Map.of());
        assertTrue(words.contains("--device=nvidia.com/gpu=2"), words.toString());
        assertTrue(words.contains("--device=nvidia.com/gpu=3"), words.toString());
    }

    /** The runtime hands in only these, so that CUDA numbers them anew. */
    @Test
    void insideTheContainerTheGpusCountFromZero() {
        var given = Map.of("CUDA_VISIBLE_DEVICES", "2,3", "NVIDIA_VISIBLE_DEVICES", "2,3");
        var spec = spec("", List.of(), Map.of());
        var text = run(PODMAN, List.of(2, 3), Optional.empty(), given, spec).fileText();
        assertTrue(text.contains("CUDA_VISIBLE_DEVICES=0,1\n"), text);
        assertTrue(text.contains("NVIDIA_VISIBLE_DEVICES=2,3\n"), text);
        text = run(PODMAN, List.of(), Optional.empty(), given, spec).fileText();
        assertTrue(text.contains("CUDA_VISIBLE_DEVICES=2,3\n"), "declared ones have no device");
    }

    @Test
    void o34AJobOfOpenPaiHasItsNameAndLabels() {
        var variables = new LinkedHashMap<String, String>();
        variables.put("PAI_CONTAINER_ID", "c_1");
        variables.put("PAI_JOB_NAME", "mnist~a");
        variables.put("PAI_JOB_VC_NAME", "default");
        variables.put("PAI_USER_NAME", "ann");
        variables.put("PAI_CURRENT_TASK_ROLE_NAME", "worker");
        var words = words(DOCKER, List.of(0, 1), variables);
        assertTrue(words.contains("--name=ann-mnist-a-c_1"), words.toString());
        for (String label :
                List.of(
                        "GPU_ID=0,1",
                        "PAI_HOSTNAME=gpu-box",
                        "PAI_JOB_NAME=mnist~a",
                        "PAI_JOB_VC_NAME=default",
                        "PAI_USER_NAME=ann",
                        "PAI_CURRENT_TASK_ROLE_NAME=worker"))
            assertTrue(words.contains("--label=" + label), label);
    }

    @Test
    void valuesThatAFileCannotHoldGoBesideItAndAreNotSeenInTheWords() {
        var values = Map.of("A", "plain", "B", "two\nlines", "C", "\"quoted\"");
        var run = run(PODMAN, List.of(), Optional.empty(), Map.of(), spec("", List.of(), values));
        assertEquals("A=plain\nFAIRLEAD_MARK=engine/mark\n", run.fileText());
        assertEquals(Map.of("B", "two\nlines", "C", "\"quoted\""), run.beside());
        var words = run.command("i", "e");
        assertTrue(words.contains("--env=B") && words.contains("--env=C"), words.toString());
        assertFalse(words.contains("--env=A"));
    }

    @Test
    void anotherAccountIsItselfInsideAndCannotBecomeRoot() {
        var run = run(DOCKER, List.of(), Optional.of(ANN), Map.of(), spec("", List.of(), Map.of()));
        var words = run.command("i", "e");
        assertTrue(words.contains("--user=1000:1001"), words.toString());
        assertTrue(words.contains("--security-opt=no-new-privileges"), words.toString());
    }

    /** What runs containers is root, and would show an account what it may not see. */
    @Test
    void anotherAccountHasNoFoldersOfTheMachineAndNoVariablesThatSteerTheProgram() {
        var ann = Optional.of(ANN);
        var mount = new Container.Mount("/secret", "/data", true);
        assertEquals(Optional.empty(), ContainerRun.refusal(spec("", List.of(), Map.of()), ann));
        for (var spec :
                List.of(
                        spec("", List.of(mount), Map.of()),
                        spec("/secret", List.of(), Map.of()),
                        spec("", List.of(), Map.of("LD_PRELOAD", "/tmp/own.so:\n")))) {
            assertTrue(ContainerRun.refusal(spec, ann).isPresent(), spec.toString());
            assertEquals(Optional.empty(), ContainerRun.refusal(spec, Optional.empty()));
        }
    }

    @Test
    void nothingThatAJobSaysBecomesAnOptionOfTheProgram() {
        var none = Optional.<Accounts.Account>empty();
        var image = spec("--privileged", "", List.of(), Map.of());
        assertTrue(ContainerRun.refusal(image, none).orElseThrow().contains("--privileged"));
        for (String path : List.of("/a,readonly", "/a,source=/")) {
            var mount = new Container.Mount(path, "/data", true);
            var target = new Container.Mount("/a", path, true);
            for (var spec :
                    List.of(
                            spec("", List.of(mount), Map.of()),
                            spec("", List.of(target), Map.of()),
                            spec(path, List.of(), Map.of())))
                assertTrue(ContainerRun.refusal(spec, none).orElseThrow().contains("comma"));
        }
    }
}
