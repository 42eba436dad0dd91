package fairlead.engines.local.task;

import fairlead.job.AttemptId;
import fairlead.job.JobId;
import fairlead.job.TaskId;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a server must know to take up an attempt of an earlier one.
 *
 * @param ports one for the rendezvous of the attempt, then one for each task, where tasks have to
 *     meet; then those that they have by labels: any that were free, then the fixed ones
 */
public record Manifest(AttemptId attempt, List<TaskId> tasks, List<Integer> ports) {
    private static final Pattern LINE = Pattern.compile("(\\S+)#(\\d{1,9}) (\\S+) ([\\d,]*)");

    public Manifest {
        tasks = List.copyOf(tasks);
        ports = List.copyOf(ports);
    }

    /** Neither ids nor roles can hold a space, a comma or a number sign. */
    String line() {
        return attempt + " " + joined(tasks) + " " + joined(ports);
    }

    private static String joined(List<?> values) {
        return values.stream().map(Object::toString).collect(Collectors.joining(","));
    }

    static Optional<Manifest> parse(String line) {
        var match = LINE.matcher(line);
        if (!match.matches()) return Optional.empty();
        var attempt = new AttemptId(new JobId(match.group(1)), Integer.parseInt(match.group(2)));
        var tasks = Stream.of(match.group(3).split(",")).map(TaskId::parse).toList();
        var ports =
                Stream.of(match.group(4).split(","))
                        .filter(port -> !port.isEmpty())
                        .map(Integer::valueOf)
                        .toList();
        return Optional.of(new Manifest(attempt, tasks, ports));
    }
}
