package fairlead.server.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.dialects.openpai.JobFile;
import fairlead.dialects.openpai.PaiLaunch;
import fairlead.dialects.openpai.PaiSpec;
import fairlead.engine.TaskEnvironment;
import fairlead.engine.TaskPorts;
import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobSpec;
import fairlead.job.Origin;
import fairlead.job.Placement;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;
import fairlead.server.openpai.SshKeys;
import fairlead.wire.Specs;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

class PaiVariablesTest {
    private static final String FILE =
            """
            {"jobName": "dist", "image": "i", "jobEnvs": {"odd.name": 1},
             "taskRoles": [
              {"name": "ps", "taskNumber": 1, "cpuNumber": 1, "memoryMB": 100, "gpuNumber": 0,
               "command": "a"},
              {"name": "worker", "taskNumber": 2, "cpuNumber": 1, "memoryMB": 100, "gpuNumber": 0,
               "command": "b", "portList": [{"label": "data", "beginAt": 7000, "portNumber": 2}]}]}
            """;
    private static final List<String> HOSTS = List.of("10.0.0.1", "10.0.0.2", "10.0.0.3");
    private static final List<Integer> ANY = List.of(11, 12, 21, 22, 31, 32);

    private static Map<String, String> variables(JobSpec spec, int rank) {
        Instant now = Instant.parse("2026-01-01T12:00:00Z");
        Job job =
                Job.submitted(
                        JobId.of("dist", now, 1),
                        spec,
                        "ann",
                        now,
                        Optional.empty(),
                        Optional.empty());
        var tasks =
                List.of(
                        new TaskPlacement(new TaskId("ps", 0), "a", List.of()),
                        new TaskPlacement(new TaskId("worker", 0), "b", List.of()),
                        new TaskPlacement(new TaskId("worker", 1), "c", List.of()));
        var attempt = new Attempt(new AttemptId(job.id(), 3), new Placement(tasks));
        var launch = new Effect.Launch(job, attempt);
        return new LaunchHooks(List.of(new PaiLaunch("file:/files", new SshKeys("secret"))))
                .of(launch, HOSTS, new TaskPorts(launch, ANY))
                .apply(rank);
    }

    private static JobSpec spec() throws Exception {
        return Specs.read(PaiSpec.of(JobFile.ofRequest(FILE), "ann"), defaults());
    }

    @Test
    void o29TasksFindEachOtherByRealHostsAndPorts() throws Exception {
        var worker = variables(spec(), 2);
        assertEquals("10.0.0.1:11", worker.get("PAI_TASK_ROLE_ps_HOST_LIST"));
        assertEquals("10.0.0.2:21,10.0.0.3:31", worker.get("PAI_TASK_ROLE_worker_HOST_LIST"));
        assertEquals("22", worker.get("PAI_worker_0_ssh_PORT"));
        assertEquals("7000,7001", worker.get("PAI_worker_1_data_PORT"));
    }

    @Test
    void o27ATaskKnowsItsOwnPorts() throws Exception {
        var worker = variables(spec(), 1);
        assertEquals("data:7000,7001;http:21;ssh:22;", worker.get("PAI_CONTAINER_HOST_PORT_LIST"));
        assertEquals("21", worker.get("PAI_CONTAINER_HOST_PORT"));
        assertEquals("10.0.0.2", worker.get("PAI_CONTAINER_HOST_IP"));
    }

    @Test
    void o31AnAttemptAndARunOfATaskHaveNames() throws Exception {
        var first = variables(spec(), 0);
        assertEquals("application_dist_1767268800_00000001_3", first.get("APP_ID"));
        assertEquals("container_dist_1767268800_00000001_3_ps_0", first.get("PAI_CONTAINER_ID"));
        assertEquals("ann", first.get("PAI_USER_NAME"));
        assertEquals("ann~dist", first.get("FRAMEWORK_NAME"));
        assertEquals("file:/files", first.get("PAI_DEFAULT_FS_URI"));
    }

    @Test
    void o14VariablesWithOddNamesAreThereToo() throws Exception {
        assertEquals("1", variables(spec(), 0).get("odd.name"));
    }

    @Test
    void aJobOfOtherOriginHasNoneOfThem() throws Exception {
        JobSpec own = spec();
        var plain = withOrigin(own, Optional.empty());
        assertEquals(Map.of(), variables(plain, 0));
        var unfit = new Origin("openpai", "{}", "ann~dist");
        assertEquals(Map.of(), variables(withOrigin(own, Optional.of(unfit)), 0));
    }

    private static Specs.Defaults defaults() {
        return new Specs.Defaults("ann", "default", "/home/ann", false, "local");
    }

    private static JobSpec withOrigin(JobSpec spec, Optional<Origin> origin) {
        var edit = new JobSpec.Edit(spec);
        edit.origin = origin;
        return edit.spec();
    }

    @Test
    void o79TasksGetTheKeyPairOfTheirJob() throws Exception {
        Map<String, String> task = variables(spec(), 0);
        assertTrue(task.get("FAIRLEAD_SSH_PUBLIC_KEY").startsWith("ssh-ed25519 "), "public");
        assertTrue(task.get("FAIRLEAD_SSH_PRIVATE_KEY").contains("PRIVATE KEY"), "private");
        assertEquals("", task.get(TaskEnvironment.TASK_FOLDER));
        assertEquals(
                task.get("FAIRLEAD_SSH_PRIVATE_KEY").length(),
                variables(spec(), 1).get("FAIRLEAD_SSH_PRIVATE_KEY").length());
    }

    @Test
    void o69ALegacyJobStandsUnderItsOwnersName() throws Exception {
        Origin from = spec().origin().orElseThrow();
        var legacy = new Origin(from.dialect(), from.text(), "~dist");
        Map<String, String> task = variables(withOrigin(spec(), Optional.of(legacy)), 0);
        assertEquals("ann", task.get("PAI_USER_NAME"));
        assertEquals("dist", task.get("PAI_JOB_NAME"));
    }
}
