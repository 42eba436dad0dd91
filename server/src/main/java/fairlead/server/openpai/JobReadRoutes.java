package fairlead.server.openpai;

import fairlead.dialects.openpai.ExitStatus;
import fairlead.dialects.openpai.PaiLaunch;
import fairlead.job.Attempt;
import fairlead.job.Exit;
import fairlead.job.Job;
import fairlead.job.Origin;
import fairlead.job.Role;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;
import fairlead.journal.JournalException;

import java.math.BigInteger;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** What can be read about one job (O60, O61, O67). Everyone may, as in OpenPAI. */
final class JobReadRoutes {
    private static final List<String> CONTAINER_FIELDS =
            List.of(
                    "containerId",
                    "containerIp",
                    "containerPorts",
                    "containerGpus",
                    "containerLog",
                    "containerExitCode");

    private final Jobs jobs;
    private final Addresses addresses;
    private final Supplier<String> url;

    /**
     * @param url where the server is
     */
    JobReadRoutes(Jobs jobs, Addresses addresses, Supplier<String> url) {
        this.jobs = jobs;
        this.addresses = addresses;
        this.url = url;
    }

    void show(PaiCall call) throws JournalException {
        PaiName name = call.job();
        Job job = jobs.find(name);
        var body = new LinkedHashMap<String, Object>();
        body.put("name", name.job());
        body.put("jobStatus", status(job, name));
        body.put("taskRoles", roles(job));
        call.sendJson(200, PaiJson.bytes(body));
    }

    private Map<String, Object> status(Job job, PaiName name) {
        var status = new JobStatus(job);
        Optional<Attempt> attempt = job.attempt();
        var body = new LinkedHashMap<String, Object>();
        body.put("name", name.job());
        body.put("username", job.owner());
        body.put("state", status.state());
        body.put("subState", status.subState().name());
        body.put("executionType", status.executionType());
        body.put("retries", status.retries());
        body.put("createdTime", status.createdTime());
        body.put("completedTime", status.completedTime().orElse(null));
        body.put(
                "appId",
                attempt.map(each -> PaiLaunch.appId(job.id().text(), each.id().number()))
                        .orElse(null));
        body.put("appProgress", status.progress());
        body.put("appTrackingUrl", attempt.map(_ -> ours(job)).orElse(null));
        body.put("appLaunchedTime", job.started().map(Instant::toEpochMilli).orElse(null));
        body.put("appCompletedTime", attempt.flatMap(_ -> status.completedTime()).orElse(null));
        body.put("appExitCode", status.exit().map(ExitStatus::code).orElse(null));
        body.put("appExitDiagnostics", status.diagnostics(addresses).orElse(null));
        body.put("appExitType", status.exit().map(exit -> exit.type().name()).orElse(null));
        body.put("virtualCluster", job.spec().project());
        return body;
    }

    private String ours(Job job) {
        return url.get() + "/v1/jobs/" + job.id().text();
    }

    private Map<String, Object> roles(Job job) {
        var status = new JobStatus(job);
        List<TaskPlacement> placed =
                job.attempt().map(attempt -> attempt.placement().tasks()).orElse(List.of());
        var ranks = new HashMap<TaskId, Integer>();
        for (int rank = 0; rank < placed.size(); rank++) ranks.put(placed.get(rank).task(), rank);
        var roles = new LinkedHashMap<String, Object>();
        for (Role role : job.spec().roles()) {
            var tasks = new ArrayList<Map<String, Object>>();
            for (int index = 0; index < role.count(); index++) {
                Integer rank = ranks.get(new TaskId(role.name(), index));
                tasks.add(
                        rank == null
                                ? waiting(index)
                                : task(job, status, job.attempt().orElseThrow(), rank));
            }
            roles.put(
                    role.name(),
                    Map.of("taskRoleStatus", Map.of("name", role.name()), "taskStatuses", tasks));
        }
        return roles;
    }

    private static Map<String, Object> waiting(int index) {
        var body = new LinkedHashMap<String, Object>();
        body.put("taskIndex", index);
        for (String field : CONTAINER_FIELDS) body.put(field, null);
        return body;
    }

    private Map<String, Object> task(Job job, JobStatus status, Attempt attempt, int rank) {
        TaskPlacement placed = attempt.placement().tasks().get(rank);
        TaskId task = placed.task();
        Exit exit = status.exits().get(task);
        boolean hasCode = exit != null && !exit.isLost();
        var ports = new LinkedHashMap<String, String>();
        addresses
                .ports(job, placed, rank)
                .forEach((label, numbers) -> ports.put(label, joined(numbers)));
        Map<String, Object> body = waiting(task.index());
        body.put("containerId", JobStatus.containerId(attempt.id(), task));
        body.put("containerIp", addresses.ip(job, placed, rank));
        body.put("containerPorts", ports);
        body.put("containerGpus", bitmap(placed));
        body.put("containerLog", log(job, attempt, task));
        body.put("containerExitCode", hasCode ? exit.code().getAsInt() : null);
        return body;
    }

    /** Bit n for the GPU n of the node. */
    private static BigInteger bitmap(TaskPlacement placed) {
        BigInteger bits = BigInteger.ZERO;
        for (int gpu : placed.gpus()) bits = bits.setBit(gpu);
        return bits;
    }

    private static String joined(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    private String log(Job job, Attempt attempt, TaskId task) {
        String encoded = URLEncoder.encode(task.toString(), StandardCharsets.UTF_8);
        return "%s/logs?task=%s&attempt=%d".formatted(ours(job), encoded, attempt.id().number());
    }

    /** Exactly as it was submitted, with its commands and variables: so not for everyone. */
    void config(PaiCall call) throws JournalException {
        PaiName name = call.job();
        Origin origin =
                PaiName.origin(jobs.own(name, call.caller(), "see the config of job").spec())
                        .orElseThrow(() -> noConfig(name));
        call.sendFile(origin.text());
    }

    private static PaiProblem noConfig(PaiName name) {
        return new PaiProblem(
                PaiCode.NO_JOB_CONFIG, "Config of job %s is not found.".formatted(name.job()));
    }
}
