package fairlead.engines.azureml;

import fairlead.engine.remote.Numbers;
import fairlead.job.AttemptId;
import fairlead.job.JobId;
import fairlead.job.TaskId;

import java.util.ArrayList;
import java.util.List;

/**
 * What was ordered of an attempt, as it lies on the disk before Azure knows of it.
 *
 * @param word by which our own line in a task's log is known
 * @param isSubmitted whether Azure has accepted it
 * @param isRunning whether it has been seen to run
 * @param shape how many machines, and how many tasks on each
 * @param ports that its tasks know
 */
record AttemptRecord(
        AttemptId attempt,
        String word,
        boolean isSubmitted,
        boolean isRunning,
        Shape shape,
        List<Integer> ports,
        List<Task> tasks) {
    /** How the tasks are spread over machines: as many on each. */
    record Shape(int machines, int perMachine) {}

    /**
     * @param gpus its slots on the wide node
     */
    record Task(TaskId id, List<Integer> gpus) {
        Task {
            gpus = List.copyOf(gpus);
        }
    }

    AttemptRecord {
        ports = List.copyOf(ports);
        tasks = List.copyOf(tasks);
    }

    /** Its job's name in Azure, which knows no dots there. */
    String name() {
        return attempt.job().text().replace('.', '-') + "-" + attempt.number();
    }

    AttemptRecord submitted() {
        return new AttemptRecord(attempt, word, true, isRunning, shape, ports, tasks);
    }

    AttemptRecord running() {
        return new AttemptRecord(attempt, word, isSubmitted, true, shape, ports, tasks);
    }

    /** Names of roles have no blanks, so lines of words will do. */
    String text() {
        var lines = new StringBuilder();
        lines.append(attempt.job()).append(' ').append(attempt.number()).append(' ');
        lines.append(word).append(' ').append(isSubmitted).append(' ').append(isRunning);
        lines.append(' ').append(shape.machines).append(' ').append(shape.perMachine);
        lines.append(' ').append(Numbers.text(ports)).append('\n');
        for (Task task : tasks) {
            lines.append(task.id()).append(' ').append(Numbers.text(task.gpus())).append('\n');
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
            tasks.add(new Task(TaskId.parse(words[0]), Numbers.parse(words[1])));
        }
        return new AttemptRecord(
                new AttemptId(new JobId(head[0]), Integer.parseInt(head[1])),
                head[2],
                Boolean.parseBoolean(head[3]),
                Boolean.parseBoolean(head[4]),
                new Shape(Integer.parseInt(head[5]), Integer.parseInt(head[6])),
                Numbers.parse(head[7]),
                tasks);
    }
}
