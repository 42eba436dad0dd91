package fairlead.engines.yarn;

import fairlead.engine.remote.Numbers;
import fairlead.job.AttemptId;
import fairlead.job.Effect;
import fairlead.job.JobId;
import fairlead.job.Resources;
import fairlead.job.TaskId;
import fairlead.job.TaskPlacement;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * What was ordered of an attempt, as it lies on the disk before YARN knows of it.
 *
 * @param application its id; empty before YARN has given one. YARN takes an application once,
 *     however often it is submitted under one id
 * @param secret by which its master and we know each other
 * @param isSubmitted whether YARN has accepted it
 * @param isRunning whether all its tasks have been seen to begin
 * @param ports that its tasks know
 */
record AttemptRecord(
        AttemptId attempt,
        String application,
        String secret,
        boolean isSubmitted,
        boolean isRunning,
        List<Integer> ports,
        List<Task> tasks) {
    private static final int SECRET_BYTES = 32;

    /**
     * What the plan counts for it; zero for what it does not count.
     *
     * @param gpus its slots on the node
     */
    record Task(TaskId id, String node, List<Integer> gpus, int cpus, long memoryBytes) {
        Task {
            gpus = List.copyOf(gpus);
        }
    }

    AttemptRecord {
        ports = List.copyOf(ports);
        tasks = List.copyOf(tasks);
    }

    /** Of an attempt that is new, with a secret of its own. */
    static AttemptRecord of(Effect.Launch launch, List<Integer> ports) {
        var secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        var tasks = new ArrayList<Task>();
        for (TaskPlacement place : launch.place().placement().tasks()) {
            Resources asked = launch.job().spec().role(place.task().role()).resources();
            tasks.add(
                    new Task(
                            place.task(),
                            place.node(),
                            place.gpus(),
                            asked.cpus(),
                            asked.memoryBytes()));
        }
        String words = HexFormat.of().formatHex(secret);
        return new AttemptRecord(launch.attempt(), "", words, false, false, ports, tasks);
    }

    AttemptRecord as(String other) {
        return new AttemptRecord(attempt, other, secret, false, false, ports, tasks);
    }

    AttemptRecord submitted() {
        return new AttemptRecord(attempt, application, secret, true, isRunning, ports, tasks);
    }

    AttemptRecord running() {
        return new AttemptRecord(attempt, application, secret, isSubmitted, true, ports, tasks);
    }

    /** Names of roles and nodes have no blanks, so lines of words will do. */
    String text() {
        var lines = new StringBuilder();
        lines.append(attempt.job()).append(' ').append(attempt.number()).append(' ');
        lines.append(application.isEmpty() ? "-" : application).append(' ').append(secret);
        lines.append(' ').append(isSubmitted).append(' ').append(isRunning).append(' ');
        lines.append(Numbers.text(ports)).append('\n');
        for (Task task : tasks) {
            lines.append(task.id()).append(' ').append(task.node()).append(' ');
            lines.append(Numbers.text(task.gpus())).append(' ').append(task.cpus()).append(' ');
            lines.append(task.memoryBytes()).append('\n');
        }
        return lines.toString();
    }

    /** Reads {@link #text}. */
    static AttemptRecord parse(String text) {
        List<String> lines = text.lines().toList();
        String[] head = lines.getFirst().split(" ", -1);
        var tasks = new ArrayList<Task>();
        for (String line : lines.subList(1, lines.size())) {
            String[] words = line.split(" ", -1);
            tasks.add(
                    new Task(
                            TaskId.parse(words[0]),
                            words[1],
                            Numbers.parse(words[2]),
                            Integer.parseInt(words[3]),
                            Long.parseLong(words[4])));
        }
        return new AttemptRecord(
                new AttemptId(new JobId(head[0]), Integer.parseInt(head[1])),
                head[2].equals("-") ? "" : head[2],
                head[3],
                Boolean.parseBoolean(head[4]),
                Boolean.parseBoolean(head[5]),
                Numbers.parse(head[6]),
                tasks);
    }
}
