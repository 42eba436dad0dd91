package fairlead.engines.local.task;

import fairlead.engines.local.container.ContainerProgram;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A container of this engine, as its files say: an earlier server may have started it, by another
 * program than the one of today.
 */
public record ContainerRef(String program, String id) {
    /** So many ids and what is said of them are less than a pipe holds. */
    private static final int REMOVED_AT_ONCE_MAX = 20;

    /** So many take podman some five; a daemon that hangs must not hold up the keeper for long. */
    private static final long SECONDS_MAX = 20;

    private static final String GONE = "no such container";
    private static final String PODMAN_GONE = "no container with";

    /** Whether the task is one, or is about to become one. */
    public static boolean isContained(LiveTask task) {
        return Files.exists(task.attempt.files.containerProgram(task.id));
    }

    /** Empty for a plain process, and until there is a container. */
    public static Optional<ContainerRef> of(LiveTask task) throws IOException {
        var files = task.attempt.files;
        var program = text(files.containerProgram(task.id));
        var id = text(files.containerId(task.id));
        return program.isEmpty() || id.isEmpty()
                ? Optional.empty()
                : Optional.of(new ContainerRef(program, id));
    }

    /** The same, also for one whose program was killed before it could say the id. */
    static List<ContainerRef> allOf(LiveTask task) throws IOException {
        var known = of(task);
        if (known.isPresent()) return List.of(known.get());
        String program = text(task.attempt.files.containerProgram(task.id));
        if (program.isEmpty() || !Files.exists(Path.of(program))) return List.of();
        String label = "label=" + ContainerRun.MARK_LABEL + "=" + task.mark;
        var words = List.of("ps", "--all", "--quiet", "--no-trunc", "--filter", label);
        var answer = ContainerProgram.call(program, words, SECONDS_MAX);
        if (answer.code() != 0)
            throw new IOException("cannot look for containers: " + answer.reason());
        return answer.text().lines().map(id -> new ContainerRef(program, id)).toList();
    }

    private static String text(Path file) throws IOException {
        try {
            return Files.readString(file).strip();
        } catch (NoSuchFileException _) {
            return "";
        }
    }

    /** Ends and removes them by force; why that did not work, or nothing once all are gone. */
    static Optional<String> remove(List<ContainerRef> containers) {
        Map<String, List<String>> byProgram =
                containers.stream()
                        .collect(
                                Collectors.groupingBy(
                                        ContainerRef::program,
                                        Collectors.mapping(ContainerRef::id, Collectors.toList())));
        for (var each : byProgram.entrySet()) {
            var ids = each.getValue();
            for (int from = 0; from < ids.size(); from += REMOVED_AT_ONCE_MAX) {
                int to = Math.min(ids.size(), from + REMOVED_AT_ONCE_MAX);
                var trouble = removed(each.getKey(), ids.subList(from, to));
                if (trouble.isPresent()) return trouble;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> removed(String program, List<String> ids) {
        // Where somebody has removed the program, nothing is left that could be asked.
        if (!Files.exists(Path.of(program))) return Optional.empty();
        var words = new ArrayList<>(List.of("rm", "--force"));
        words.addAll(ids);
        var answer = ContainerProgram.call(program, words, SECONDS_MAX);
        // One that has ended is removed by itself, perhaps just now; the others go all the same.
        String text = answer.text().toLowerCase(Locale.ROOT);
        boolean isGone = text.contains(GONE) || text.contains(PODMAN_GONE);
        return answer.code() == 0 || isGone ? Optional.empty() : Optional.of(answer.reason());
    }
}
