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
import java.util.Map;

/** Jobs of OpenPAI as real processes. */
class OpenPaiTest {
    /** Adds up what it is sent, and never ends by itself. */
    private static final String SERVER =
            """
            import os, socket
            listener = socket.create_server(("127.0.0.1", int(os.environ["PAI_CONTAINER_HOST_PORT"])))
            open("server%s.pid" % os.environ["PAI_TASK_INDEX"], "w").write(str(os.getpid()))
            while True:
                connection, _ = listener.accept()
                with connection, connection.makefile("rw") as line:
                    word = line.readline().strip()
                    line.write("server %s heard %s\\n" % (os.environ["PAI_TASK_INDEX"], word))
                    line.flush()
            """;

    /** Speaks with every server; those may begin later than it does. */
    private static final String WORKER =
            """
            import os, socket, time
            hosts = os.environ["PAI_TASK_ROLE_ps.server_HOST_LIST"].split(",")
            assert len(hosts) == 2, hosts
            for address in hosts:
                host, port = address.split(":")
                for round in range(300):
                    try:
                        connection = socket.create_connection((host, int(port)))
                        break
                    except ConnectionRefusedError:
                        time.sleep(0.1)
                with connection, connection.makefile("rw") as line:
                    line.write("worker %s\\n" % os.environ["PAI_TASK_INDEX"])
                    line.flush()
                    print(line.readline(), end="", flush=True)
            """;

    @TempDir static Path folder;
    private static Installation fairlead;
    private static Path work;

    @BeforeAll
    static void start() throws IOException {
        fairlead = Installation.withSettings(folder.resolve("home"), "gpus = 1", "stop-grace = 1s");
        // Four tasks want four CPUs, which not every machine has.
        fairlead.startBareServer(Map.of("JDK_JAVA_OPTIONS", "-XX:ActiveProcessorCount=8"));
        work = Files.createDirectories(folder.resolve("work"));
        Files.writeString(work.resolve("server.py"), SERVER);
        Files.writeString(work.resolve("worker.py"), WORKER);
    }

    @AfterAll
    static void stop() {
        fairlead.close();
    }

    private static Installation.Result type(String line) {
        return fairlead.type(
                "PATH=\"%s:$PATH\"; export PATH; cd '%s'; %s"
                        .formatted(Installation.root().resolve("bin"), work, line));
    }

    private static void file(String name, String text) throws IOException {
        Files.writeString(work.resolve(name), text);
    }

    private static String role(String name, int tasks, String command, String rest) {
        return """
        {"name": "%s", "taskNumber": %d, "cpuNumber": 1, "memoryMB": 128, "gpuNumber": 0,
         "command": "%s"%s}\
        """
                .formatted(name, tasks, command, rest);
    }

    /** The name of the role has a dot, as OpenPAI allows and shells do not. */
    @Test
    void o29And43ServersAndWorkersMeetAndTheServersAreStoppedWhenTheWorkersAreDone()
            throws IOException {
        file(
                "dist.json",
                """
                {
                  // Found by their variables alone.
                  "jobName": "dist", "image": "python:3.12",
                  "taskRoles": [
                %s,
                %s]
                }
                """
                        .formatted(
                                role("ps.server", 2, "exec python3 server.py", ""),
                                role(
                                        "worker",
                                        2,
                                        "python3 worker.py && echo done in $PAI_WORK_DIR",
                                        ", \"minSucceededTaskCount\": 2")));
        String id = type("fairlead submit -f dist.json").expect(0).out().strip();
        type("fairlead wait " + id).expect(0);
        for (int worker = 0; worker < 2; worker++) {
            assertEquals(
                    """
                    server 0 heard worker %1$d
                    server 1 heard worker %1$d
                    done in %2$s
                    """
                            .formatted(worker, work),
                    OpenPaiTasksTest.log(type("fairlead logs --task worker/" + worker + " " + id)));
        }
        for (int server = 0; server < 2; server++) {
            String pid = Files.readString(work.resolve("server" + server + ".pid"));
            assertTrue(!Installation.isAlive(pid), "server " + server + " still runs");
        }
        String told = type("fairlead describe " + id).expect(0).out();
        assertTrue(told.contains("ps.server/1"), told);
        assertTrue(told.contains("143"), told);
    }

    @Test
    void o28RunningTasksShowTheirPorts() throws IOException {
        file(
                "idle.json",
                "{\"jobName\": \"idle\", \"image\": \"i\", \"taskRoles\": [%s]}"
                        .formatted(role("main", 1, "sleep 600", "")));
        String id = type("fairlead submit --openpai idle.json").expect(0).out().strip();
        Eventually.when(
                "its ports are shown",
                () -> type("fairlead describe " + id).out().matches("(?s).*http:\\d+ ssh:\\d+.*"));
        String listed = type("fairlead list --tasks").expect(0).out();
        assertTrue(listed.matches("(?s).*main/0 .* http:\\d+ ssh:\\d+.*"), listed);
        type("fairlead abort " + id).expect(0);
    }

    @Test
    void o37AndO50AFailedJobIsTriedAgainAndKeepsItsExitCode() throws IOException {
        file(
                "again.json",
                "{\"jobName\": \"again\", \"image\": \"i\", \"retryCount\": 1, \"taskRoles\": [%s]}"
                        .formatted(role("main", 1, "echo try >> tries; exit 7", "")));
        String id = type("fairlead submit -f again.json").expect(0).out().strip();
        type("fairlead wait " + id).expect(1);
        assertEquals("try\ntry\n", Files.readString(work.resolve("tries")));
        assertTrue(type("fairlead describe " + id).out().contains("exit code 7"));
    }

    @Test
    void o15AMistakeIsToldWithItsLine() throws IOException {
        file("bad.json", "{\n  \"jobName\": \"a\",\n  \"image\": \"i\",\n  \"extra\": 1\n}\n");
        var result = type("fairlead submit -f bad.json");
        assertEquals(2, result.code(), result.err());
        assertTrue(result.err().contains("bad.json:"), result.err());
    }
}
