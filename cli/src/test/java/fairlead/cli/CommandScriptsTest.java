package fairlead.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The scripts in bin, with a launcher of paper that prints what it is called with. */
@Timeout(60)
class CommandScriptsTest {
    private static final Path BIN = Path.of("..", "bin");

    @TempDir Path folder;

    static List<String> scripts() throws IOException {
        try (Stream<Path> files = Files.list(BIN)) {
            return files.filter(file -> !Files.isSymbolicLink(file))
                    .map(file -> file.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    private Path launcher(String place) throws IOException {
        Path launcher = folder.resolve(place);
        Files.createDirectories(launcher.getParent());
        Files.writeString(launcher, "#!/bin/sh\nprintf '%s\\n' \"$0\" \"$@\"\npwd\n");
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
        return launcher;
    }

    private Path script(String place, String name) throws IOException {
        Path script = folder.resolve(place).resolve(name);
        Files.createDirectories(script.getParent());
        return Files.copy(BIN.resolve(name), script);
    }

    private List<String> run(int expected, String... command)
            throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(expected, process.waitFor(), out);
        return new ArrayList<>(out.lines().toList());
    }

    @Test
    void theCommandItselfIsThereToo() throws IOException {
        assertEquals(Path.of("../fairlead"), Files.readSymbolicLink(BIN.resolve("fairlead")));
    }

    @Test
    void aLaptopsCommandRefusesAnOldJavaInPlainWords() throws IOException, InterruptedException {
        Path java = launcher("jdk/bin/java");
        Path home = folder.toRealPath().resolve("jdk");
        Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"17.0.1\"\n");
        Path script = Path.of("..", "deploy", "client", "fairlead").toAbsolutePath();
        String[] command = {"env", "JAVA_HOME=" + home, "sh", script.toString(), "list"};
        assertEquals(
                List.of(
                        "fairlead: the Java in "
                                + home
                                + " is a 17, and 25 or newer is needed: install one, or set"
                                + " JAVA_HOME"),
                run(3, command));
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"25\"\n");
        assertEquals(java.toRealPath().toString(), run(0, command).getFirst());
    }

    @Test
    void thereIsOneForEachVerbOfADialect() throws IOException {
        assertEquals(
                Verbs.commands().stream().map(verb -> verb.usage().name()).sorted().toList(),
                scripts());
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void aScriptCallsItsVerbFromAnyFolderAndThroughLinks(String name)
            throws IOException, InterruptedException {
        Path root = launcher("check out/fairlead").getParent();
        Path script = script("check out/bin", name);
        Path near =
                Files.createSymbolicLink(folder.resolve("near"), Path.of("check out/bin", name));
        Path far = Files.createSymbolicLink(folder.resolve("far"), near);
        for (String typed : List.of(script.toString(), "./near", far.toString())) {
            List<String> seen = run(0, typed, "a b", "", "--x=$HOME", "ü");
            Path called = Path.of(seen.removeFirst());
            assertEquals(root.resolve("fairlead"), called.normalize());
            assertEquals(List.of(name, "a b", "", "--x=$HOME", "ü", folder.toString()), seen);
        }
    }

    @Test
    void aLauncherBesideTheScriptIsUsedWhereFairleadIsInstalled()
            throws IOException, InterruptedException {
        Path launcher = launcher("fairlead-0.1.0/bin/fairlead");
        Path script = script("fairlead-0.1.0/bin", "scheduler-state");
        assertEquals(launcher.toString(), run(0, script.toString()).getFirst());
    }

    @Test
    void withoutALauncherThereIsOneClearLine() throws IOException, InterruptedException {
        Path script = script("lost/bin", "run-scheduler");
        assertEquals(
                List.of(
                        "run-scheduler: there is no launcher 'fairlead' in "
                                + script.getParent()
                                + " or in the folder above it"),
                run(3, script.toString()));
    }
}
