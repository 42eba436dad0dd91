package fairlead.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.testing.Eventually;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Logging in to the tasks of OpenPAI's jobs with real keys, on the real engine of this machine. */
class OpenPaiSshTest {
    private static final String JOBS = "/api/v1/user/ann/jobs";

    @TempDir static Path folder;
    private static Installation fairlead;
    private static Caller caller;

    @BeforeAll
    static void start() throws IOException {
        fairlead = Installation.withSettings(folder.resolve("home"), "gpus = 1", "stop-grace = 1s");
        caller = new Caller(fairlead);
        fairlead.run("server", "start").expect(0);
    }

    @AfterAll
    static void stop() {
        fairlead.close();
    }

    private static Caller.Reply call(String method, String path, String body) {
        return caller.call(method, path, body).orElseThrow();
    }

    private static void submit(String name, String... roles) {
        var reply =
                call(
                        "POST",
                        JOBS,
                        "{\"jobName\": \"%s\", \"image\": \"busybox\", \"taskRoles\": [%s]}"
                                .formatted(name, String.join(",", roles)));
        assertEquals(202, reply.status(), reply.body());
    }

    private static String role(String name, String command, String more) {
        return """
        {"name": "%s", "taskNumber": 1, "cpuNumber": 1, "memoryMB": 100, "gpuNumber": 0,
        "command": "%s"%s}\
        """
                .formatted(name, command, more);
    }

    private static String state(String name) {
        return call("GET", JOBS + "/" + name, null).field("state");
    }

    @Test
    void o77TheOwnerLogsInWithTheDownloadedKey() throws IOException {
        submit("open", role("main", "sleep 300", ""));
        Eventually.when(
                "an SSH server answers",
                () -> call("GET", JOBS + "/open/ssh", null).status() == 200);
        String port = call("GET", JOBS + "/open/ssh", null).field("sshPort");
        Path key = Files.createFile(folder.resolve("key"));
        Files.writeString(key, call("GET", JOBS + "/open/ssh/keyFiles/ann~open", null).body());
        String line =
                "chmod 400 %s; ssh -i %s -p %s -o StrictHostKeyChecking=no -o LogLevel=ERROR -o"
                    + " UserKnownHostsFile=/dev/null -o BatchMode=yes 127.0.0.1 'echo $SHLVL in'";
        var result = fairlead.type(line.formatted(key, key, port)).expect(0);
        assertTrue(result.out().strip().endsWith("in"), result.toString());
        assertEquals(202, call("DELETE", JOBS + "/open", null).status());
        Eventually.when("it is gone", () -> call("GET", JOBS + "/open", null).status() == 404);
        assertEquals(404, call("GET", JOBS + "/open/ssh/keyFiles/ann~open", null).status());
        assertTrue(fairlead.type(line.formatted(key, key, port)).code() != 0, "the door is shut");
    }

    @Test
    void o78ATaskLogsInToAnother() {
        String visit =
                "for i in $(seq 200); do ssh door-0 'exit 0' && exit 0; sleep 0.1; done; exit 1";
        submit(
                "pair",
                role("door", "sleep 300", ""),
                role("guest", visit, ", \"minSucceededTaskCount\": 1"));
        Eventually.when("it has ended", () -> !"WAITING RUNNING".contains(state("pair")));
        assertEquals("SUCCEEDED", state("pair"));
    }

    /** Programs that know nothing of us, in a folder that is the job's own. */
    @Test
    void o78MpiReachesTheTasksByTheirNames() {
        String visit =
                "for i in $(seq 200); do ssh door-0 true && break; sleep 0.1; done; mpirun"
                    + " --allow-run-as-root --oversubscribe -np 1 -H door-0 printenv"
                    + " PAI_CURRENT_TASK_ROLE_NAME >seen && sh -c 'scp seen door-0:$PWD/came' &&"
                    + " grep -x door came && pwd | grep /folders/";
        submit(
                "mpi",
                role("door", "sleep 300", ""),
                role("guest", visit, ", \"minSucceededTaskCount\": 1"));
        Eventually.when("it has ended", () -> !"WAITING RUNNING".contains(state("mpi")));
        assertEquals("SUCCEEDED", state("mpi"));
    }
}
