package fairlead.engine.remote;

import fairlead.engine.OwnerOnly;
import fairlead.job.Exit;
import fairlead.job.TaskId;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * The files of one attempt in the folder of its job: {@code 1.stop} once a stop was ordered, {@code
 * 1.never} when it may not be launched any more, {@code 1.exits} with a line for each ended task,
 * and a folder {@code 1.worker-0} with the log of each task.
 */
public record AttemptFiles(Path folder, int number) {
    /** Stands in the place of whether a task was stopped: it was not, its memory was too much. */
    private static final String MEMORY = "memory";

    /** On the wall clock: a restart does not lengthen the grace. */
    public record StopOrder(Instant at, Duration grace) {}

    public boolean isNever() {
        return Files.exists(file("never"));
    }

    public void setNever() throws IOException {
        OwnerOnly.makeFolder(folder);
        OwnerOnly.write(file("never"), "");
    }

    public Optional<StopOrder> stopOrder() throws IOException {
        try {
            String[] words = Files.readString(file("stop")).strip().split(" ");
            return Optional.of(
                    new StopOrder(
                            Instant.ofEpochMilli(Long.parseLong(words[0])),
                            Duration.ofMillis(Long.parseLong(words[1]))));
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
    }

    public void order(StopOrder order) throws IOException {
        OwnerOnly.makeFolder(folder);
        OwnerOnly.replace(file("stop"), order.at().toEpochMilli() + " " + order.grace().toMillis());
    }

    /** By rank. A line that a crash has cut off counts as not written. */
    public Map<Integer, Exit> exits() throws IOException {
        var exits = new TreeMap<Integer, Exit>();
        String text;
        try {
            text = Files.readString(file("exits"));
        } catch (NoSuchFileException _) {
            return exits;
        }
        for (String line : text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
            String[] words = line.split(" ", 5);
            if (words.length < 5) continue;
            var code =
                    words[1].equals("-")
                            ? OptionalInt.empty()
                            : OptionalInt.of(Integer.parseInt(words[1]));
            var exit =
                    new Exit(
                            code,
                            Boolean.parseBoolean(words[2]),
                            words[2].equals(MEMORY),
                            words[4],
                            Instant.ofEpochMilli(Long.parseLong(words[3])));
            exits.putIfAbsent(Integer.parseInt(words[0]), exit);
        }
        return exits;
    }

    public void addExit(int rank, Exit exit) throws IOException {
        OwnerOnly.makeFolder(folder);
        String code = exit.isLost() ? "-" : Integer.toString(exit.code().getAsInt());
        String line =
                "%d %s %s %d %s%n"
                        .formatted(
                                rank,
                                code,
                                exit.outOfMemory() ? MEMORY : exit.stopped(),
                                exit.at().toEpochMilli(),
                                exit.note().replace('\n', ' '));
        OwnerOnly.write(file("exits"), line, StandardOpenOption.APPEND);
    }

    public TaskLogFiles log(TaskId task) {
        return new TaskLogFiles(folder.resolve(number + "." + task.role() + "-" + task.index()));
    }

    private Path file(String kind) {
        return folder.resolve(number + "." + kind);
    }
}
