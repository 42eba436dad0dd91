package fairlead.cli.act.verb;

import fairlead.cli.terminal.Terminal;
import fairlead.dialects.act.config.ClusterConfig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A command in the words of the container program of this machine. */
record LocalCommand(Terminal terminal) {
    /** What a shell reports for a program that it cannot find. */
    static final int NOT_FOUND = 127;

    /** The same for one that is there, but may not be run. */
    static final int NOT_RUNNABLE = 126;

    /** As ACT: enough for the data loaders of one process. */
    private static final String SHARED_MEMORY = "8g";

    private static final List<String> PROGRAMS = List.of("podman", "docker");

    /** Empty where the config names no image, or nothing can run one. */
    Optional<List<String>> inImage(Optional<ClusterConfig> config, List<String> words)
            throws IOException {
        Optional<String> image = config.flatMap(ClusterConfig::image);
        Optional<String> program = program();
        if (image.isEmpty() || program.isEmpty()) return Optional.empty();
        var command = new ArrayList<>(List.of(program.get(), "run", "--rm", "-i"));
        if (terminal.inIsTerminal() && terminal.outIsTerminal()) command.add("-t");
        command.add("--shm-size=" + SHARED_MEMORY);
        if (isOnPath("nvidia-smi")) command.addAll(List.of("--gpus", "all"));
        // Without their values: those are in the environment, where no list of processes shows
        // them.
        for (String name : config.get().env().keySet()) command.addAll(List.of("-e", name));
        Path folder = terminal.folder();
        command.addAll(List.of("-v", folder + ":" + folder));
        for (String name : config.get().folders().keySet()) {
            Path local = folder.resolve(name);
            // One that is a link leads out of what is mounted already.
            if (Files.isSymbolicLink(local) && Files.isDirectory(local)) {
                Path real = local.toRealPath();
                command.addAll(List.of("-v", real + ":" + real));
            }
        }
        command.addAll(List.of("-w", folder.toString(), image.get()));
        command.addAll(words);
        return Optional.of(command);
    }

    private Optional<String> program() {
        for (String program : PROGRAMS) {
            if (isOnPath(program)) return Optional.of(program);
        }
        return Optional.empty();
    }

    private boolean isOnPath(String program) {
        for (String folder : terminal.environment().getOrDefault("PATH", "").split(":")) {
            if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, program))) return true;
        }
        return false;
    }
}
