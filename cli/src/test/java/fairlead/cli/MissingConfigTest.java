package fairlead.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import fairlead.dialects.act.ActJob;
import fairlead.dialects.act.ActOrigin;
import fairlead.dialects.act.Place;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** What is said where an option of ACT names a config file that is not there. */
class MissingConfigTest {
    @TempDir Path folder;
    private FakeServer server;
    private Shell shell;

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer();
        shell = Shell.of(server);
        shell.folder = folder;
        config("aml", "aml.zip");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void write(String file, String text) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private void config(String name, String code) throws IOException {
        write(
                "aux_data/aml/" + name + ".yaml",
                """
                engine: local
                config_param:
                  code_path: {storage: 'file:%s', path: %s}
                """
                        .formatted(folder, code));
    }

    /** The id of a job of ACT that runs. */
    private String act() {
        var job =
                new ActJob(
                        "c1", 1, 1, 1, true, new Place.File("/c.zip"), Map.of(), "", false, false);
        String id = "ann_1763179200_0000000b";
        server.add(new FakeJob(id, "running", FakeBodies.from(ActOrigin.write(job))));
        return id;
    }

    private void refused(int code, String why, String line) {
        var result = shell.type(line.split(" "));
        assertEquals(code, result.code(), result::toString);
        assertTrue(result.err().contains(why), result.err());
    }

    @Test
    void aClusterOfPhillyThatActIsAskedForIsToldAsThat() throws IOException {
        write(
                "aux_data/configs/philly_vc.yaml",
                """
                engine: local
                cluster: wu1
                user_name: ann
                blob_mount_point: /blob
                storage: file:%s
                config_param: {code_path: /blob/code.zip}
                """
                        .formatted(folder));
        String why = "the 'wu1' of aux_data/configs/philly_vc.yaml is for 'fairlead p' alone";
        refused(0, why + ": 'wu1' is taken for a cluster of the server\n", "-c wu1 submit ls");
        refused(2, "fairlead: " + why + "\n", "-c wu1 local ls");
    }

    @Test
    void a60LocalRefusesAConfigThatIsNotThere() throws IOException {
        for (int i = 1; i <= 6; i++) config("c" + i, "c.zip");
        String none = "there is no aux_data/aml/nosuch.yaml; here are aml, c1, c2, c3, c4";
        refused(2, none + " and 2 more\n", "-c nosuch local ls");
        refused(2, ": a config file is named without its ending, -c c1\n", "-c c1.yaml local ls");
    }

    @Test
    void aVerbOfQdThatIsNotNeededSaysSoWhateverItsOptions() {
        refused(2, "'monitor' is not needed here: ", "-c aml -f x monitor -c aml");
        refused(2, "'p sync' is not needed here: ", "p -c wu1 sync");
    }

    @Test
    void itsHelpSaysTheSameWithoutAnExampleThatIsRefused() {
        var result = shell.type("monitor", "--help");
        assertEquals(0, result.code());
        assertTrue(result.out().startsWith("'monitor' is not needed here: "), result.out());
        assertEquals(1, result.out().lines().count(), result.out());
        assertEquals(result.out(), shell.type("help", "monitor").out());
    }

    @Test
    void anEmptyVariableLeavesTheFileThatAnOptionNames() throws IOException {
        config("c1", "c1.zip");
        shell.environment.put("AML_CONFIG_PATH", "");
        refused(0, "submitted with 'c1' to 'local', no GPU: ls", "-c c1 -n 0 submit ls");
        refused(2, "there is no aux_data/aml/c2.yaml; here are aml, c1\n", "-c c2 local ls");
        shell.folder = Files.createDirectories(folder.resolve("src"));
        refused(0, "submitted with 'c1' to 'local', no GPU: ls", "-c c1 -n 0 submit ls");
    }

    @Test
    void aForgottenValueIsTold() {
        String why = " must be followed by its value, but '%s' is an option. Is the value missing?";
        refused(2, "-c" + why.formatted("-n"), "-c -n 0 submit ls");
        refused(2, "-rt" + why.formatted("-n"), "-rt -n 0 resubmit x");
        refused(2, "-c" + why.formatted("--json"), "q -c --json");
        refused(2, "'-c' needs a value: NAME", "-c= submit ls");
    }

    @Test
    void aValueMayStandBehindAnEqualsSignAsInPython() throws IOException {
        config("c2", "c2.zip");
        refused(0, "submitted with 'c2' to 'local', 8 GPUs on 2 nodes: ls", "-c=c2 -n=8 submit ls");
        refused(2, "there is no config file for 'c9'", "-rt=c9 resubmit " + act());
        assertEquals(0, shell.type("-ca=--fast", "submit", "ls").code());
        String origin = server.submitted.getLast().origin().text();
        assertTrue(origin.contains("\"compileArgs\":\"--fast\""), origin);
    }
}
