package fairlead.policy;

import fairlead.cluster.ClusterState;
import fairlead.cluster.Gpu;
import fairlead.cluster.Node;
import fairlead.cluster.View;
import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Event;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobMachine;
import fairlead.job.JobSpec;
import fairlead.job.JobState;
import fairlead.job.Placement;
import fairlead.job.Resources;
import fairlead.job.Role;
import fairlead.job.Samples;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * A cluster, its jobs and what a policy should do, read from a text file: one file for each lesson.
 *
 * <pre>
 * node   NAME gpus=4 cpus=8 memory=64 [down]
 * active JOB OWNER gpus=1 on NODE 0,1        (GPU indices)
 * wait   JOB OWNER [gpus=2] [cpus=1] [memory=8] [tasks=2] [priority=1] [pauses]
 * expect POLICY starts JOB@NODE JOB@NODE,NODE ...
 * expect POLICY JOB: words of its first obstacle
 * </pre>
 *
 * Jobs are submitted in the order of their lines. Memory is in GiB.
 */
final class Scenario {
    private final Map<String, JobId> ids = new LinkedHashMap<>();
    private final List<Node> nodes = new ArrayList<>();
    private final List<Job> jobs = new ArrayList<>();
    final List<String> expectations = new ArrayList<>();

    static Scenario parse(List<String> lines) {
        var scenario = new Scenario();
        for (String line : lines) {
            String text = line.strip();
            if (text.isEmpty() || text.startsWith("#")) continue;
            List<String> words = Arrays.asList(text.split("\\s+"));
            switch (words.getFirst()) {
                case "node" -> scenario.node(words);
                case "active" -> scenario.active(words);
                case "wait" -> scenario.waiting(words);
                case "expect" -> scenario.expectations.add(text.substring("expect ".length()));
                default -> throw new IllegalArgumentException("unknown line: " + line);
            }
        }
        return scenario;
    }

    View view() {
        var state = new ClusterState();
        state.nodes(nodes);
        for (Job job : jobs) state.change(Optional.empty(), Optional.of(job));
        return state.view(Samples.NOON.plus(Duration.ofHours(1)));
    }

    Map<JobId, Job> jobs() {
        var byId = new HashMap<JobId, Job>();
        for (Job job : jobs) byId.put(job.id(), job);
        return byId;
    }

    String name(JobId id) {
        return ids.entrySet().stream()
                .filter(e -> e.getValue().equals(id))
                .findFirst()
                .orElseThrow()
                .getKey();
    }

    JobId id(String name) {
        return ids.get(name);
    }

    /** Words of an obstacle with the scenario's own names for jobs. */
    String renamed(String words) {
        String text = words;
        for (var entry : ids.entrySet())
            text = text.replace(entry.getValue().text(), entry.getKey());
        return text;
    }

    private void node(List<String> words) {
        var values = values(words);
        List<Gpu> gpus =
                IntStream.range(0, values.getOrDefault("gpus", 0))
                        .mapToObj(i -> new Gpu(i, "declared", 0))
                        .toList();
        nodes.add(
                new Node(
                        words.get(1),
                        gpus,
                        values.getOrDefault("cpus", 8),
                        gibibytes(values.getOrDefault("memory", 64)),
                        !words.contains("down")));
    }

    private void active(List<String> words) {
        Job job = job(words);
        int on = words.indexOf("on");
        List<Integer> gpus =
                on + 2 < words.size()
                        ? Arrays.stream(words.get(on + 2).split(",")).map(Integer::valueOf).toList()
                        : List.of();
        var placement =
                new Placement(
                        List.of(TaskPlacement.whole(new TaskId("main", 0), words.get(on + 1), gpus)));
        var placed =
                new Event.AttemptPlaced(
                        job.submitted(), new Attempt(new AttemptId(job.id(), 1), placement));
        jobs.add(JobMachine.next(job, placed));
    }

    private void waiting(List<String> words) {
        Job job = job(words);
        if (words.contains("pauses")) {
            job =
                    new Job(
                            job.id(),
                            job.spec(),
                            job.owner(),
                            job.submitted(),
                            job.request(),
                            job.array(),
                            new JobState.Queued(
                                    job.submitted(), Samples.NOON.plus(Duration.ofHours(2))),
                            1,
                            1,
                            0,
                            Optional.empty(),
                            Duration.ZERO);
        }
        jobs.add(job);
    }

    private Job job(List<String> words) {
        var values = values(words);
        int gpus = values.getOrDefault("gpus", 0);
        var role =
                new Role(
                        "main",
                        values.getOrDefault("tasks", 1),
                        List.of("true"),
                        new Resources(
                                gpus,
                                values.getOrDefault("cpus", gpus == 0 ? 1 : 0),
                                gibibytes(values.getOrDefault("memory", 0))),
                        OptionalInt.of(1),
                        OptionalInt.empty());
        JobSpec spec = Samples.spec(values.getOrDefault("priority", 0), 9, Optional.empty(), role);
        Job job = Samples.job(ids.size() + 1, words.get(2), spec);
        ids.put(words.get(1), job.id());
        return job;
    }

    private static long gibibytes(int count) {
        return (long) count << 30;
    }

    private static Map<String, Integer> values(List<String> words) {
        var values = new HashMap<String, Integer>();
        for (String word : words) {
            int equals = word.indexOf('=');
            if (equals > 0)
                values.put(word.substring(0, equals), Integer.valueOf(word.substring(equals + 1)));
        }
        return values;
    }
}
