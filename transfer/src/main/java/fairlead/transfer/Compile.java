package fairlead.transfer;

import fairlead.dialects.act.config.ClusterConfig;
import fairlead.storage.StorageException;
import fairlead.storage.Words;
import fairlead.transfer.pack.Tree;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs the code's own compile script on a copy of it, in the image that its jobs will have, and
 * uploads what comes out.
 */
final class Compile {
    /** The code's place on the node. */
    private static final String PLACE = "/tmp/code/act";

    /**
     * What a container makes may belong to its root user: given back to the owner of the folder, it
     * can be packed and removed.
     */
    private static final String SCRIPT =
            "bash \"$@\"; code=$?; chown -R \"$(stat -c %u:%g .)\" . ; exit $code";

    private final Screen screen;
    private final Init init;

    Compile(Screen screen, Init init) {
        this.screen = screen;
        this.init = init;
    }

    void run(ClusterConfig config) throws Failed, StorageException {
        String script =
                switch (config.origin()) {
                    case ACT -> "compile.aml.sh";
                    case PHILLY -> "compile.philly.sh";
                };
        String image =
                config.image()
                        .orElseThrow(() -> uncompiled(config.file() + " names no docker.image"));
        if (!Files.isRegularFile(screen.folder().resolve(script)))
            throw uncompiled("there is no " + script + " in this folder");
        String program =
                program().orElseThrow(() -> uncompiled("neither podman nor docker is on the PATH"));
        Path copy = null;
        try {
            copy = Files.createTempDirectory("fairlead-compile");
            Tree tree = init.tree(config);
            tree.copyTo(copy);
            var words =
                    new ArrayList<>(
                            List.of(program, "run", "--rm", "-v", copy + ":" + PLACE, "-w", PLACE));
            words.addAll(List.of(image, "sh", "-c", SCRIPT, "sh", script));
            for (String word : config.compileArgs().split(" "))
                if (!word.isEmpty()) words.add(word);
            screen.say("running " + script + " in " + image);
            int code = code(words);
            if (code != 0) throw uncompiled(script + " ended with code " + code);
            init.packWhole(config, copy);
        } catch (IOException problem) {
            throw uncompiled(Words.of(problem));
        } finally {
            if (copy != null) remove(copy);
        }
    }

    private static Failed uncompiled(String why) {
        return Failed.refused("the code is uploaded as it is, and not compiled: " + why);
    }

    private Optional<String> program() {
        for (String name : List.of("podman", "docker")) {
            for (String folder : screen.environment().getOrDefault("PATH", "").split(":")) {
                if (folder.isEmpty()) continue;
                Path file = Path.of(folder, name);
                if (Files.isExecutable(file) && Files.isRegularFile(file))
                    return Optional.of(file.toString());
            }
        }
        return Optional.empty();
    }

    private int code(List<String> words) throws IOException, Failed {
        Process process =
                new ProcessBuilder(words).directory(screen.folder().toFile()).inheritIO().start();
        try {
            return process.waitFor();
        } catch (InterruptedException _) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw uncompiled("interrupted");
        }
    }

    private void remove(Path folder) {
        try {
            Files.walkFileTree(folder, new Removing());
        } catch (IOException problem) {
            screen.say(folder + " is left over: " + Words.of(problem));
        }
    }

    private static final class Removing extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes seen) throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, IOException problem)
                throws IOException {
            Files.delete(folder);
            return FileVisitResult.CONTINUE;
        }
    }
}
