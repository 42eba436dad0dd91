package fairlead.engines.local;

import fairlead.engine.EngineException;
import fairlead.job.AttemptId;
import fairlead.job.JobId;
import fairlead.job.TaskId;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a server must know to take up an attempt of an earlier one. It is written before the
 * attempt's first process starts and removed when the attempt is forgotten, so that a start-up
 * reads only what is live, however many jobs there were.
 *
 * @param ports one for the rendezvous of the attempt, then one for each task; empty for a single
 *     task
 */
record Manifest(AttemptId attempt, List<TaskId> tasks, List<Integer> ports) {
    private static final String FIRST_LINE = "fairlead attempt 1";
    private static final String LAST_LINE = "end";

    Manifest {
        tasks = List.copyOf(tasks);
        ports = List.copyOf(ports);
    }

    static Path file(Path folder, AttemptId attempt) {
        return folder.resolve(attempt.job() + "." + attempt.number());
    }

    void write(Path folder) throws IOException {
        var text = new StringBuilder(FIRST_LINE).append('\n');
        for (int port : ports) text.append("port ").append(port).append('\n');
        for (TaskId task : tasks) text.append("task ").append(task).append('\n');
        Files.writeString(file(folder, attempt), text.append(LAST_LINE).append('\n'));
    }

    /** Empty when a crash cut the writing short; then no process of the attempt was started. */
    static Optional<Manifest> read(Path file) throws IOException, EngineException {
        List<String> lines = Files.readAllLines(file);
        if (lines.isEmpty() || !lines.getLast().equals(LAST_LINE)) return Optional.empty();
        if (!lines.getFirst().equals(FIRST_LINE)) {
            throw new EngineException(
                    file + " was written by another version: " + lines.getFirst());
        }
        String name = file.getFileName().toString();
        int dot = name.lastIndexOf('.');
        var attempt =
                new AttemptId(
                        new JobId(name.substring(0, dot)),
                        Integer.parseInt(name.substring(dot + 1)));
        var tasks = new ArrayList<TaskId>();
        var ports = new ArrayList<Integer>();
        for (String line : lines.subList(1, lines.size() - 1)) {
            String value = line.substring(line.indexOf(' ') + 1);
            if (line.startsWith("task ")) tasks.add(TaskId.parse(value));
            if (line.startsWith("port ")) ports.add(Integer.parseInt(value));
        }
        return Optional.of(new Manifest(attempt, tasks, ports));
    }
}
