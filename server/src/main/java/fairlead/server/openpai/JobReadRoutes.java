package fairlead.server.openpai;

import fairlead.dialects.openpai.ExitStatus;
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
    private final Jobs jobs;
    private final Places places;
    private final Supplier<String> url;

    /**
     * @param url where the server is
     */
    JobReadRoutes(Jobs jobs, Places places, Supplier<String> url) {
        this.jobs = jobs;
        this.places = places;
        this.url = url;
    }

    void show(PaiCall call) throws JournalException {
        PaiName name = call.job();
        Job job = jobs.find(name);
        var body = new LinkedHashMap<String, Object>();
        body.put("name", name.job());
        body.put("jobStatus", status(job, name));
        body.put("taskRoles", roles(job));
        call.sendJson(PaiJson.bytes(body));
    }

    private Map<String, Object> status(Job job, PaiName name) {
        var status = new JobStatus(job);
        Optional<Attempt> attempt = status.attempt();
        var body = new LinkedHashMap<String, Object>();
        body.put("name", name.job());
        body.put("username", job.owner());
        body.put("state", status.state());
        body.put("subState", status.subState().name());
        body.put("executionType", status.executionType());
        body.put("retries", status.retries());
        body.put("createdTime", status.createdTime());
        body.put("completedTime", status.completedTime().orElse(null));
        body.put("appId", attempt.map(each -> each.id().toString()).orElse(null));
        body.put("appProgress", status.progress());
        body.put("appTrackingUrl", attempt.map(_ -> ours(job)).orElse(null));
        body.put("appLaunchedTime", job.started().map(Instant::toEpochMilli).orElse(null));
        body.put("appCompletedTime", attempt.flatMap(_ -> status.completedTime()).orElse(null));
        body.put("appExitCode", status.exit().map(ExitStatus::code).orElse(null));
        body.put("appExitDiagnostics", status.diagnostics(places).orElse(null));
        body.put("appExitType", status.exit().map(exit -> exit.type().name()).orElse(null));
        body.put("virtualCluster", job.spec().project());
        return body;
    }

    private String ours(Job job) {
        return url.get() + "/v1/jobs/" + job.id().text();
    }

    private Map<String, Object> roles(Job job) {
        var status = new JobStatus(job);
        var placed = new HashMap<TaskId, TaskPlacement>();
        status.attempt()
                .ifPresent(
                        attempt ->
                                attempt.placement()
                                        .tasks()
                                        .forEach(task -> placed.put(task.task(), task)));
        var roles = new LinkedHashMap<String, Object>();
        for (Role role : job.spec().roles()) {
            var tasks = new ArrayList<Map<String, Object>>();
            for (int index = 0; index < role.count(); index++) {
                var task = new TaskId(role.name(), index);
                tasks.add(task(job, status, task, Optional.ofNullable(placed.get(task))));
            }
            roles.put(
                    role.name(),
                    Map.of("taskRoleStatus", Map.of("name", role.name()), "taskStatuses", tasks));
        }
        return roles;
    }

    /** One that waits has an index and nothing else yet. */
    private Map<String, Object> task(
            Job job, JobStatus status, TaskId task, Optional<TaskPlacement> placed) {
        Optional<Attempt> attempt = placed.flatMap(_ -> status.attempt());
        Optional<Places.Place> place = places.find(job, task);
        Exit exit = status.exits().get(task);
        var body = new LinkedHashMap<String, Object>();
        body.put("taskIndex", task.index());
        body.put(
                "containerId",
                attempt.map(each -> Places.containerId(each.id(), task)).orElse(null));
        body.put(
                "containerIp",
                place.map(Places.Place::ip).or(() -> placed.map(TaskPlacement::node)).orElse(null));
        body.put("containerPorts", placed.map(_ -> ports(job, task, place)).orElse(null));
        body.put("containerGpus", placed.map(JobReadRoutes::bitmap).orElse(null));
        body.put("containerLog", attempt.map(each -> log(job, each, task)).orElse(null));
        body.put(
                "containerExitCode", exit == null || exit.isLost() ? null : exit.code().getAsInt());
        return body;
    }

    /** Bit n for the GPU n of the node. */
    private static BigInteger bitmap(TaskPlacement placed) {
        BigInteger bits = BigInteger.ZERO;
        for (int gpu : placed.gpus()) bits = bits.setBit(gpu);
        return bits;
    }

    /** Where nobody remembers the others, those that the role has fixed are still known. */
    private static Map<String, String> ports(Job job, TaskId task, Optional<Places.Place> place) {
        var ports = new LinkedHashMap<String, String>();
        if (place.isPresent()) {
            place.get().ports().forEach((label, numbers) -> ports.put(label, joined(numbers)));
            return ports;
        }
        for (Role.Ports each : job.spec().role(task.role()).ports()) {
            if (!each.isFixed()) continue;
            var numbers = new ArrayList<Integer>();
            for (int i = 0; i < each.count(); i++) numbers.add(each.first() + i);
            ports.put(each.label(), joined(numbers));
        }
        return ports;
    }

    private static String joined(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    private String log(Job job, Attempt attempt, TaskId task) {
        String encoded = URLEncoder.encode(task.toString(), StandardCharsets.UTF_8);
        return "%s/logs?task=%s&attempt=%d".formatted(ours(job), encoded, attempt.id().number());
    }

    /** Exactly as it was submitted. */
    void config(PaiCall call) throws JournalException {
        PaiName name = call.job();
        Origin origin =
                jobs.search(name)
                        .flatMap(job -> job.spec().origin())
                        .filter(each -> each.dialect().equals(PaiName.DIALECT))
                        .orElseThrow(() -> noConfig(name));
        call.sendJson(origin.text().getBytes(StandardCharsets.UTF_8));
    }

    private static PaiProblem noConfig(PaiName name) {
        return new PaiProblem(
                PaiCode.NO_JOB_CONFIG, "Config of job %s is not found.".formatted(name.job()));
    }
}
