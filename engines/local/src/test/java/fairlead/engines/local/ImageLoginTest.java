package fairlead.engines.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.engines.local.container.ContainerSettings;
import fairlead.job.Container;
import fairlead.job.Effect;
import fairlead.job.Exit;
import fairlead.job.ImageLogin;
import fairlead.job.Role;
import fairlead.job.TaskId;
import fairlead.testing.Eventually;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * The login to an image's registry, as a program that runs containers finds it. The program is a
 * stand-in that shows its login, its rights, and what the process list says of it.
 */
class ImageLoginTest {
    private static final TaskId MAIN = new TaskId(Role.MAIN, 0);
    private static final ImageLogin LOGIN = new ImageLogin("docker.io", "ann", "s3 \"cret");
    private static final String SECRET =
            Base64.getEncoder().encodeToString("ann:s3 \"cret".getBytes(UTF_8));

    @TempDir Path home;
    @TempDir Path bin;

    private Path program(String version) throws Exception {
        Path file = bin.resolve("program");
        Files.writeString(
                file,
                """
                #!/bin/sh
                case $1 in --version) echo '%s'; exit ;; info|ps) echo; exit ;; esac
                for word; do
                    case $word in
                    --config=*) file=${word#--config=}/config.json ;;
                    --authfile=*) file=${word#--authfile=} ;;
                    esac
                done
                echo "login: ${file:-none}"
                [ -z "$file" ] || { stat -c %%a "$file" "${file%%/*}"; cat "$file"; }
                echo list; tr '\\0' ' ' </proc/$$/cmdline
                """
                        .formatted(version));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        return file;
    }

    private static Effect.Launch imaged(int number, String image, List<String> command) {
        var launch = Jobs.single(CrashingServer.job(number), "/", command);
        var plain = launch.job().spec();
        var spec =
                plain.with(
                        edit -> {
                            edit.workingFolder = "/";
                            edit.container =
                                    new Container(Optional.of(image), List.of(), List.of());
                        });
        return launch.asking(spec);
    }

    private static Effect.Launch imaged() {
        return imaged(1, "lab/torch:2", List.of("true"));
    }

    private String ran(String version, Effect.Launch launch) throws Exception {
        String said = ran(program(version), launch);
        assertTrue(said.startsWith("0 "), said);
        return said.substring(2);
    }

    /** The exit code and all that the task has written. */
    private String ran(Path program, Effect.Launch launch) throws Exception {
        var containers = new ContainerSettings(program.toString(), true);
        try (var engine = LocalEngine.open(LocalSettings.at(home).withContainers(containers))) {
            engine.launch(launch);
            Eventually.when("the task has ended", () -> exit(engine).isPresent());
            int code = exit(engine).orElseThrow().code().orElseThrow();
            var log = engine.log(launch.attempt(), MAIN);
            engine.forget(launch.attempt());
            return code + " " + new String(log.read(log.start(), 100_000), UTF_8);
        }
    }

    private static Optional<Exit> exit(LocalEngine engine) throws Exception {
        return engine.observe().stream()
                .flatMap(seen -> seen.exits().values().stream())
                .findFirst();
    }

    @ParameterizedTest
    @ValueSource(strings = {"podman version 4.3.1", "Docker version 28.2.2"})
    void o17TheProgramFindsTheLoginAndNobodyElseDoes(String version) throws Exception {
        String said = ran(version, imaged().with(LOGIN));
        List<String> lines = said.lines().toList();
        assertTrue(lines.get(0).endsWith("1.main-0.login/config.json"), said);
        assertEquals(List.of("600", "700"), lines.subList(1, 3));
        assertEquals(
                "{\"auths\":{\"docker.io\":{\"auth\":\"%s\"},".formatted(SECRET)
                        + "\"https://index.docker.io/v1/\":{\"auth\":\"%s\"}}}".formatted(SECRET),
                lines.get(3));
        String list = said.substring(said.indexOf("list\n"));
        assertFalse(list.contains(SECRET) || list.contains("s3"), list);
        try (var files = Files.walk(home)) {
            assertFalse(files.anyMatch(file -> file.toString().contains(".login")), "removed");
        }
    }

    @Test
    void o17AJobWithoutOneUsesWhatTheProgramKnowsItself() throws Exception {
        assertTrue(ran("podman version 4.3.1", imaged()).startsWith("login: none\n"));
    }

    @Test
    void o17AnImageOfAPrivateRegistryIsFetchedWithTheLoginAlone(@TempDir Path store)
            throws Exception {
        var podman = Podman.in(store);
        Path saved = store.resolve("saved");
        podman.call("save", "-q", "--format", "docker-dir", "-o", saved.toString(), Podman.IMAGE);
        try (var registry = new PrivateRegistry(saved)) {
            podman.trust(registry.host());
            var show = List.of("/bin/cat", "/who");
            String without = ran(podman.program(), imaged(1, registry.image(), show));
            assertTrue(without.startsWith("125 "), without);
            var wrong = new ImageLogin(registry.host(), PrivateRegistry.USER, "wr0ng");
            String refused = ran(podman.program(), imaged(2, registry.image(), show).with(wrong));
            assertTrue(refused.startsWith("125 "), refused);
            assertFalse(refused.contains("wr0ng"), refused);
            var right =
                    new ImageLogin(registry.host(), PrivateRegistry.USER, PrivateRegistry.PASSWORD);
            String fetched = ran(podman.program(), imaged(3, registry.image(), show).with(right));
            assertTrue(fetched.startsWith("0 ") && fetched.endsWith("the image\n"), fetched);
        }
    }

    @Test
    void o17TheTextOfALaunchDoesNotShowThePassword() {
        String text = imaged().with(LOGIN).toString();
        assertTrue(text.contains("ann@docker.io"), text);
        assertFalse(text.contains("s3"), text);
    }
}
