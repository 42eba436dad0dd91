package fairlead.engine;

import fairlead.cluster.Gpu;
import fairlead.job.Effect;
import fairlead.job.Limits;
import fairlead.job.Placement;
import fairlead.job.Share;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/**
 * The variables that Fairlead gives to the tasks of one attempt, the same on every engine. The
 * names of PyTorch and TensorFlow are there when the job has several tasks or is a training job;
 * each has a FAIRLEAD_ twin for scripts that need to be sure who set it. Which devices a task sees
 * is the engine's own business.
 *
 * <p>A training job's tasks are its nodes, so WORLD_SIZE counts nodes. A single one gets no RANK
 * and no LOCAL_RANK: launchers such as torchrun and Lightning would take them for a sign that
 * somebody has already started a process for each GPU.
 */
public final class TaskEnvironment {
    /**
     * Asks, where it is empty, for a folder that only the task's account can open and that goes
     * with the task, however it ends. An engine whose tasks have files of their own, which go with
     * them, leaves it empty.
     */
    public static final String TASK_FOLDER = "FAIRLEAD_TASK_FOLDER";

    private static final String SNAPSHOTS = "/snapshots";
    private static final String UNBUFFERED = "PYTHONUNBUFFERED";

    /** TensorFlow knows no other name for one of several equals. */
    private static final String TF_WORKER = "worker";

    /** All of TF_CONFIG but the cluster: its name, a role of at most 63 letters, an index. */
    private static final int TF_CONFIG_REST_MAX = 200;

    private final Effect.Launch launch;
    private final Placement placement;
    private final List<String> hosts;
    private final List<Integer> ports;
    private final Function<String, List<Gpu>> gpusOf;
    private final TaskPorts named;
    private final String cluster;
    private final String tasks;
    private final IntFunction<Map<String, String>> more;

    /**
     * @param hosts where each task is found by the others, in the order of the placement; may be
     *     empty when there are no ports
     * @param ports as many as {@link #portsFor} says: the first task's for the rendezvous, then one
     *     for each task, then those that any task has by a label
     * @param gpusOf those of a node, by its name
     * @param more never hide ours
     */
    public TaskEnvironment(
            Effect.Launch launch,
            List<String> hosts,
            List<Integer> ports,
            Function<String, List<Gpu>> gpusOf,
            MoreVariables more) {
        this.launch = launch;
        this.placement = launch.place().placement();
        this.hosts = List.copyOf(hosts);
        int meeting = meetingPorts(launch);
        this.ports = List.copyOf(ports.subList(0, meeting));
        this.named = named(launch, ports);
        this.gpusOf = gpusOf;
        this.cluster = meeting == 0 ? "" : cluster();
        this.tasks = hasPorts() ? tasks() : "";
        this.more = more.of(launch, this.hosts, named);
    }

    /**
     * Those of an attempt's ports that have labels.
     *
     * @param ports all of them, as the engine has handed them out
     */
    public static TaskPorts named(Effect.Launch launch, List<Integer> ports) {
        return new TaskPorts(launch, ports.subList(meetingPorts(launch), ports.size()));
    }

    /** Those by which the tasks meet, and those that have a label and may be any. */
    public static int portsFor(Effect.Launch launch) {
        return meetingPorts(launch) + TaskPorts.anyFor(launch);
    }

    /** One for the rendezvous and one for each task; none for a job that has no use for them. */
    private static int meetingPorts(Effect.Launch launch) {
        int tasks = launch.place().placement().tasks().size();
        return tasks > 1 || isTraining(launch) ? tasks + 1 : 0;
    }

    private static boolean isTraining(Effect.Launch launch) {
        return launch.job().spec().training().isPresent();
    }

    private boolean hasPorts() {
        return launch.job().spec().roles().stream().anyMatch(role -> !role.ports().isEmpty());
    }

    private boolean isDistributed() {
        return placement.tasks().size() > 1;
    }

    /** In the order in which a person would read them. */
    public Map<String, String> of(int rank) {
        TaskPlacement task = placement.tasks().get(rank);
        var variables = new LinkedHashMap<>(more.apply(rank));
        // Else a script's lines come into its log when kilobytes of them are together.
        if (!launch.job().spec().environment().containsKey(UNBUFFERED))
            variables.put(UNBUFFERED, "1");
        variables.put("FAIRLEAD_JOB", launch.job().id().text());
        variables.put("FAIRLEAD_ATTEMPT", Integer.toString(launch.attempt().number()));
        variables.put("FAIRLEAD_TASK", task.task().toString());
        variables.put("FAIRLEAD_ROLE", task.task().role());
        variables.put("FAIRLEAD_TASK_INDEX", Integer.toString(task.task().index()));
        variables.put("FAIRLEAD_NODE", task.node());
        variables.put("FAIRLEAD_NUM_GPUS", Integer.toString(task.gpus().size()));
        task.shares().stream()
                .filter(share -> !share.isWhole())
                .forEach(share -> variables.putAll(budget(task.node(), share)));
        boolean hasSnapshots =
                launch.job().spec().container().mounts().stream()
                        .anyMatch(mount -> mount.target().equals(SNAPSHOTS));
        if (hasSnapshots) variables.put("FAIRLEAD_SNAPSHOTS", SNAPSHOTS);
        named.of(rank)
                .forEach(
                        (label, numbers) ->
                                variables.put("FAIRLEAD_PORT_" + variable(label), joined(numbers)));
        // Linux takes no longer variable; a gang of thousands has to do without it.
        if (!tasks.isEmpty() && tasks.length() < Limits.ARGUMENT_BYTES_MAX) {
            variables.put("FAIRLEAD_TASKS", tasks);
        }
        var shared = new LinkedHashMap<String, String>();
        if (isDistributed()) shared.putAll(ranks(rank, task));
        if (isTraining(launch)) shared.putAll(nodes(rank, task));
        if (!ports.isEmpty()) shared.putAll(meeting(task));
        shared.forEach(
                (name, value) -> {
                    variables.put(name, value);
                    variables.put("FAIRLEAD_" + name, value);
                });
        return variables;
    }

    /** A label as a part of a variable's name. */
    private static String variable(String label) {
        return label.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9_]", "_");
    }

    private static String joined(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /** All tasks with their hosts and ports; labels hold nothing that JSON would need to escape. */
    private String tasks() {
        var all = new StringJoiner(",", "[", "]");
        for (int rank = 0; rank < placement.tasks().size(); rank++) {
            TaskId task = placement.tasks().get(rank).task();
            var numbers = new StringJoiner(",", "{", "}");
            named.of(rank).forEach((label, each) -> numbers.add("\"" + label + "\":" + each));
            all.add(
                    "{\"role\":\"%s\",\"index\":%d,\"host\":\"%s\",\"ports\":%s}"
                            .formatted(task.role(), task.index(), hosts.get(rank), numbers));
        }
        return all.toString();
    }

    /** How much of its GPU a task has: bytes, or a fraction where nobody knows the memory. */
    private Map<String, String> budget(String node, Share share) {
        boolean isKnown =
                gpusOf.apply(node).stream()
                        .anyMatch(gpu -> gpu.index() == share.gpu() && gpu.memoryBytes() > 0);
        return isKnown
                ? Map.of("FAIRLEAD_GPU_MEMORY_BYTES", Long.toString(share.units()))
                : Map.of(
                        "FAIRLEAD_GPU_FRACTION",
                        BigDecimal.valueOf(share.units(), 3).stripTrailingZeros().toPlainString());
    }

    private Map<String, String> ranks(int rank, TaskPlacement task) {
        int localRank = 0;
        int localSize = 0;
        for (int i = 0; i < placement.tasks().size(); i++) {
            if (!placement.tasks().get(i).node().equals(task.node())) continue;
            if (i < rank) localRank++;
            localSize++;
        }
        var variables = new LinkedHashMap<String, String>();
        variables.put("RANK", Integer.toString(rank));
        variables.put("LOCAL_RANK", Integer.toString(localRank));
        variables.put("WORLD_SIZE", Integer.toString(placement.tasks().size()));
        variables.put("LOCAL_WORLD_SIZE", Integer.toString(localSize));
        return variables;
    }

    /** As the training library knows them; NUM_GPUS counts those of one node, as it expects. */
    private Map<String, String> nodes(int rank, TaskPlacement task) {
        String count = Integer.toString(placement.tasks().size());
        var variables = new LinkedHashMap<String, String>();
        variables.put("WORLD_SIZE", count);
        variables.put("NUM_NODES", count);
        variables.put("NODE_RANK", Integer.toString(rank));
        variables.put("NUM_GPUS", Integer.toString(task.gpus().size()));
        variables.put(
                "NODELIST",
                placement.tasks().stream()
                        .map(TaskPlacement::node)
                        .collect(Collectors.joining(",")));
        return variables;
    }

    /** Where the tasks find each other. */
    private Map<String, String> meeting(TaskPlacement task) {
        var variables = new LinkedHashMap<String, String>();
        variables.put("MASTER_ADDR", hosts.getFirst());
        variables.put("MASTER_PORT", Integer.toString(ports.getFirst()));
        // Linux takes no longer variable; a gang of thousands has to do with the ranks.
        if (cluster.length() + TF_CONFIG_REST_MAX < Limits.ARGUMENT_BYTES_MAX) {
            variables.put(
                    "TF_CONFIG",
                    "{\"cluster\":%s,\"task\":{\"type\":\"%s\",\"index\":%d}}"
                            .formatted(cluster, typeOf(task), task.task().index()));
        }
        return variables;
    }

    private String typeOf(TaskPlacement task) {
        return isTraining(launch) ? TF_WORKER : task.task().role();
    }

    /** Roles and addresses hold nothing that JSON would need to escape. */
    private String cluster() {
        var addresses = new LinkedHashMap<String, StringBuilder>();
        for (int i = 0; i < placement.tasks().size(); i++) {
            String type = typeOf(placement.tasks().get(i));
            var list = addresses.computeIfAbsent(type, _ -> new StringBuilder());
            list.append(list.isEmpty() ? "" : ",");
            list.append('"').append(hosts.get(i)).append(':').append(ports.get(i + 1)).append('"');
        }
        return addresses.entrySet().stream()
                .map(entry -> "\"" + entry.getKey() + "\":[" + entry.getValue() + "]")
                .collect(Collectors.joining(",", "{", "}"));
    }
}
