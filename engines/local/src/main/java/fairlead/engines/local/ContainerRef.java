package fairlead.engines.local;

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
 * A container of this engine, as its files tell: an earlier server may have started it, by another
 * program than the one of today.
 */
record ContainerRef(String program, String id) {
    /** So many ids and what is said of them are less than a pipe holds. */
    private static final int REMOVED_AT_ONCE_MAX = 100;

    private static final String GONE = "no such container";
    private static final String PODMAN_GONE = "no container with";

    /** Whether the task is one, or is about to become one. */
    static boolean isContained(LiveTask task) {
        return Files.exists(task.attempt.files.containerProgram(task.id));
    }

    /** Empty for a plain process, and until there is a container. */
    static Optional<ContainerRef> of(LiveTask task) throws IOException {
        var files = task.attempt.files;
        try {
            String program = Files.readString(files.containerProgram(task.id)).strip();
            String id = Files.readString(files.containerId(task.id)).strip();
            return id.isEmpty() ? Optional.empty() : Optional.of(new ContainerRef(program, id));
        } catch (NoSuchFileException _) {
            return Optional.empty();
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
        var answer = ContainerProgram.call(program, words);
        // One that has ended is removed by itself, perhaps just now; the others go all the same.
        String text = answer.text().toLowerCase(Locale.ROOT);
        boolean isGone = text.contains(GONE) || text.contains(PODMAN_GONE);
        return answer.code() == 0 || isGone ? Optional.empty() : Optional.of(answer.reason());
    }
}
