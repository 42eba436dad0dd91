package fairlead.engines.kubernetes;

import fairlead.job.AttemptId;
import fairlead.job.JobId;
import fairlead.job.TaskId;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What was ordered of an attempt, as it lies on the disk before the first pod is made.
 *
 * @param isLaunched whether everything of it has been made: from then on nothing is made again
 */
record AttemptRecord(AttemptId attempt, String namespace, boolean isLaunched, List<Task> tasks) {
    /**
     * @param pod its name
     * @param gpus its slots on the node
     * @param shared whether it holds only a part of its GPU
     */
    record Task(TaskId id, String pod, String node, List<Integer> gpus, boolean shared) {
        Task {
            gpus = List.copyOf(gpus);
        }
    }

    AttemptRecord {
        tasks = List.copyOf(tasks);
    }

    AttemptRecord launched() {
        return new AttemptRecord(attempt, namespace, true, tasks);
    }

    /** Names of clusters, roles and nodes have no blanks, so lines of words will do. */
    String text() {
        var lines = new StringBuilder();
        lines.append(attempt.job()).append(' ').append(attempt.number());
        lines.append(' ').append(namespace).append(' ').append(isLaunched).append('\n');
        for (Task task : tasks) {
            String gpus =
                    task.gpus().stream().map(String::valueOf).collect(Collectors.joining(","));
            lines.append(String.join(" ", task.id().toString(), task.pod(), task.node()))
                    .append(task.shared() ? " share " : " whole ")
                    .append(gpus)
                    .append('\n');
        }
        return lines.toString();
    }

    /**
     * Reads {@link #text}; an unreadable one is a bug or a damaged disk, and the message says so.
     */
    static AttemptRecord parse(String text) {
        List<String> lines = text.lines().toList();
        String[] head = lines.getFirst().split(" ", -1);
        var attempt = new AttemptId(new JobId(head[0]), Integer.parseInt(head[1]));
        var tasks = new ArrayList<Task>();
        for (String line : lines.subList(1, lines.size())) {
            String[] words = line.split(" ", -1);
            var gpus = new ArrayList<Integer>();
            for (String gpu : words[4].split(",")) {
                if (!gpu.isEmpty()) gpus.add(Integer.parseInt(gpu));
            }
            tasks.add(
                    new Task(
                            TaskId.parse(words[0]),
                            words[1],
                            words[2],
                            gpus,
                            words[3].equals("share")));
        }
        return new AttemptRecord(attempt, head[2], Boolean.parseBoolean(head[3]), tasks);
    }
}
