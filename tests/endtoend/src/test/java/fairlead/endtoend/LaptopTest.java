package fairlead.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.UTF_8;

import fairlead.api.client.ServerFile;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The command on a laptop with another system, against a server elsewhere: the client's own class
 * path on a Java that reports that system, with the variables that a user has there.
 */
final class LaptopTest {
    @TempDir static Path folder;
    private static Installation fairlead;
    private static ServerFile server;

    @BeforeAll
    static void start() throws IOException {
        fairlead = Installation.withSettings(folder.resolve("home"));
        fairlead.run("server", "start", "--gpus", "2").expect(0);
        server = ServerFile.read(Files.readAllBytes(fairlead.home().resolve(ServerFile.NAME)));
    }

    @AfterAll
    static void stop() {
        fairlead.close();
    }

    private record Laptop(String system, Path profile) {
        Installation.Result type(String... words) throws Exception {
            return enter("", words);
        }

        Installation.Result enter(String input, String... words) throws Exception {
            String dist = Files.readString(Installation.root().resolve(".build/current")).strip();
            var command = new ArrayList<String>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
            command.addAll(List.of("-Dos.name=" + system, "-cp", dist + "/lib/cli/*"));
            command.add("fairlead.cli.Main");
            command.addAll(List.of(words));
            Path out = profile.resolve("out");
            Path err = profile.resolve("err");
            var builder =
                    new ProcessBuilder(command)
                            .directory(profile.toFile())
                            .redirectOutput(out.toFile())
                            .redirectError(err.toFile());
            builder.environment().clear();
            builder.environment().put("USERPROFILE", profile.toString());
            builder.environment().put("PATH", "C:\\Windows;C:\\Windows\\System32");
            Process process = builder.start();
            try (var in = process.getOutputStream()) {
                in.write(input.getBytes(UTF_8));
            }
            int code = process.waitFor();
            return new Installation.Result(
                    code, Files.readString(out, UTF_8), Files.readString(err, UTF_8));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Mac OS X", "Windows 11"})
    void submitsListsReadsAndAborts(String system) throws Exception {
        Path profile = Files.createDirectories(folder.resolve(system));
        var laptop = new Laptop(system, profile);
        String alone = laptop.type("list").expect(3).err();
        assertEquals(
                "fairlead: a server needs Linux, and this is "
                        + system
                        + "; 'fairlead login URL' uses one on another machine\n",
                alone);
        laptop.enter(server.token(), "login", server.url(), "--token-stdin").expect(0);
        String id =
                laptop.type("submit", "echo $(uname) $PWD; echo $PATH; echo done")
                        .expect(0)
                        .out()
                        .strip();
        String log = laptop.type("logs", "-f", id).expect(0).out();
        assertTrue(log.matches("(?s)Linux /\\S+/folders/\\S+\n/.*\ndone\n"), log);
        assertTrue(laptop.type("list", id).expect(0).out().contains("succeeded"));
        String sleeping = laptop.type("-n0", "submit", "sleep", "600").expect(0).out().strip();
        laptop.type("abort", sleeping).expect(0);
        laptop.type("wait", sleeping).expect(1);
        laptop.type("logout").expect(0);
        laptop.type("list").expect(3);
    }
}
