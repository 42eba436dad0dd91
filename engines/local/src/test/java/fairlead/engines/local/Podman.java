package fairlead.engines.local;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.testing.Root;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The real podman of this machine with a store of its own in a folder, and an image made of a
 * static busybox: no registry is needed, and nothing of it is seen by anyone else.
 *
 * @param program runs podman with that store
 */
public record Podman(Path program) {
    static final String IMAGE = "localhost/fairlead-test:1";

    /** The same, with an entry point of its own. */
    static final String ENTRY_IMAGE = "localhost/fairlead-entry:1";

    private static final long SECONDS_MAX = 60;
    private static final List<String> APPLETS =
            List.of("sh", "sleep", "echo", "cat", "id", "env", "pwd", "true", "httpd", "touch");

    /** What a machine lends that lets no container have more open files than we have. */
    private static final String CONFIGURATION =
            """
            [containers]
            default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
            """;

    /** Podman's own choice first; where it fails, the other runtime that Debian has. */
    private static final List<String> RUNTIMES = List.of("", "--runtime runc");

    /** Not every account has what podman needs without root, so others skip what fails. */
    static Podman in(Path folder) throws Exception {
        Path real = onPath("podman");
        Path image = image(folder, onPath("busybox"));
        Files.writeString(folder.resolve("containers.conf"), CONFIGURATION);
        Files.writeString(folder.resolve("registries.conf"), "");
        String trouble = "";
        for (String runtime : RUNTIMES) {
            var podman = new Podman(script(folder, real, runtime));
            try {
                podman.call("import", "-q", image.toString(), IMAGE);
                String entry = "ENTRYPOINT [\"/bin/echo\", \"own\"]";
                podman.call("import", "-q", "--change", entry, image.toString(), ENTRY_IMAGE);
                podman.call("run", "--rm", "--init", "--network=host", IMAGE, "/bin/true");
                return podman;
            } catch (IOException problem) {
                trouble = problem.getMessage();
            }
        }
        String why = "podman does not work here: " + trouble;
        assumeTrue(Root.mayMount(), "not root: " + why);
        throw new IOException(why);
    }

    /** Whether our root is another than that of the first process, which only root can see. */
    static boolean isInChroot() throws IOException {
        try {
            return Root.mayMount() && !Files.isSameFile(Path.of("/proc/1/root/."), Path.of("/"));
        } catch (AccessDeniedException _) {
            // A first process that even root may not look into is the machine's own.
            return false;
        }
    }

    private static Path onPath(String name) {
        return List.of(System.getenv("PATH").split(":")).stream()
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " is not installed"));
    }

    private static Path image(Path folder, Path busybox) throws Exception {
        Path root = Files.createDirectories(folder.resolve("image"));
        Path bin = Files.createDirectories(root.resolve("bin"));
        Files.copy(busybox, bin.resolve("busybox"));
        for (String applet : APPLETS)
            Files.createSymbolicLink(bin.resolve(applet), Path.of("busybox"));
        Files.createDirectories(root.resolve("image-folder"));
        Files.writeString(root.resolve("who"), "the image\n");
        Path archive = folder.resolve("image.tar");
        run(List.of("tar", "-C", root.toString(), "-cf", archive.toString(), "."));
        return archive;
    }

    private static Path script(Path folder, Path podman, String runtime) throws IOException {
        Path script = folder.resolve("podman");
        String text =
                """
                #!/bin/sh
                export CONTAINERS_CONF=%s/containers.conf
                export CONTAINERS_REGISTRIES_CONF=%s/registries.conf
                exec %s --root %s/store --runroot %s/run --storage-driver vfs %s "$@"
                """
                        .formatted(folder, folder, podman, folder, folder, runtime);
        Files.writeString(script, text);
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        return script;
    }

    /** From now on this registry may be asked without a certificate. */
    void trust(String registry) throws IOException {
        Files.writeString(
                program.resolveSibling("registries.conf"),
                "[[registry]]\nlocation = \"%s\"\ninsecure = true\n".formatted(registry));
    }

    /** What it says; a failure is reported in its own words. */
    String call(String... words) throws Exception {
        var command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(words));
        return run(command);
    }

    /** The ids of all containers, ended ones too. */
    List<String> containers() throws Exception {
        return call("ps", "--all", "--quiet", "--no-trunc").lines().toList();
    }

    private static String run(List<String> command) throws Exception {
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException(command + " took too long");
        }
        if (process.exitValue() != 0) throw new IOException(said.strip());
        return said;
    }
}
