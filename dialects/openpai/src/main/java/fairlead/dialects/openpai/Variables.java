package fairlead.dialects.openpai;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The PAI_ variables of one attempt (items O23 to O32). PAI_WORK_DIR is not here: {@link
 * StartCommand} sets it, because only the task knows it.
 */
public final class Variables {
    private final PaiJob job;
    private final Attempt attempt;
    private final Map<String, PaiTaskRole> roles = new LinkedHashMap<>();
    private final Map<String, String> shared;

    /**
     * What the attempt is to OpenPAI's users.
     *
     * @param user who has submitted the job
     * @param defaultFsUri the cluster's file system, without a slash at its end
     * @param appId names the attempt
     */
    public record Attempt(String user, String defaultFsUri, String appId) {}

    /**
     * @param tasks all tasks of all roles, with ports for every {@link PortDemand} of their role
     */
    public Variables(PaiJob job, Attempt attempt, List<TaskPlace> tasks) {
        this.job = job;
        this.attempt = attempt;
        for (PaiTaskRole role : job.taskRoles()) roles.put(role.name(), role);
        checkComplete(tasks);
        shared = shared(tasks);
    }

    private void checkComplete(List<TaskPlace> tasks) {
        if (tasks.size() != job.tasks()) {
            throw new IllegalArgumentException(
                    tasks.size() + " places for " + job.tasks() + " tasks of " + job.jobName());
        }
        for (TaskPlace task : tasks) {
            for (PortDemand demand : PortDemand.of(roles.get(task.role()))) {
                List<Integer> given = task.ports().getOrDefault(demand.label(), List.of());
                if (given.size() != demand.count()) {
                    throw new IllegalArgumentException(
                            task.role()
                                    + "/"
                                    + task.index()
                                    + " has ports "
                                    + given
                                    + " for "
                                    + demand);
                }
            }
        }
    }

    /** Those that are the same in every task. */
    public Map<String, String> shared() {
        return Map.copyOf(shared);
    }

    /** All variables of one task; what jobEnvs say wins. */
    public Map<String, String> of(TaskPlace task) {
        var all = new LinkedHashMap<>(shared);
        all.putAll(own(task));
        all.putAll(job.jobEnvs());
        return all;
    }

    private Map<String, String> shared(List<TaskPlace> tasks) {
        String framework = attempt.user() + "~" + job.jobName();
        String count = Integer.toString(job.tasks());
        String roleCount = Integer.toString(job.taskRoles().size());
        String roleList = String.join(",", roles.keySet());
        var addresses = Addresses.of(job, attempt.user(), attempt.defaultFsUri());
        var all = new LinkedHashMap<String, String>();
        all.put("APP_ID", attempt.appId());
        all.put("FRAMEWORK_NAME", framework);
        all.put("HADOOP_USER_NAME", attempt.user());
        all.put("PAI_DEFAULT_FS_URI", attempt.defaultFsUri());
        all.put("PAI_JOB_NAME", job.jobName());
        all.put("PAI_JOB_VC_NAME", job.virtualCluster());
        all.put("PAI_USER_NAME", attempt.user());
        all.put("PAI_USERNAME", attempt.user());
        all.put("PAI_DATA_DIR", addresses.dataDir());
        all.put("PAI_OUTPUT_DIR", addresses.outputDir());
        all.put("PAI_CODE_DIR", addresses.codeDir());
        all.put("PAI_JOB_TASK_COUNT", count);
        all.put("PAI_TASKS_NUM", count);
        all.put("PAI_JOB_TASK_ROLE_COUNT", roleCount);
        all.put("PAI_TASK_ROLES_NUM", roleCount);
        all.put("PAI_JOB_TASK_ROLE_LIST", roleList);
        all.put("PAI_TASK_ROLE_LIST", roleList);
        putOthers(tasks, all);
        return all;
    }

    /** How tasks find each other. */
    private void putOthers(List<TaskPlace> tasks, Map<String, String> all) {
        var inOrder = new ArrayList<>(tasks);
        inOrder.sort(Comparator.comparingInt(TaskPlace::index));
        var hosts = new LinkedHashMap<String, StringBuilder>();
        for (String role : roles.keySet()) hosts.put(role, new StringBuilder());
        for (TaskPlace task : inOrder) {
            StringBuilder list = hosts.get(task.role());
            list.append(list.isEmpty() ? "" : ",").append(task.ip()).append(':');
            list.append(task.firstPort(PortDemand.HTTP));
            for (PortDemand demand : PortDemand.of(roles.get(task.role()))) {
                all.put(
                        "PAI_" + task.role() + "_" + task.index() + "_" + demand.label() + "_PORT",
                        task.portList(demand.label()));
            }
        }
        hosts.forEach(
                (role, list) -> all.put("PAI_TASK_ROLE_" + role + "_HOST_LIST", list.toString()));
    }

    private Map<String, String> own(TaskPlace task) {
        PaiTaskRole role = roles.get(task.role());
        String index = Integer.toString(task.index());
        String http = task.firstPort(PortDemand.HTTP);
        var own = new LinkedHashMap<String, String>();
        own.put("PAI_CURRENT_TASK_ROLE_NAME", role.name());
        own.put("PAI_TASK_ROLE_NAME", role.name());
        own.put("PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX", index);
        own.put("PAI_TASK_INDEX", index);
        own.put("PAI_TASK_ROLE_INDEX", index);
        put(own, role.taskNumber(), "PAI_CURRENT_TASK_ROLE_TASK_COUNT", "PAI_TASK_ROLE_NUM");
        put(own, role.cpuNumber(), "PAI_CURRENT_TASK_ROLE_CPU_COUNT", "PAI_TASK_CPU_NUM");
        put(own, role.memoryMB(), "PAI_CURRENT_TASK_ROLE_MEM_MB", "PAI_TASK_MEM_MB");
        put(own, role.shmMB(), "PAI_CURRENT_TASK_ROLE_SHM_MB");
        put(own, role.gpuNumber(), "PAI_CURRENT_TASK_ROLE_GPU_COUNT", "PAI_TASK_GPU_NUM");
        own.put(
                "PAI_CURRENT_TASK_ROLE_MIN_FAILED_TASK_COUNT",
                orNothing(role.minFailedTaskCount()));
        own.put(
                "PAI_CURRENT_TASK_ROLE_MIN_SUCCEEDED_TASK_COUNT",
                orNothing(role.minSucceededTaskCount()));
        own.put("PAI_CONTAINER_ID", task.containerId());
        own.put("PAI_CONTAINER_HOST_IP", task.ip());
        own.put("PAI_CURRENT_CONTAINER_IP", task.ip());
        own.put("PAI_CONTAINER_HOST_PORT", http);
        own.put("PAI_CURRENT_CONTAINER_PORT", http);
        own.put("PAI_CONTAINER_SSH_PORT", task.firstPort(PortDemand.SSH));
        var list = new StringBuilder();
        for (PortDemand demand : PortDemand.of(role)) {
            String ports = task.portList(demand.label());
            own.put("PAI_CONTAINER_HOST_" + demand.label() + "_PORT_LIST", ports);
            list.append(demand.label()).append(':').append(ports).append(';');
        }
        own.put("PAI_CONTAINER_HOST_PORT_LIST", list.toString());
        return own;
    }

    private static void put(Map<String, String> own, int number, String... names) {
        for (String name : names) own.put(name, Integer.toString(number));
    }

    private static String orNothing(OptionalInt count) {
        return count.isPresent() ? Integer.toString(count.getAsInt()) : "";
    }
}
