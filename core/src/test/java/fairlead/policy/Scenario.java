package fairlead.policy;

import fairlead.cluster.ClusterState;
import fairlead.cluster.Gpu;
import fairlead.cluster.Node;
import fairlead.cluster.Rules;
import fairlead.cluster.View;
import fairlead.job.Attempt;
import fairlead.job.AttemptId;
import fairlead.job.Event;
import fairlead.job.GpuPart;
import fairlead.job.Job;
import fairlead.job.JobId;
import fairlead.job.JobMachine;
import fairlead.job.JobSpec;
import fairlead.job.JobState;
import fairlead.job.Placement;
import fairlead.job.Progress;
import fairlead.job.Project;
import fairlead.job.Resources;
import fairlead.job.RetryPolicy;
import fairlead.job.Role;
import fairlead.job.Samples;
import fairlead.job.Setbacks;
import fairlead.job.Share;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;
import fairlead.job.Verdict;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A cluster, its jobs and what a policy should do, read from a text file: one file for each lesson.
 *
 * <pre>
 * node    NAME gpus=4 cpus=8 memory=64 [type=a100] [gpumemory=80] [down]
 * project NAME [quota=4] [interactive=1]
 * rule    undisturbed=5                      (minutes)
 * active  JOB OWNER gpus=1 [project=lab] [interactive] [limit=60] [ran=30] on NODE 0,1
 *         [stopping]                         (cancelled) or
 *         [for=JOB]                          (asked to stop for that one)
 * ended   JOB OWNER gpus=1 on NODE 0         (just now)
 * wait    JOB OWNER [gpus=2] [gpu=500] [gpumemory=8] [type=a100] [cpus=1] [memory=8] [tasks=2]
 *         [priority=1] [project=lab] [interactive] [limit=60] [port=8080] [pauses]
 * expect  POLICY starts JOB@NODE JOB@NODE,NODE ...
 * expect  POLICY preempts VICTIM-&gt;JOB ...
 * expect  POLICY places JOB=1 JOB=2 ...
 * expect  POLICY JOB: words of its first obstacle
 * </pre>
 *
 * Jobs are submitted in the order of their lines. Memory is in GiB, times are in minutes; an active
 * job has run for an hour unless it says otherwise, and {@code gpu} is a part in thousandths.
 */
public final class Scenario {
    private static final Instant NOW = Samples.NOON.plus(Duration.ofHours(1));

    private final Map<String, JobId> ids = new LinkedHashMap<>();
    private final List<Node> nodes = new ArrayList<>();
    private final List<Job> jobs = new ArrayList<>();
    private final List<Job> ended = new ArrayList<>();
    private final Map<String, Project> projects = new HashMap<>();
    private final Map<String, String> stoppingFor = new LinkedHashMap<>();
    private Duration undisturbed = Rules.UNDISTURBED;
    final List<String> expectations = new ArrayList<>();

    public static Scenario parse(List<String> lines) {
        var scenario = new Scenario();
        for (String line : lines) {
            String text = line.strip();
            if (text.isEmpty() || text.startsWith("#")) continue;
            List<String> words = Arrays.asList(text.split("\\s+"));
            switch (words.getFirst()) {
                case "node" -> scenario.node(words);
                case "project" -> scenario.project(words);
                case "rule" ->
                        scenario.undisturbed = Duration.ofMinutes(values(words).get("undisturbed"));
                case "active" -> scenario.jobs.add(scenario.active(words));
                case "ended" -> scenario.ended.add(scenario.active(words));
                case "wait" -> scenario.waiting(words);
                case "expect" -> scenario.expectations.add(text.substring("expect ".length()));
                default -> throw new IllegalArgumentException("unknown line: " + line);
            }
        }
        // Last, because those who wait stand behind those who stop for them.
        scenario.stoppingFor.forEach(scenario::askToStop);
        return scenario;
    }

    private void askToStop(String victim, String beneficiary) {
        jobs.replaceAll(
                job ->
                        job.id().equals(id(victim))
                                ? JobMachine.next(
                                        job,
                                        new Event.PreemptRequested(
                                                NOW,
                                                ((JobState.Active) job.state()).attempt().id(),
                                                id(beneficiary),
                                                "the scenario says so"))
                                : job);
    }

    public View view() {
        var state = new ClusterState();
        state.nodes(nodes);
        state.rules(new Rules(projects, undisturbed));
        for (Job job : jobs) state.change(Optional.empty(), Optional.of(job));
        for (Job job : ended) {
            AttemptId attempt = ((JobState.Active) job.state()).attempt().id();
            var end = new Event.AttemptEnded(NOW, attempt, new Verdict.Succeeded());
            state.change(Optional.empty(), Optional.of(job));
            state.change(Optional.of(job), Optional.of(JobMachine.next(job, end)));
        }
        return state.view(NOW);
    }

    public Map<JobId, Job> jobs() {
        var byId = new HashMap<JobId, Job>();
        for (Job job : jobs) byId.put(job.id(), job);
        return byId;
    }

    public String name(JobId id) {
        return ids.entrySet().stream()
                .filter(e -> e.getValue().equals(id))
                .findFirst()
                .orElseThrow()
                .getKey();
    }

    public JobId id(String name) {
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
        String type = text(words, "type").orElse("declared");
        long memory = gibibytes(values.getOrDefault("gpumemory", 0));
        List<Gpu> gpus =
                IntStream.range(0, values.getOrDefault("gpus", 0))
                        .mapToObj(i -> new Gpu(i, type, memory))
                        .toList();
        nodes.add(
                new Node(
                        words.get(1),
                        gpus,
                        values.getOrDefault("cpus", 8),
                        gibibytes(values.getOrDefault("memory", 64)),
                        !words.contains("down")));
    }

    private void project(List<String> words) {
        var values = values(words);
        projects.put(
                words.get(1),
                new Project(
                        words.get(1),
                        optional(values.get("quota")),
                        Set.of(),
                        optional(values.get("interactive")),
                        Project.INTERACTIVE_LIMIT));
    }

    private static OptionalInt optional(Integer value) {
        return value == null ? OptionalInt.empty() : OptionalInt.of(value);
    }

    private Job active(List<String> words) {
        Job job = job(words);
        text(words, "for").ifPresent(other -> stoppingFor.put(words.get(1), other));
        int on = words.indexOf("on");
        List<Share> shares =
                on + 2 < words.size()
                        ? Arrays.stream(words.get(on + 2).split(","))
                                .map(Integer::valueOf)
                                .map(gpu -> share(job, gpu))
                                .toList()
                        : List.of();
        var placement =
                new Placement(
                        List.of(
                                new TaskPlacement(
                                        new TaskId("main", 0), words.get(on + 1), shares)));
        var attempt = new AttemptId(job.id(), 1);
        Instant since = NOW.minus(Duration.ofMinutes(values(words).getOrDefault("ran", 60)));
        Job placed =
                JobMachine.next(
                        job, new Event.AttemptPlaced(since, new Attempt(attempt, placement)));
        Job running = JobMachine.next(placed, new Event.AttemptStarted(since, attempt));
        return words.contains("stopping")
                ? JobMachine.next(running, new Event.CancelRequested(NOW, job.owner()))
                : running;
    }

    private static Share share(Job job, int gpu) {
        var part = job.spec().roles().getFirst().resources().part();
        return part instanceof GpuPart.Fraction(int thousandths)
                ? new Share(gpu, thousandths)
                : Share.whole(gpu);
    }

    private void waiting(List<String> words) {
        Job job = job(words);
        Integer waited = values(words).get("waited");
        Instant since = waited == null ? job.submitted() : NOW.minus(Duration.ofMinutes(waited));
        boolean pauses = words.contains("pauses");
        Instant notBefore = pauses ? NOW.plus(Duration.ofHours(1)) : Instant.EPOCH;
        jobs.add(
                new Job(
                        job.id(),
                        job.spec(),
                        job.owner(),
                        job.submitted(),
                        job.request(),
                        job.array(),
                        job.priority(),
                        new JobState.Queued(since, notBefore),
                        pauses ? 1 : job.attempts(),
                        pauses ? 1 : job.failures(),
                        0,
                        Optional.empty(),
                        Optional.empty(),
                        Duration.ZERO,
                        Setbacks.NONE,
                        Progress.NONE,
                        RetryPolicy.Tries.NONE));
    }

    private Job job(List<String> words) {
        var values = values(words);
        boolean hasPart = values.containsKey("gpu") || values.containsKey("gpumemory");
        int gpus = values.getOrDefault("gpus", hasPart ? 1 : 0);
        GpuPart part = GpuPart.WHOLE;
        if (values.containsKey("gpu")) part = new GpuPart.Fraction(values.get("gpu"));
        if (values.containsKey("gpumemory")) {
            part = new GpuPart.Memory(gibibytes(values.get("gpumemory")));
        }
        var resources =
                new Resources(
                        gpus,
                        part,
                        text(words, "type"),
                        values.getOrDefault("cpus", gpus == 0 ? 1 : 0),
                        gibibytes(values.getOrDefault("memory", 0)));
        var role =
                new Role(
                        "main",
                        values.getOrDefault("tasks", 1),
                        List.of("true"),
                        resources,
                        OptionalInt.of(1),
                        OptionalInt.empty(),
                        values.containsKey("port")
                                ? List.of(new Role.Ports("http", values.get("port"), 1))
                                : List.of());
        var spec =
                JobSpec.of(
                        edit -> {
                            edit.name = "sample";
                            edit.cluster = "local";
                            edit.project = text(words, "project").orElse(Project.DEFAULT);
                            edit.priority = values.getOrDefault("priority", 0);
                            edit.roles = List.of(role);
                            edit.retries = 9;
                            edit.timeLimit =
                                    Optional.ofNullable(values.get("limit"))
                                            .map(Duration::ofMinutes);
                            edit.workingFolder = "/tmp";
                            edit.interactive = words.contains("interactive");
                        });
        Job job = Samples.job(ids.size() + 1, words.get(2), spec);
        ids.put(words.get(1), job.id());
        return job;
    }

    private static Optional<String> text(List<String> words, String key) {
        return words.stream()
                .filter(word -> word.startsWith(key + "="))
                .map(word -> word.substring(key.length() + 1))
                .findFirst();
    }

    private static long gibibytes(int count) {
        return (long) count << 30;
    }

    private static Map<String, Integer> values(List<String> words) {
        var values = new HashMap<String, Integer>();
        for (String word : words) {
            int equals = word.indexOf('=');
            boolean isNumber = word.substring(equals + 1).matches("-?\\d+");
            if (equals > 0 && isNumber)
                values.put(word.substring(0, equals), Integer.valueOf(word.substring(equals + 1)));
        }
        return values;
    }
}
