package fairlead.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.testing.Eventually;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What the tasks of one OpenPAI job find around them, items O18 to O35: the job is submitted by
 * HTTP, runs as real processes, and each task writes its variables into its log.
 */
class OpenPaiTasksTest {
    private static final String JOBS = "/api/v1/user/ann/jobs";
    private static final List<String> TASKS = List.of("ps/0", "worker/0", "worker/1");

    private static final String JOB =
            """
            {"jobName": "train", "image": "i", "dataDir": "$PAI_DEFAULT_FS_URI/$PAI_USERNAME/d",
             "codeDir": "$PAI_DEFAULT_FS_URI/$PAI_USER_NAME/$PAI_JOB_NAME/code",
             "taskRoles": [
               {"name": "ps", "taskNumber": 1, "cpuNumber": 2, "memoryMB": 300, "shmMB": 80,
                "gpuNumber": 0, "command": "env && cat code/hello", "minFailedTaskCount": null,
                "portList": [{"label": "any", "portNumber": 2},
                             {"label": "web", "beginAt": 28000, "portNumber": 2}]},
               {"name": "worker", "taskNumber": 2, "cpuNumber": 1, "memoryMB": 500,
                "gpuNumber": 1, "command": "env; [ $PAI_TASK_INDEX = 0 ] && cd / && exit 3; true",
                "minFailedTaskCount": 2, "portList": [{"label": "http", "portNumber": 2}]}],
             "jobEnvs": {"batch": 32, "dollar": "$HOME", "quotes": "it's \\"x\\""}}
            """;

    @TempDir static Path folder;
    private static Installation fairlead;
    private static Caller caller;
    private static String status;
    private static final Map<String, Map<String, String>> VARIABLES = new HashMap<>();
    private static final Map<String, String> LOGS = new HashMap<>();

    @BeforeAll
    static void run() throws IOException {
        fairlead = Installation.withSettings(folder.resolve("home"), "gpus = 2", "stop-grace = 1s");
        caller = new Caller(fairlead);
        // The tasks want four CPUs, which not every machine has.
        fairlead.startBareServer(Map.of("JDK_JAVA_OPTIONS", "-XX:ActiveProcessorCount=8"));
        Path code = folder.resolve("home/files/ann/train/code");
        Files.createDirectories(code);
        Files.writeString(code.resolve("hello"), "hello from the code\n");
        var reply = caller.call("POST", JOBS, JOB).orElseThrow();
        assertEquals(202, reply.status(), reply.body());
        Eventually.when("it has ended", () -> !"WAITING RUNNING".contains(show().field("state")));
        status = show().body();
        String page = show().field("appTrackingUrl");
        String id = page.substring(page.lastIndexOf('/') + 1);
        for (String task : TASKS) {
            String log = log(fairlead.run("logs", "--task", task, id));
            LOGS.put(task, log);
            var variables = new TreeMap<String, String>();
            for (String line : log.lines().toList()) {
                int sign = line.indexOf('=');
                if (sign > 0) variables.put(line.substring(0, sign), line.substring(sign + 1));
            }
            VARIABLES.put(task, variables);
        }
    }

    @AfterAll
    static void stop() {
        fairlead.close();
    }

    private static Caller.Reply show() {
        return caller.call("GET", JOBS + "/train", null).orElseThrow();
    }

    private static String of(String task, String name) {
        return VARIABLES.get(task).get(name);
    }

    private static String files() {
        return "file:" + folder.resolve("home/files");
    }

    @ParameterizedTest(name = "{0}: {1} of {2}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    O18 | PAI_DATA_DIR | worker/0 | FS/ann/d
                    O18 | PAI_CODE_DIR | worker/0 | FS/ann/train/code
                    O19 | PAI_OUTPUT_DIR | worker/0 | FS/Output/train
                    O22 | PAI_DATA_DIR | ps/0 | FS/ann/d
                    O23 | PAI_DEFAULT_FS_URI | ps/0 | FS
                    O23 | PAI_USER_NAME | ps/0 | ann
                    O23 | PAI_CURRENT_TASK_ROLE_NAME | worker/1 | worker
                    O23 | PAI_CURRENT_TASK_ROLE_TASK_COUNT | worker/1 | 2
                    O23 | PAI_CURRENT_TASK_ROLE_CPU_COUNT | ps/0 | 2
                    O23 | PAI_CURRENT_TASK_ROLE_MEM_MB | ps/0 | 300
                    O23 | PAI_CURRENT_TASK_ROLE_SHM_MB | ps/0 | 80
                    O23 | PAI_CURRENT_TASK_ROLE_SHM_MB | worker/0 | 64
                    O23 | PAI_CURRENT_TASK_ROLE_GPU_COUNT | worker/0 | 1
                    O23 | PAI_CURRENT_TASK_ROLE_MIN_FAILED_TASK_COUNT | worker/0 | 2
                    O23 | PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX | worker/1 | 1
                    O23 | PAI_JOB_TASK_COUNT | ps/0 | 3
                    O23 | PAI_JOB_TASK_ROLE_COUNT | ps/0 | 2
                    O23 | PAI_JOB_TASK_ROLE_LIST | ps/0 | ps,worker
                    O23 | PAI_CONTAINER_HOST_IP | ps/0 | 127.0.0.1
                    O23 | PAI_CONTAINER_HOST_web_PORT_LIST | ps/0 | 28000,28001
                    O24 | PAI_JOB_NAME | ps/0 | train
                    O24 | FRAMEWORK_NAME | ps/0 | ann~train
                    O25 | PAI_JOB_VC_NAME | ps/0 | default
                    O26 | PAI_CURRENT_TASK_ROLE_MIN_FAILED_TASK_COUNT | ps/0 | EMPTY
                    O26 | PAI_CURRENT_TASK_ROLE_MIN_SUCCEEDED_TASK_COUNT | ps/0 | EMPTY
                    O30 | PAI_ps_0_web_PORT | worker/1 | 28000,28001
                    O31 | HADOOP_USER_NAME | ps/0 | ann
                    O31 | PAI_TASK_INDEX | worker/1 | 1
                    O32 | PAI_USERNAME | ps/0 | ann
                    O32 | PAI_TASK_ROLE_NAME | ps/0 | ps
                    O32 | PAI_TASK_ROLE_NUM | worker/0 | 2
                    O32 | PAI_TASK_ROLE_INDEX | worker/1 | 1
                    O32 | PAI_TASK_CPU_NUM | ps/0 | 2
                    O32 | PAI_TASK_MEM_MB | ps/0 | 300
                    O32 | PAI_TASK_GPU_NUM | worker/0 | 1
                    O32 | PAI_TASKS_NUM | ps/0 | 3
                    O32 | PAI_TASK_ROLES_NUM | ps/0 | 2
                    O32 | PAI_TASK_ROLE_LIST | ps/0 | ps,worker
                    O14 | batch | ps/0 | 32
                    O14 | dollar | ps/0 | $HOME
                    O14 | quotes | ps/0 | it's "x"
                    """)
    void o18ToO32AVariableIsTold(String item, String name, String task, String value) {
        String meant = value.equals("EMPTY") ? "" : value.replace("FS", files());
        assertEquals(meant, of(task, name), item);
    }

    @Test
    void o21TheCodeIsFoundUnderItsLastNameInTheWorkingDirectory() {
        assertTrue(LOGS.get("ps/0").endsWith("hello from the code\n"), LOGS.get("ps/0"));
    }

    @Test
    void o20AnEmptyCodeDirEndsTheTaskWithOne() throws IOException {
        Files.createDirectories(folder.resolve("home/files/empty"));
        String file =
                """
                {"jobName": "empty", "image": "i", "codeDir": "$PAI_DEFAULT_FS_URI/empty",
                 "taskRoles": [{"name": "main", "taskNumber": 1, "cpuNumber": 1, "memoryMB": 100,
                 "gpuNumber": 0, "command": "true"}]}
                """;
        assertEquals(202, caller.call("POST", JOBS, file).orElseThrow().status());
        Eventually.when(
                "it has failed",
                () ->
                        caller.call("GET", JOBS + "/empty", null)
                                .orElseThrow()
                                .body()
                                .contains("\"containerExitCode\":1}"));
    }

    @Test
    void o27FixedRangesComeFirstAndEveryLabelEndsWithASemicolon() {
        String list = of("ps/0", "PAI_CONTAINER_HOST_PORT_LIST");
        assertTrue(list.matches("web:28000,28001;any:\\d+,\\d+;http:\\d+;ssh:\\d+;"), list);
    }

    @Test
    void o28EveryTaskHasAPortForHttpAndOneForSshAndNoneTwice() {
        var seen = new HashMap<String, String>();
        for (String task : TASKS) {
            String list = of(task, "PAI_CONTAINER_HOST_PORT_LIST");
            assertTrue(list.contains("http:") && list.contains("ssh:"), list);
            var number = Pattern.compile("\\d+").matcher(list);
            while (number.find()) assertEquals(null, seen.put(number.group(), task), list);
        }
    }

    @Test
    void o29And33EveryTaskKnowsAllHostsFromItsStartInTheOrderOfTheirIndex() {
        String list =
                "127.0.0.1:%s,127.0.0.1:%s"
                        .formatted(
                                of("worker/0", "PAI_CONTAINER_HOST_PORT"),
                                of("worker/1", "PAI_CONTAINER_HOST_PORT"));
        for (String task : TASKS) {
            assertEquals(list, of(task, "PAI_TASK_ROLE_worker_HOST_LIST"));
            assertEquals(
                    "127.0.0.1:" + of("ps/0", "PAI_CONTAINER_HOST_PORT"),
                    of(task, "PAI_TASK_ROLE_ps_HOST_LIST"));
        }
    }

    @Test
    void o30ThePortsOfEveryTaskAreToldToAll() {
        String both = of("worker/0", "PAI_CONTAINER_HOST_http_PORT_LIST");
        assertTrue(both.matches("\\d+,\\d+"), both);
        for (String task : TASKS) assertEquals(both, of(task, "PAI_worker_0_http_PORT"));
    }

    @Test
    void o31TheAttemptAndTheRunOfATaskHaveNames() {
        assertTrue(of("ps/0", "APP_ID").startsWith("application_"));
        assertTrue(status.contains("\"appId\":\"" + of("ps/0", "APP_ID") + "\""), status);
        for (String task : TASKS) {
            String id = of(task, "PAI_CONTAINER_ID");
            assertTrue(status.contains("\"containerId\":\"" + id + "\""), status);
        }
        String http = of("worker/0", "PAI_CONTAINER_HOST_http_PORT_LIST").split(",")[0];
        assertEquals(http, of("worker/0", "PAI_CONTAINER_HOST_PORT"));
        assertEquals(http, of("worker/0", "PAI_CURRENT_CONTAINER_PORT"));
        String ssh = of("worker/0", "PAI_CONTAINER_HOST_ssh_PORT_LIST");
        assertEquals(ssh, of("worker/0", "PAI_CONTAINER_SSH_PORT"));
    }

    @Test
    void o35CommandsAreEvaluatedAndTheirExitCodesKept() {
        assertTrue(status.contains("\"containerExitCode\":3"), status);
        assertEquals("SUCCEEDED", show().field("state"));
        assertFalse(LOGS.get("worker/0").contains("$PAI_TASK_INDEX"));
    }

    @Test
    void o61ThePortsOfAnEndedJobAreStillTold() {
        assertTrue(status.contains("\"web\":\"28000,28001\""), status);
        String ssh = of("worker/1", "PAI_CONTAINER_SSH_PORT");
        assertTrue(status.contains("\"ssh\":\"" + ssh + "\""), status);
    }

    /** Here OpenPAI's folder of a job is the server's own business: what it has is asked for. */
    @Test
    void o80TheFileAndTheLogsOfEveryAttemptStayReadable() {
        assertEquals(JOB, caller.call("GET", JOBS + "/train/config", null).orElseThrow().body());
        String file =
                """
                {"jobName": "again", "image": "i", "retryCount": 1, "taskRoles": [{"name": "main",
                 "taskNumber": 1, "cpuNumber": 1, "memoryMB": 100, "gpuNumber": 0,
                 "command": "echo out of $APP_ID; echo errors >&2; exit 7"}]}
                """;
        assertEquals(202, caller.call("POST", JOBS, file).orElseThrow().status());
        Eventually.when(
                "it has failed twice",
                () ->
                        caller.call("GET", JOBS + "/again", null)
                                .orElseThrow()
                                .field("state")
                                .equals("FAILED"));
        String page =
                caller.call("GET", JOBS + "/again", null).orElseThrow().field("appTrackingUrl");
        String id = page.substring(page.lastIndexOf('/') + 1);
        for (int attempt = 1; attempt <= 2; attempt++) {
            assertEquals(
                    "out of application_%s_%d\nerrors\n".formatted(id, attempt),
                    log(fairlead.run("logs", "--attempt", Integer.toString(attempt), id)));
        }
    }

    /** What the task itself has written: a machine without an SSH server says so first. */
    static String log(Installation.Result logs) {
        String warning = "\\Awarning: there is no (SSH server|OpenSSH) here.*\n";
        return logs.expect(0).out().replaceFirst(warning, "");
    }

    @Test
    void o82AFileWithCommentsIsUploadedWithoutThem() throws IOException {
        Path file = folder.resolve("upload.json");
        Files.writeString(
                file,
                """
                {
                  // What it is called.
                  "jobName": "upload", "image": "i",
                  "taskRoles": [{"name": "main", "taskNumber": 1, "cpuNumber": 1, "memoryMB": 100,
                    "gpuNumber": 0, "command": "true"}], // one role
                }
                """);
        fairlead.run("submit", "-f", file.toString()).expect(0);
        String user = System.getProperty("user.name");
        String config =
                caller.call("GET", "/api/v1/user/" + user + "/jobs/upload/config", null)
                        .orElseThrow()
                        .body();
        assertTrue(config.contains("\"upload\""), config);
        assertFalse(config.contains("//"), config);
        Files.writeString(file, "{\"jobName\": \"bad\", \"image\": \"\", \"taskRoles\": []}");
        var refused = fairlead.run("submit", "--openpai", file.toString());
        assertEquals(2, refused.code());
        assertTrue(refused.err().contains("\"image\" is not allowed to be empty"), refused.err());
    }
}
