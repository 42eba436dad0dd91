package fairlead.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;

/** A user's folder with two clusters, {@code aml} and {@code other}, whose stores are folders. */
final class Sandbox {
    final Path here;
    final Path store;
    final Path otherStore;
    final Map<String, String> environment = new HashMap<>();

    /** What is typed; empty for somebody who is not there. */
    String typed = "";

    boolean isTerminal;

    /** What a call left behind. */
    record Result(int code, String out, String err) {
        Result expect(int wanted) {
            assertEquals(wanted, code, () -> out + err);
            return this;
        }
    }

    Sandbox(Path top) throws IOException {
        here = Files.createDirectories(top.resolve("here"));
        store = Files.createDirectories(top.resolve("store"));
        otherStore = Files.createDirectories(top.resolve("other"));
        environment.put("FAIRLEAD_HOME", top.resolve("home").toString());
        config("aml", store, "");
        config("other", otherStore, "");
    }

    /**
     * @param more lines of the file
     */
    void config(String name, Path place, String more) throws IOException {
        write(
                "aux_data/aml/" + name + ".yaml",
                """
                engine: local
                config_param:
                  code_path: {storage: 'file:%1$s', path: path/to/code.zip}
                  data_folder: {storage: 'file:%1$s', path: path/to/data}
                  output_folder: {storage: 'file:%1$s', path: path/to/output}
                """
                                .formatted(place)
                        + more);
    }

    Path write(String path, String text) throws IOException {
        Path file = here.resolve(path);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    /** A file in the first store's data folder. */
    Path keep(String path, String text) throws IOException {
        Path file = store.resolve("path/to/data").resolve(path);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    Result run(String... words) {
        return runIn(here, words);
    }

    /** As somebody types it in another folder. */
    Result runIn(Path folder, String... words) {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        var screen =
                new Screen(
                        new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8)),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        isTerminal,
                        false,
                        environment,
                        folder);
        int code = Main.run(List.of(words), screen);
        return new Result(
                code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** All files below a folder. */
    static TreeSet<String> files(Path folder) throws IOException {
        var found = new TreeSet<String>();
        if (!Files.exists(folder)) return found;
        try (Stream<Path> all = Files.walk(folder)) {
            all.filter(file -> !Files.isDirectory(file))
                    .forEach(file -> found.add(folder.relativize(file).toString()));
        }
        return found;
    }
}
