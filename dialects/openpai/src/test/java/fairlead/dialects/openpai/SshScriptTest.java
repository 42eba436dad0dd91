package fairlead.dialects.openpai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The lines are run by a real bash, with a real SSH server where there is one. */
class SshScriptTest {
    private static final int SECONDS_MAX = 60;

    /** As the engine does it: what the command leaves in its process group ends with it. */
    private static final String AROUND = "code=$1; shift; \"$@\"; echo $? >\"$code\"; kill -KILL 0";

    /** The server takes a moment to listen, as on any machine. */
    private static final String AWAIT =
            "for i in $(seq 200); do ssh main-0 true 2>/dev/null && break; sleep 0.1; done; ";

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
        Path code = folder.resolve("code");
        var words = new ArrayList<>(List.of("setsid", "-w", "/bin/bash", "-c", AROUND, "bash"));
        words.add(code.toString());
        words.addAll(StartCommand.words(role));
        var builder =
                new ProcessBuilder(words)
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
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        return new Ran(
                Integer.parseInt(Files.readString(code).strip()),
                Files.readString(output, StandardCharsets.UTF_8).strip());
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
        return new HashMap<>(
                SshScript.variables(
                        Files.readString(Path.of(key + ".pub")).strip(),
                        Files.readString(key).strip()));
    }

    /** The keys, and a folder of the engine's for the task. */
    private Map<String, String> inFolder() throws IOException, InterruptedException {
        Map<String, String> keys = keys();
        keys.put("FAIRLEAD_TASK_FOLDER", Files.createDirectory(folder.resolve("task")).toString());
        return keys;
    }

    @Test
    void o78ATaskReachesAnotherByItsRoleAndIndex() throws IOException, InterruptedException {
        Ran ran = run(AWAIT + "ssh main-0 'echo hello from $SSH_CONNECTION'; exit 5", inFolder());
        assertTrue(ran.output().startsWith("hello from 127.0.0.1"), ran.output());
        assertEquals(5, ran.code(), ran.output());
    }

    @Test
    void o78SoDoesEveryProgramThatLooksForSshInThePath() throws IOException, InterruptedException {
        var ways =
                List.of(
                        "sh -c 'ssh main-0 echo shell'",
                        "env ssh main-0 echo program",
                        "python3 -c 'import subprocess as s; s.run([\"ssh\", \"main-0\", \"echo"
                                + " python\"])'",
                        "ssh main-0 ssh main-0 echo twice",
                        "echo copied >a; scp -q a main-0:$PWD/b; cat b",
                        "echo \"put a $PWD/c\" | sftp -q -b - main-0 >/dev/null; cat c");
        assertEquals(
                new Ran(0, "shell\nprogram\npython\ntwice\ncopied\ncopied"),
                run(AWAIT + String.join("; ", ways), inFolder()));
    }

    /** Only root has a mount namespace that takes nothing away from it. */
    @Test
    void o78AndWhoCallsItByItsFullPathAsRoot() throws IOException, InterruptedException {
        assumeTrue(Integer.valueOf(0).equals(Files.getAttribute(folder, "unix:uid")), "not root");
        String machine = Files.readString(Path.of("/etc/ssh/ssh_config"));
        Ran ran = run(AWAIT + "/usr/bin/ssh main-0 echo came", inFolder());
        assertEquals(new Ran(0, "came"), ran);
        assertEquals(machine, Files.readString(Path.of("/etc/ssh/ssh_config")), "is untouched");
    }

    @Test
    void o78WhoLogsInHasTheVariablesOfTheTask() throws IOException, InterruptedException {
        Map<String, String> keys = inFolder();
        keys.put("PAI_JOB_NAME", "it's \"quoted\"\n$HOME");
        keys.put("HOME", "/nowhere");
        Ran ran =
                run(
                        AWAIT
                                + "ssh main-0 'printenv PAI_a.b_1_ssh_PORT PAI_JOB_NAME HOME; env |"
                                + " grep -c PRIVATE'",
                        keys);
        List<String> lines = ran.output().lines().toList();
        assertEquals(List.of("77,78", "it's \"quoted\"", "$HOME"), lines.subList(0, 3));
        assertFalse(lines.contains("/nowhere"), "a login has its own home");
        assertEquals("0", lines.getLast());
    }

    @Test
    void o78TheConfigurationNamesEveryTaskWithItsFirstPort()
            throws IOException, InterruptedException {
        Ran ran = run("ssh -F \"$FAIRLEAD_SSH_CONFIG\" -G a.b-1 | sort", inFolder());
        for (String line :
                List.of("hostname 10.0.0.2", "port 77", "identitiesonly yes", "loglevel ERROR"))
            assertTrue(ran.output().lines().anyMatch(line::equals), line + ran.output());
    }

    @Test
    void o78OtherHostsAreReachedAsEver() throws IOException, InterruptedException {
        Ran ran =
                run(
                        "ssh -G git.example.com | grep -E '^(identit|stricthost|userknown)'",
                        inFolder());
        assertFalse(ran.output().contains(folder.toString()), ran.output());
        assertFalse(ran.output().contains("/dev/null"), ran.output());
        assertTrue(ran.output().contains("identitiesonly no"), ran.output());
    }

    @Test
    void o79TheCommandSeesNoKeyAndNothingIsDoneWithoutOne()
            throws IOException, InterruptedException {
        Ran with = run("env | grep -c PRIVATE; echo ${FAIRLEAD_BEFORE-gone}", inFolder());
        assertTrue(with.output().endsWith("0\ngone"), with.output());
        Ran without = run("type -P ssh; ls $TMPDIR", Map.of());
        assertFalse(without.output().contains("pai-ssh"), without.output());
        assertFalse(without.output().contains("/bin/ssh\n" + folder), without.output());
    }

    @Test
    void o79AllFilesAreInTheFolderOfTheEngine() throws IOException, InterruptedException {
        run("true", inFolder());
        try (var files = Files.list(folder)) {
            assertEquals(
                    Set.of("task", "made", "made.pub", "output", "code"),
                    Set.copyOf(files.map(file -> file.getFileName().toString()).toList()));
        }
        assertTrue(Files.exists(folder.resolve("task/key")));
    }

    @Test
    void o79WithoutOpenSshTheCommandRunsAndItsLogIsItsOwn()
            throws IOException, InterruptedException {
        Map<String, String> keys = inFolder();
        // What stands around the command is looked for before this PATH counts.
        Path path = Files.writeString(folder.resolve("path"), "PATH=" + folder);
        keys.put("BASH_ENV", path.toString());
        assertEquals(new Ran(3, "runs"), run("echo runs; exit 3", keys));
    }

    @ParameterizedTest
    @CsvSource({"'set -e; echo hi', 0, hi", "'set -e; exit 205', 205,", "'set -e; false', 1,"})
    void aCommandThatStopsAtErrorsKeepsItsExitCodeWhereNoServerCanStart(
            String command, int code, String output) throws IOException, InterruptedException {
        Path bin = Files.createDirectory(folder.resolve("bin"));
        Path keygen = Files.writeString(bin.resolve("ssh-keygen"), "#!/bin/sh\nexit 1\n");
        Files.setPosixFilePermissions(keygen, PosixFilePermissions.fromString("rwxr-xr-x"));
        Map<String, String> keys = inFolder();
        keys.put("PATH", bin + ":" + System.getenv("PATH"));
        assertEquals(new Ran(code, output == null ? "" : output), run(command, keys));
    }

    @Test
    void aCommandThatWaitsForItsChildrenDoesNotWaitForTheServer()
            throws IOException, InterruptedException {
        assertEquals(new Ran(0, "done"), run("true & wait; echo done", inFolder()));
    }
}
