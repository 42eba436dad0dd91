package fairlead.dialects.openpai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What the variables of a task say: items O23 to O32. */
class VariablesTest {
    private static final String JOB =
            """
            {"jobName": "train", "image": "i", "dataDir": "$PAI_DEFAULT_FS_URI/$PAI_USERNAME/d",
             "codeDir": "hdfs://other/code", "virtualCluster": "vc1",
             "taskRoles": [
               {"name": "ps", "taskNumber": 1, "cpuNumber": 2, "memoryMB": 300, "shmMB": 80,
                "gpuNumber": 0, "command": "serve", "minFailedTaskCount": null,
                "portList": [{"label": "any", "portNumber": 2},
                             {"label": "web", "beginAt": 8000, "portNumber": 2}]},
               {"name": "worker", "taskNumber": 2, "cpuNumber": 4, "memoryMB": 500,
                "gpuNumber": 1, "command": "work", "minSucceededTaskCount": 2,
                "portList": [{"label": "http", "portNumber": 2}]}],
             "jobEnvs": {"batch": 32, "PAI_USERNAME": "$mine"}}
            """;

    private static final TaskPlace PS =
            new TaskPlace(
                    "ps",
                    0,
                    "10.0.0.1",
                    "c-ps-0",
                    Map.of(
                            "web",
                            List.of(8000, 8001),
                            "any",
                            List.of(4001, 4002),
                            "http",
                            List.of(4003),
                            "ssh",
                            List.of(4004)));
    private static final TaskPlace WORKER_0 = worker(0, "10.0.0.2", 5000);
    private static final TaskPlace WORKER_1 = worker(1, "10.0.0.3", 6000);

    private static TaskPlace worker(int index, String ip, int port) {
        return new TaskPlace(
                "worker",
                index,
                ip,
                "c-worker-" + index,
                Map.of("http", List.of(port, port + 1), "ssh", List.of(port + 2)));
    }

    /** The places come in no particular order. */
    private static Variables variables() throws Invalid {
        return new Variables(
                Jobs.read(JOB),
                new Variables.Attempt("ann", "hdfs://h:9000", "application_1"),
                List.of(WORKER_1, PS, WORKER_0));
    }

    @ParameterizedTest(name = "{0}={1}")
    @CsvSource({
        "PAI_DEFAULT_FS_URI, hdfs://h:9000",
        "PAI_JOB_NAME, train",
        "PAI_JOB_VC_NAME, vc1",
        "PAI_USER_NAME, ann",
        "PAI_DATA_DIR, hdfs://h:9000/ann/d",
        "PAI_OUTPUT_DIR, hdfs://h:9000/Output/train",
        "PAI_CODE_DIR, hdfs://other/code",
        "PAI_CURRENT_TASK_ROLE_NAME, worker",
        "PAI_CURRENT_TASK_ROLE_TASK_COUNT, 2",
        "PAI_CURRENT_TASK_ROLE_CPU_COUNT, 4",
        "PAI_CURRENT_TASK_ROLE_MEM_MB, 500",
        "PAI_CURRENT_TASK_ROLE_SHM_MB, 64",
        "PAI_CURRENT_TASK_ROLE_GPU_COUNT, 1",
        "PAI_CURRENT_TASK_ROLE_MIN_FAILED_TASK_COUNT, 1",
        "PAI_CURRENT_TASK_ROLE_MIN_SUCCEEDED_TASK_COUNT, 2",
        "PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX, 1",
        "PAI_JOB_TASK_COUNT, 3",
        "PAI_JOB_TASK_ROLE_COUNT, 2",
        "PAI_JOB_TASK_ROLE_LIST, 'ps,worker'",
        "PAI_CONTAINER_HOST_IP, 10.0.0.3",
        "PAI_CONTAINER_HOST_PORT_LIST, 'http:6000,6001;ssh:6002;'",
        "PAI_CONTAINER_HOST_http_PORT_LIST, '6000,6001'",
        "PAI_CONTAINER_HOST_ssh_PORT_LIST, 6002",
        "PAI_TASK_ROLE_ps_HOST_LIST, 10.0.0.1:4003",
        "PAI_TASK_ROLE_worker_HOST_LIST, '10.0.0.2:5000,10.0.0.3:6000'",
        "PAI_ps_0_web_PORT, '8000,8001'",
    })
    void o23ATaskIsToldEverything(String name, String value) throws Invalid {
        assertEquals(value, variables().of(WORKER_1).get(name));
    }

    @Test
    void o22DataAndOutputAreAddressesAndNothingElse() throws Invalid {
        var all = variables().of(WORKER_0);
        assertEquals("hdfs://h:9000/ann/d", all.get("PAI_DATA_DIR"));
        assertEquals("hdfs://h:9000/Output/train", all.get("PAI_OUTPUT_DIR"));
        all.remove("PAI_DATA_DIR");
        all.remove("PAI_OUTPUT_DIR");
        assertFalse(all.toString().contains("/ann/d"), "told in one place only");
        assertFalse(all.toString().contains("/Output"), "told in one place only");
    }

    @Test
    void o24TheNameOfTheJobIsTheOneInItsFile() throws Invalid {
        assertEquals("train", variables().of(PS).get("PAI_JOB_NAME"));
        assertEquals("ann~train", variables().of(PS).get("FRAMEWORK_NAME"));
    }

    @Test
    void o25TheVirtualClusterIsAVariableEvenIfItIsTheDefault() throws Invalid {
        var job = Jobs.read(JOB.replace("vc1", ""));
        var variables =
                new Variables(
                        job,
                        new Variables.Attempt("ann", "f", "a"),
                        List.of(PS, WORKER_0, WORKER_1));
        assertEquals("default", variables.of(PS).get("PAI_JOB_VC_NAME"));
    }

    @Test
    void o26CountsThatAreNullAreEmpty() throws Invalid {
        var ps = variables().of(PS);
        assertEquals("", ps.get("PAI_CURRENT_TASK_ROLE_MIN_FAILED_TASK_COUNT"));
        assertEquals("", ps.get("PAI_CURRENT_TASK_ROLE_MIN_SUCCEEDED_TASK_COUNT"));
    }

    @Test
    void o27FixedRangesComeFirstAndEveryLabelEndsWithASemicolon() throws Invalid {
        assertEquals(
                "web:8000,8001;any:4001,4002;http:4003;ssh:4004;",
                variables().of(PS).get("PAI_CONTAINER_HOST_PORT_LIST"));
    }

    @Test
    void o28HttpAndSshAreAlwaysAsked() throws Invalid {
        var roles = Jobs.read(JOB).taskRoles();
        assertEquals(
                List.of(
                        new PortDemand("web", 8000, 2),
                        new PortDemand("any", 0, 2),
                        new PortDemand("http", 0, 1),
                        new PortDemand("ssh", 0, 1)),
                PortDemand.of(roles.getFirst()));
        assertEquals(
                List.of(new PortDemand("http", 0, 2), new PortDemand("ssh", 0, 1)),
                PortDemand.of(roles.getLast()));
    }

    @Test
    void o29HostsStandInTheOrderOfTheirIndexWithTheirFirstHttpPort() throws Invalid {
        for (TaskPlace task : List.of(PS, WORKER_0, WORKER_1)) {
            assertEquals(
                    "10.0.0.2:5000,10.0.0.3:6000",
                    variables().of(task).get("PAI_TASK_ROLE_worker_HOST_LIST"));
        }
    }

    @Test
    void o30EveryTaskKnowsThePortsOfEveryOther() throws Invalid {
        for (TaskPlace task : List.of(PS, WORKER_0, WORKER_1)) {
            var all = variables().of(task);
            assertEquals("5000,5001", all.get("PAI_worker_0_http_PORT"));
            assertEquals("6002", all.get("PAI_worker_1_ssh_PORT"));
            assertEquals("4001,4002", all.get("PAI_ps_0_any_PORT"));
        }
    }

    @ParameterizedTest(name = "{0}={1}")
    @CsvSource({
        "APP_ID, application_1",
        "FRAMEWORK_NAME, ann~train",
        "HADOOP_USER_NAME, ann",
        "PAI_TASK_INDEX, 1",
        "PAI_CONTAINER_ID, c-worker-1",
        "PAI_CONTAINER_HOST_PORT, 6000",
        "PAI_CONTAINER_SSH_PORT, 6002",
    })
    void o31ThereAreMoreVariablesThanTheDocumentSays(String name, String value) throws Invalid {
        assertEquals(value, variables().of(WORKER_1).get(name));
    }

    @ParameterizedTest(name = "{0}={1}")
    @CsvSource({
        "PAI_CURRENT_CONTAINER_IP, 10.0.0.2",
        "PAI_CURRENT_CONTAINER_PORT, 5000",
        "PAI_TASK_ROLE_INDEX, 0",
        "PAI_TASK_ROLE_NAME, worker",
        "PAI_TASK_ROLE_NUM, 2",
        "PAI_TASK_CPU_NUM, 4",
        "PAI_TASK_MEM_MB, 500",
        "PAI_TASK_GPU_NUM, 1",
        "PAI_TASKS_NUM, 3",
        "PAI_TASK_ROLES_NUM, 2",
        "PAI_TASK_ROLE_LIST, 'ps,worker'",
    })
    void o32OldNamesStillWork(String name, String value) throws Invalid {
        assertEquals(value, variables().of(WORKER_0).get(name));
    }

    @Test
    void o14JobEnvsAreSetWithoutSubstitutionAndWin() throws Invalid {
        var all = variables().of(PS);
        assertEquals("32", all.get("batch"));
        assertEquals("$mine", all.get("PAI_USERNAME"));
        assertEquals("ann", variables().shared().get("PAI_USERNAME"));
    }

    /** What a submit lets pass must fit at launch. */
    @Test
    void theVariablesOfALargeJobStayWithinTheirBound() throws Invalid {
        var job = Jobs.read(Jobs.withRole("taskNumber", "2800"));
        var places = new ArrayList<TaskPlace>();
        for (int i = 0; i < 2_800; i++) {
            places.add(
                    new TaskPlace(
                            "main",
                            i,
                            "2001:0db8:85a3:0000:0000:8a2e:0370:7334",
                            "container_" + i,
                            Map.of("http", List.of(65_000), "ssh", List.of(65_001))));
        }
        var all =
                new Variables(job, new Variables.Attempt("ann", "f", "a"), places)
                        .of(places.getLast());
        int bytes = 0;
        for (var each : all.entrySet()) {
            int length = each.getKey().length() + each.getValue().length() + 2;
            assertTrue(length <= JobSchema.ARGUMENT_BYTES_MAX, each.getKey());
            bytes += length;
        }
        assertTrue(bytes <= VariablesSize.BYTES_MAX, bytes + " bytes");
    }

    @Test
    void placesWithoutTheirPortsAreABug() throws Invalid {
        var job = Jobs.read(JOB);
        var attempt = new Variables.Attempt("ann", "f", "a");
        assertThrows(
                IllegalArgumentException.class, () -> new Variables(job, attempt, List.of(PS)));
        var bare = new TaskPlace("worker", 1, "h", "c", Map.of("ssh", List.of(1)));
        assertThrows(
                IllegalArgumentException.class,
                () -> new Variables(job, attempt, List.of(PS, WORKER_0, bare)));
    }
}
