package fairlead.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The scripts fairlead and build, in a small checkout with a JDK and a Maven of paper. */
@Timeout(120)
class LauncherTest {
    /** What a build says where there is no Node.js, as here. */
    private static final String BARE =
            "fairlead: no Node.js 20 or newer with npm was found, so this build has no portal; all"
                    + " else works\n";

    @TempDir Path folder;
    private Path root;
    private Path jdk;
    private Path bin;

    @BeforeEach
    void prepare() throws IOException {
        root = Files.createDirectory(folder.resolve("check out"));
        Path repository = Path.of("").toAbsolutePath().getParent();
        for (String script : List.of("fairlead", "build")) {
            Files.copy(repository.resolve(script), root.resolve(script));
        }
        for (String module : List.of("cli", "server")) {
            Files.createDirectories(root.resolve(module + "/src/main"));
            Files.writeString(root.resolve(module + "/src/main/A.java"), "");
        }
        Files.writeString(root.resolve("pom.xml"), "");
        jdk = jdk("jdk", 25);
        bin = Files.createDirectory(folder.resolve("bin"));
        program(
                bin.resolve("mvn"),
                """
                echo built >>mvn.log
                [ ! -e broken ] || { echo '[ERROR] A.java:[1,2] not Java'; exit 1; }
                for m in cli server transfer; do mkdir -p $m/target/dependency && echo >$m/target/$m-1.jar && echo >$m/target/dependency/x.jar; done
                m=storage/hdfs; mkdir -p $m/target/dependency && echo >$m/target/storage-hdfs-1.jar && echo >$m/target/dependency/y.jar
                m=engines/yarn; mkdir -p $m/target/dependency && echo >$m/target/engine-yarn-1.jar && echo >$m/target/dependency/z.jar
                m=engines/azureml; mkdir -p $m/target/dependency && echo >$m/target/engine-azureml-1.jar && echo >$m/target/dependency/z.jar
                """);
        for (String tool :
                List.of(
                        "sh",
                        "sed",
                        "find",
                        "readlink",
                        "dirname",
                        "mkdir",
                        "cat",
                        "rm",
                        "cp",
                        "mv",
                        "touch",
                        "date",
                        "sleep",
                        "mktemp",
                        "grep",
                        "head",
                        "basename")) {
            program(bin.resolve(tool), "exec " + which(tool) + " \"$@\"\n");
        }
    }

    private static Path which(String tool) {
        for (String place : List.of("/usr/bin", "/bin")) {
            if (Files.exists(Path.of(place, tool))) return Path.of(place, tool);
        }
        throw new AssertionError("no " + tool);
    }

    private static void program(Path path, String text) throws IOException {
        Files.writeString(path, "#!/bin/sh\n" + text);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Its java prints its arguments, one on each line, and its working folder. */
    private Path jdk(String name, int version) throws IOException {
        Path home = folder.resolve(name);
        Files.createDirectories(home.resolve("bin"));
        Files.writeString(
                home.resolve("release"),
                "IMPLEMENTOR=\"Paper\"\nJAVA_VERSION=\"" + version + ".0.1\"\n");
        program(home.resolve("bin/java"), "printf '%s\\n' \"$@\"\npwd\n");
        program(home.resolve("bin/javac"), "");
        return home;
    }

    private record Result(int code, List<String> out, String err) {}

    private ProcessBuilder command(Path launcher, String... words) {
        var command = new ArrayList<String>();
        command.add(launcher.toString());
        command.addAll(List.of(words));
        var builder = new ProcessBuilder(command);
        builder.environment().clear();
        builder.environment().put("PATH", bin.toString());
        builder.environment().put("JAVA_HOME", jdk.toString());
        builder.environment().put("HOME", folder.toString());
        return builder.directory(folder.toFile());
    }

    private static Result run(ProcessBuilder builder) throws IOException, InterruptedException {
        Path err = Files.createTempFile("launcher", ".err");
        try {
            Process process = builder.redirectError(err.toFile()).start();
            String out =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int code = process.waitFor();
            return new Result(code, out.lines().toList(), Files.readString(err));
        } finally {
            Files.delete(err);
        }
    }

    private long builds() throws IOException {
        Path log = root.resolve("mvn.log");
        return Files.exists(log) ? Files.readString(log).lines().count() : 0;
    }

    @Test
    void theFirstUseBuildsWithOneLineOfProgressAndTheNextDoesNot()
            throws IOException, InterruptedException {
        var first = run(command(root.resolve("fairlead"), "list"));
        assertEquals(0, first.code(), first.err());
        assertEquals("fairlead: building (first use, about a minute)...\n" + BARE, first.err());
        var second = run(command(root.resolve("fairlead"), "list"));
        assertEquals("", second.err());
        assertEquals(1, builds());
    }

    @Test
    void argumentsArriveAsTheyWereTypedFromAnyFolderAndThroughLinks()
            throws IOException, InterruptedException {
        Path near = Files.createSymbolicLink(folder.resolve("near"), Path.of("check out/fairlead"));
        Path far = Files.createSymbolicLink(folder.resolve("far"), near);
        run(command(far));
        for (Path launcher : List.of(far, near, root.resolve("fairlead"))) {
            var result = run(command(launcher, "run", "a b", "", "$HOME *", "@x", "ü", "--", "-n"));
            List<String> out = result.out();
            int main = out.indexOf("fairlead.cli.Main");
            assertEquals(
                    List.of("run", "a b", "", "$HOME *", "@x", "ü", "--", "-n", folder.toString()),
                    out.subList(main + 1, out.size()));
        }
        assertEquals(1, builds());
    }

    @Test
    void aRelativePathWorksToo() throws IOException, InterruptedException {
        var result = run(command(Path.of("check out/fairlead"), "list"));
        assertEquals(0, result.code(), result.err());
        var inside = command(Path.of("./fairlead"), "list").directory(root.toFile());
        assertEquals(0, run(inside).code());
        assertEquals(1, builds());
    }

    @Test
    void theTabKeyBuildsNothing() throws IOException, InterruptedException {
        var early = run(command(root.resolve("fairlead"), "__complete", "li"));
        assertEquals(new Result(0, List.of(), ""), early);
        run(command(root.resolve("fairlead"), "list"));
        Path source = root.resolve("cli/src/main/A.java");
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(5)));
        var stale = run(command(root.resolve("fairlead"), "__complete", "li"));
        assertEquals("", stale.err());
        assertTrue(stale.out().contains("__complete"), "an older build does: " + stale.out());
        assertEquals(1, builds());
    }

    @Test
    void aChangedSourceIsBuiltAgain() throws IOException, InterruptedException {
        run(command(root.resolve("fairlead"), "list"));
        Path source = root.resolve("cli/src/main/A.java");
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(5)));
        var result = run(command(root.resolve("fairlead"), "list"));
        assertEquals("fairlead: building (sources have changed)...\n" + BARE, result.err());
        assertEquals(2, builds());
    }

    @Test
    void aRemovedSourceIsNoticed() throws IOException, InterruptedException {
        run(command(root.resolve("fairlead"), "list"));
        Files.setLastModifiedTime(
                root.resolve(".build/stamp"), FileTime.from(Instant.now().minusSeconds(5)));
        for (String module : List.of("cli", "server")) {
            Path main = root.resolve(module + "/src/main");
            Files.setLastModifiedTime(main, FileTime.from(Instant.now().minusSeconds(60)));
            Files.setLastModifiedTime(
                    main.resolve("A.java"), FileTime.from(Instant.now().minusSeconds(60)));
        }
        for (String file : List.of("pom.xml", "build")) {
            Files.setLastModifiedTime(
                    root.resolve(file), FileTime.from(Instant.now().minusSeconds(60)));
        }
        assertEquals("", run(command(root.resolve("fairlead"), "list")).err());
        Files.delete(root.resolve("cli/src/main/A.java"));
        run(command(root.resolve("fairlead"), "list"));
        assertEquals(2, builds());
    }

    @Test
    void anotherJdkIsNoticed() throws IOException, InterruptedException {
        run(command(root.resolve("fairlead"), "list"));
        Files.setLastModifiedTime(jdk.resolve("release"), FileTime.fromMillis(1_000_000_000_000L));
        run(command(root.resolve("fairlead"), "list"));
        assertEquals(2, builds());
    }

    @Test
    void aBuildThatFailsShowsItsErrorsAndIsTriedAgain() throws IOException, InterruptedException {
        Files.writeString(root.resolve("broken"), "");
        var result = run(command(root.resolve("fairlead"), "list"));
        assertEquals(3, result.code());
        assertTrue(
                result.err().contains("fairlead: the build failed; all of it is in "),
                result.err());
        assertTrue(result.err().endsWith("[ERROR] A.java:[1,2] not Java\n"), result.err());
        assertTrue(result.out().isEmpty());
        Files.delete(root.resolve("broken"));
        assertEquals(0, run(command(root.resolve("fairlead"), "list")).code());
    }

    @Test
    void usesAtOnceBuildOnce() throws IOException, InterruptedException {
        var processes = new ArrayList<Process>();
        for (int i = 0; i < 4; i++) {
            processes.add(
                    command(root.resolve("fairlead"), "list").redirectErrorStream(true).start());
        }
        for (Process process : processes) {
            String out =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(0, process.waitFor(), out);
        }
        assertEquals(1, builds());
        assertFalse(Files.exists(root.resolve(".build/lock")));
    }

    @Test
    void aLockThatACrashLeftIsTaken() throws IOException, InterruptedException {
        Files.createDirectories(root.resolve(".build/lock"));
        // Above the largest process number of Linux.
        Files.writeString(root.resolve(".build/lock/pid"), "4194305\n");
        assertEquals(0, run(command(root.resolve("fairlead"), "list")).code());
    }

    @Test
    void anOldJavaFirstOnThePathDoesNotHideANewOne() throws IOException, InterruptedException {
        Path old = jdk("old", 17);
        Files.createSymbolicLink(bin.resolve("javac"), old.resolve("bin/javac"));
        jdk(".jdks/new", 26);
        var builder = command(root.resolve("build"));
        builder.environment().put("JAVA_HOME", old.toString());
        assertEquals(0, run(builder).code());
        Path chosen = Path.of(Files.readString(root.resolve(".build/java")).strip());
        // A JDK in one of the usual places of this machine goes before the one of paper.
        String release = Files.readString(chosen.resolve("release"));
        int version = Integer.parseInt(release.replaceAll("(?s).*JAVA_VERSION=\"(\\d+).*", "$1"));
        assertTrue(version >= 25, release);
    }

    @Test
    void withoutMavenThereIsOneClearLine() throws IOException, InterruptedException {
        Files.delete(bin.resolve("mvn"));
        var result = run(command(root.resolve("fairlead"), "list"));
        assertEquals(3, result.code());
        assertEquals(
                "fairlead: Maven is needed to build and was not found: install it (Debian: apt"
                        + " install maven)\n",
                result.err());
    }
}
