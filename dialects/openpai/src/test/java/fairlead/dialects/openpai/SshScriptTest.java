package fairlead.dialects.openpai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/** The lines are run by a real bash, with a real SSH server where there is one. */
class SshScriptTest {
    private static final int SECONDS_MAX = 60;

    @TempDir Path folder;

    private record Ran(int code, String output) {}

    /** A task of the role main, which has one, and of a role that bash could not name. */
    private Ran run(String command, Map<String, String> more)
            throws IOException, InterruptedException {
        var role =
                new PaiTaskRole(
                        "main",
                        1,
                        1,
                        100,
                        64,
                        0,
                        List.of(),
                        command,
                        OptionalInt.of(1),
                        OptionalInt.empty());
        Path output = folder.resolve("output");
        var builder =
                new ProcessBuilder(StartCommand.words(role))
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile());
        String port = freePort();
        builder.environment().put("TMPDIR", folder.toString());
        builder.environment().put("PAI_JOB_TASK_ROLE_LIST", "main,a.b");
        builder.environment().put("PAI_TASK_ROLE_main_HOST_LIST", "127.0.0.1:1");
        builder.environment().put("PAI_TASK_ROLE_a.b_HOST_LIST", "10.0.0.1:1,10.0.0.2:2");
        builder.environment().put("PAI_main_0_ssh_PORT", port);
        builder.environment().put("PAI_a.b_1_ssh_PORT", "77,78");
        builder.environment().put("PAI_CONTAINER_SSH_PORT", port);
        builder.environment().put("PAI_CONTAINER_HOST_IP", "127.0.0.1");
        builder.environment().putAll(more);
        Process process = builder.start();
        try {
            assertTrue(process.waitFor(SECONDS_MAX, TimeUnit.SECONDS), "bash hangs");
        } finally {
            process.destroyForcibly();
        }
        return new Ran(
                process.exitValue(), Files.readString(output, StandardCharsets.UTF_8).strip());
    }

    private static String freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return Integer.toString(socket.getLocalPort());
        }
    }

    private Map<String, String> keys() throws IOException, InterruptedException {
        Path key = folder.resolve("made");
        Process keygen =
                new ProcessBuilder(
                                "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key.toString())
                        .inheritIO()
                        .start();
        assertEquals(0, keygen.waitFor());
        return SshScript.variables(
                Files.readString(Path.of(key + ".pub")).strip(), Files.readString(key).strip());
    }

    private boolean leftSomething() throws IOException {
        try (var files = Files.list(folder)) {
            return files.anyMatch(file -> file.getFileName().toString().startsWith("pai-ssh"));
        }
    }

    @Test
    void o78ATaskReachesAnotherByItsRoleAndIndex() throws IOException, InterruptedException {
        Map<String, String> keys = keys();
        // The server takes a moment to listen, as on any machine.
        Ran ran =
                run(
                        "for i in $(seq 100); do ssh main-0 'echo hello from $SSH_CONNECTION'"
                            + " 2>/dev/null && exit 5; sleep 0.1; done; cat $TMPDIR/pai-ssh*/log;"
                            + " exit 6",
                        keys);
        assertTrue(ran.output().startsWith("hello from 127.0.0.1"), ran.output());
        assertEquals(5, ran.code(), ran.output());
        assertTrue(!leftSomething(), "the folder of keys goes with the task");
    }

    @Test
    void o78TheConfigurationNamesEveryTaskWithItsFirstPort()
            throws IOException, InterruptedException {
        Ran ran = run("command ssh -F \"$FAIRLEAD_SSH_CONFIG\" -G a.b-1 | sort", keys());
        for (String line :
                List.of("hostname 10.0.0.2", "port 77", "identitiesonly yes", "loglevel ERROR"))
            assertTrue(ran.output().lines().anyMatch(line::equals), line + ran.output());
    }

    @Test
    void o79TheCommandSeesNoKeyAndNothingIsDoneWithoutOne()
            throws IOException, InterruptedException {
        Ran with = run("env | grep -c PRIVATE; echo ${FAIRLEAD_BEFORE-gone}", keys());
        assertTrue(with.output().endsWith("0\ngone"), with.output());
        Ran without = run("type -t ssh; ls $TMPDIR", Map.of());
        assertTrue(!without.output().contains("pai-ssh"), without.output());
        assertTrue(!without.output().contains("function"), without.output());
    }

    @Test
    void o79WithoutOpenSshThereIsAWarningAndTheCommandRuns()
            throws IOException, InterruptedException {
        Map<String, String> keys = new HashMap<>(keys());
        keys.put("PATH", folder.toString());
        Ran ran = run("echo runs; exit 3", keys);
        assertEquals(
                new Ran(
                        3,
                        "warning: there is no OpenSSH here, so nobody can log in to this task\n"
                                + "runs"),
                ran);
    }
}
