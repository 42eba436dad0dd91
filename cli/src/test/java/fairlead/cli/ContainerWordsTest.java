package fairlead.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.api.ErrorBody;
import fairlead.api.spec.ContainerBody;
import fairlead.api.spec.SpecBody;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** What the words about images, claims and pods make of a spec. */
class ContainerWordsTest {
    @TempDir Path folder;
    private FakeServer server;
    private Shell shell;

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer();
        shell = Shell.of(server);
        shell.folder = folder;
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private SpecBody submitted(String... words) {
        var result = shell.type(words);
        assertEquals(0, result.code(), result.err());
        return server.submitted.getLast();
    }

    @Test
    void everyOptionIsInTheContainer() {
        SpecBody spec =
                submitted(
                        ("submit --image i --shm 8G --run-as 1000:100 --pull-policy never"
                                        + " --pull-secret a --pull-secret b --service nodeport"
                                        + " --stdin --tty --host-ipc --host-network --pod-name p"
                                        + " ls -l")
                                .split(" "));
        assertEquals(
                ContainerBody.of(
                        container -> {
                            container.podName = "p";
                            container.shm = "8G";
                            container.runAs = "1000:100";
                            container.pullPolicy = "never";
                            container.pullSecrets = List.of("a", "b");
                            container.service = "nodeport";
                            container.stdin = true;
                            container.tty = true;
                            container.hostIpc = true;
                            container.hostNetwork = true;
                        }),
                spec.container());
        assertNull(submitted("submit", "ls", "-l").container());
    }

    @Test
    void optionsGoBeforeTheFile() throws IOException {
        Files.writeString(
                folder.resolve("job.yaml"),
                """
                command: ls
                image: i
                workdir: ""
                container: {shm: 1G, pullSecrets: [a], stdin: true}
                """);
        SpecBody spec =
                submitted("submit", "-f", "job.yaml", "--shm", "2G", "--pull-secret", "b", "--tty");
        assertEquals(
                ContainerBody.of(
                        container -> {
                            container.shm = "2G";
                            container.pullSecrets = List.of("b");
                            container.stdin = true;
                            container.tty = true;
                        }),
                spec.container());
        assertEquals("", spec.workdir());
    }

    @Test
    void anImagesOwnProgramNeedsNoCommandAndTakesArgumentsAsTheyAre() {
        assertNull(submitted("submit", "--image", "i", "--entrypoint").command());
        SpecBody spec = submitted("submit", "--image", "i", "--entrypoint", "a b");
        assertEquals(List.of("a b"), spec.command());
        assertEquals(true, spec.container().entrypoint());
        var result = shell.type("submit", "--image", "i");
        assertEquals(2, result.code());
        assertTrue(result.err().contains("The command is missing"), result.err());
    }

    @Test
    void onlyFoldersAreMadeAbsolute() {
        SpecBody spec =
                submitted(
                        "submit",
                        "--mount",
                        "data:/data",
                        "--mount",
                        "claim:lab:/lab:ro",
                        "--mount",
                        "new-claim::5G:/new",
                        "--mount",
                        "claim:/odd",
                        "ls");
        assertEquals(
                List.of(
                        folder + "/data:/data",
                        "claim:lab:/lab:ro",
                        "new-claim::5G:/new",
                        folder + "/claim:/odd"),
                spec.mounts());
    }

    @Test
    void insideAnImageNeitherFolderNorVariablesGoAlong() {
        server.runsImages = true;
        shell.environment.put("PATH", "/bin");
        SpecBody spec = submitted("submit", "--image", "i", "-e", "A=1", "ls", "-l");
        assertEquals("", spec.workdir());
        assertEquals(Map.of("A", "1"), spec.env());
    }

    @Test
    void aRefusalNamesTheLineOfTheContainersField() throws IOException {
        Files.writeString(
                folder.resolve("job.yaml"), "command: ls\nimage: i\ncontainer:\n  shm: x\n");
        server.refusal =
                new ErrorBody(
                        "invalid", "jobs[0].container.shm: is odd", "jobs[0].container.shm", null);
        var result = shell.type("submit", "-f", "job.yaml");
        assertEquals(2, result.code());
        assertTrue(result.err().startsWith("fairlead: job.yaml:4: "), result.err());
    }
}
